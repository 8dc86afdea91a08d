import { defineDiagnostic } from "../define.ts"

const source = (guard: string) => `import { defineExtension } from "@effx/compiler"

export default defineExtension({
  name: "audit",
  package: "effx-audit",
  diagnostics: [],
  interpreters: [
    {
      annotation: "audit",
      interpret: ({ annotation }) => {
        const reason = annotation.args[1]
        ${guard}
        return {}
      }
    }
  ],
  analyses: [],
  generators: []
})
`

export const EFFX0011 = defineDiagnostic<{
  readonly extension: string
  /** Which callback: `the interpreter of audit`, `the analysis access`, `the generator http`. */
  readonly callback: string
  /** `threw`: it did not return; `returned`: what it returned is not what the contract asks for. */
  readonly outcome: "threw" | "returned"
  /** The thrown message on one line, or what is wrong with the returned value. */
  readonly problem: string
}>({
  code: "EFFX0011",
  title: "An extension failed",
  severity: "error",
  explanation: `An extension threw, or returned something that is not what its contract asks for. effx checks everything that an
extension returns, so a mistake in one is a finding and not a crash.

Nothing is generated, because the extension's part of the result is missing.

The mistake is in the extension, not in your source. Update it, remove it from the configuration, or tell its author. If
you are its author: report a user's mistake as a diagnostic of your own, and never throw.`,
  examples: [
    {
      title: "An interpreter that throws on bad input",
      file: "audit.ts",
      before: source('if (typeof reason !== "string") throw new Error("no reason")'),
      after: source('if (typeof reason !== "string") return { diagnostics: [] }')
    }
  ],
  message: ({ callback, extension, outcome, problem }) =>
    outcome === "threw"
      ? `The extension ${extension} failed in ${callback}: ${problem}`
      : `The extension ${extension} returned an invalid value from ${callback}: ${problem}`,
  fix: ({ extension }) => `update ${extension}, or take it out of the configuration`
})
