/** The built-in extension "cli": exposure as commands. */
import { EFFX1102, EFFX1103, EFFX1104, EFFX2501 } from "@effx/diagnostics"
import { defineExtension } from "../../extension.ts"
import { cli as generator } from "../../generators/cli.ts"
import { claimedNames } from "../claimed-names.ts"
import { cli as interpreter } from "./cli.ts"

export const cli = defineExtension({
  name: "cli",
  diagnostics: [EFFX1102, EFFX1103, EFFX1104, EFFX2501],
  interpreters: [interpreter],
  analyses: [claimedNames("cli")],
  generators: [generator]
})
