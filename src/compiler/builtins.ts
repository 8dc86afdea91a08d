/**
 * The extensions that effx itself consists of, in the order in which they run. An explicit list: nothing registers itself.
 */
import { cli } from "./builtins/cli/index.ts"
import { core } from "./builtins/core/index.ts"
import { http } from "./builtins/http/index.ts"
import { rpc } from "./builtins/rpc/index.ts"
import { defineExtension, type Extension, type Generator } from "./extension.ts"
import { client } from "./generators/client.ts"
import { openapi } from "./generators/openapi.ts"

/** An extension that only generates; it carries the generator's name. */
const generating = (generator: Generator): Extension =>
  defineExtension({ name: generator.name, diagnostics: [], interpreters: [], analyses: [], generators: [generator] })

export const builtins: ReadonlyArray<Extension> = [core, http, rpc, cli, generating(client), generating(openapi)]
