/** The extensions that effx itself consists of, in the order in which they run. An explicit list: nothing registers itself. */
import { cli } from "./builtins/cli/index.ts"
import { core } from "./builtins/core/index.ts"
import { http } from "./builtins/http/index.ts"
import { rpc } from "./builtins/rpc/index.ts"
import type { Extension } from "./extension.ts"

export const builtins: ReadonlyArray<Extension> = [core, http, rpc, cli]
