import { defineDiagnostic } from "../define.ts"

const source = (codes: string) => `import { Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}) {}

export const problems = (identifier: string, codes: ReadonlyArray<string>) =>
  codes.map((code) => Schema.Struct({ type: Schema.Literal(code) }).annotate({ identifier: \`\${identifier}.\${code}\` }))

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  @Http.Get("/greetings")
  @Http.Access({ exposure: "public" })
  @Http.Problems({ registry: problems, codes: [${codes}], map: { NotFound: "not-found" } })
  static show() {
    return Effect.fail(new NotFound())
  }
}
`

export const EFFX2206 = defineDiagnostic<{
  readonly operation: string
  /** The export name of the error, as \`map\` writes it. */
  readonly error: string
  readonly code: string
}>({
  code: "EFFX2206",
  title: "Problem code that is not listed",
  severity: "error",
  explanation: `The \`map\` of \`@Http.Problems\` takes an error to a code that \`codes\` does not list.

The registry makes one response for each listed code, so there is no response for this one.

Add the code to \`codes\`, or map the error to one of the listed codes.`,
  examples: [{ title: "A misspelt code", before: source('"notfound"'), after: source('"not-found"') }],
  message: ({ code, error, operation }) =>
    `@Http.Problems of ${operation} maps ${error} to ${code}, which its codes do not list`,
  fix: ({ code }) => `add ${code} to codes, or map to one that is listed`
})
