import { defineDiagnostic } from "../define.ts"

/** What is wrong with a public identifier; schemas are export names. */
export type IdentifierProblem =
  | { readonly _tag: "Clash"; readonly identifier: string; readonly schema: string; readonly other: string }
  | { readonly _tag: "Recursive"; readonly schema: string }
  /** A part of `schema` refers to itself, and nobody can import that part. */
  | { readonly _tag: "Hidden"; readonly schema: string }

const source = (identifier: string) => `import { Operation } from "@effx/runtime"
import { Effect, Schema } from "effect"

export class Short extends Schema.Class<Short>("Greeting")({ text: Schema.String }) {}
export class Long extends Schema.Class<Long>("${identifier}")({ text: Schema.String, language: Schema.String }) {}

export const short = Operation.query({ name: "Greeting.Short", success: Short })
  .http.get("/short")
  .http.access({ exposure: "public" })
  .handler(() => Effect.succeed(new Short({ text: "hi" })))

export const long = Operation.query({ name: "Greeting.Long", success: Long })
  .http.get("/long")
  .http.access({ exposure: "public" })
  .handler(() => Effect.succeed(new Long({ text: "hello", language: "en" })))
`

const FIXES: Readonly<Record<IdentifierProblem["_tag"], string>> = {
  Clash: "give one of them another identifier",
  Recursive: "annotate it with an identifier",
  Hidden: "export the recursive schema and annotate it with an identifier"
}

export const EFFX2403 = defineDiagnostic<IdentifierProblem>({
  code: "EFFX2403",
  title: "Public identifier that is ambiguous or missing",
  severity: "error",
  explanation: `Two exposed schemas have one public identifier but different shapes, or a recursive schema has no identifier. The identifier
is the argument of \`Schema.Class\` or the \`identifier\` annotation.

An API description has one definition for each identifier, so one of the two would silently replace the other. A recursive
schema can only be described by referring to itself by name, so it is exported and has an identifier.

Give each schema an identifier of its own, with the argument of \`Schema.Class\` or with
\`.annotate({ identifier: "…" })\`.`,
  examples: [{ title: "Two classes of one name", before: source("Greeting"), after: source("LongGreeting") }],
  message: (params) => {
    switch (params._tag) {
      case "Clash":
        return `The schemas ${params.schema} and ${params.other} both claim the public identifier ${params.identifier}, but differ in shape`
      case "Recursive":
        return `The schema ${params.schema} is recursive, but has no public identifier`
      case "Hidden":
        return `The schema ${params.schema} contains a recursive schema that is not exported, so nothing can describe it by name`
    }
  },
  fix: ({ _tag }) => FIXES[_tag]
})
