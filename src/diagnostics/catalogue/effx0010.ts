import { defineDiagnostic } from "../define.ts"
import type { Severity } from "../diagnostic.ts"

/** Which rule of the registry an extension broke. */
export type ContractBreach =
  /** Two extensions, or an extension and effx, register one code. */
  | { readonly _tag: "DuplicateCode"; readonly code: string; readonly other: string }
  /** The extension registers or emits a code that belongs to someone else. */
  | { readonly _tag: "ForeignCode"; readonly code: string; readonly owner: string }
  /** The extension emits a code that nobody registered. */
  | { readonly _tag: "UnregisteredCode"; readonly code: string }
  /** The extension emits a code with a severity that its entry does not allow. */
  | { readonly _tag: "WrongSeverity"; readonly code: string; readonly severity: Severity }
  /** Only extensions of effx itself have no package. */
  | { readonly _tag: "NoPackage" }
  /** An entry is malformed, for instance without an example; `problem` is a clause. */
  | { readonly _tag: "InvalidEntry"; readonly code: string; readonly problem: string }

const breach = (params: ContractBreach): string => {
  switch (params._tag) {
    case "DuplicateCode":
      return `registers ${params.code}, which ${params.other} registers too`
    case "ForeignCode":
      return `uses ${params.code}, which belongs to ${params.owner}`
    case "UnregisteredCode":
      return `reports ${params.code}, which it does not register`
    case "WrongSeverity":
      return `reports ${params.code} as ${params.severity}, which its registration does not allow`
    case "NoPackage":
      return "does not name the npm package that owns it"
    case "InvalidEntry":
      return `registers ${params.code} with an invalid entry: ${params.problem}`
  }
}

const source = (code: string) => `import { defineExtension } from "@effx/compiler"
import { definePackageDiagnostic } from "@effx/diagnostics"

export const missingReason = definePackageDiagnostic<{ operation: string }>("effx-audit", {
  code: "${code}",
  title: "Missing reason",
  severity: "error",
  explanation: "An audited operation gives a reason.",
  examples: [{ title: "A reason", before: '@Annotate("audit")', after: '@Annotate("audit", "law")' }],
  message: ({ operation }) => \`\${operation} is audited without a reason\`
})

export default defineExtension({
  name: "audit",
  package: "effx-audit",
  diagnostics: [missingReason],
  interpreters: [],
  analyses: [],
  generators: []
})
`

export const EFFX0010 = defineDiagnostic<{ readonly extension: string } & ContractBreach>({
  code: "EFFX0010",
  title: "An extension breaks the registry's contract",
  severity: "error",
  explanation: `Every code has one owner, one meaning and one set of allowed severities, and \`effx explain\` can show each of them. An
extension broke that: it registers a code twice or a code of someone else, reports a code that it never registered, or
reports one with a severity that its registration does not allow.

Nothing is generated, because a result that was checked by an extension with a broken contract cannot be trusted.

The mistake is in the extension. Update it, remove it from the configuration, or tell its author. If you are its author:
codes are \`EFFX[<your npm package>]/<four digits>\`, made with \`definePackageDiagnostic\`, listed in the extension's
\`diagnostics\`, and emitted only through the entry's \`make\`.`,
  examples: [
    {
      title: "A package code has exactly four digits",
      file: "audit.ts",
      before: source("MISSING"),
      after: source("0001")
    }
  ],
  message: (params) => `The extension ${params.extension} ${breach(params)}`,
  fix: ({ extension }) => `update ${extension}, or take it out of the configuration`
})
