/** The built-in extension "rpc": exposure as remote procedures. */
import { EFFX1102, EFFX1103, EFFX1104, EFFX2501, EFFX2505 } from "@effx/diagnostics"
import { defineExtension } from "../../extension.ts"
import { rpc as generator } from "../../generators/rpc.ts"
import { claimedNames } from "../claimed-names.ts"
import { guards } from "./guards.ts"
import { rpc as interpreter } from "./rpc.ts"

export const rpc = defineExtension({
  name: "rpc",
  diagnostics: [EFFX1102, EFFX1103, EFFX1104, EFFX2501, EFFX2505],
  interpreters: [interpreter],
  analyses: [claimedNames("rpc"), guards],
  generators: [generator]
})
