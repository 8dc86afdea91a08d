import { defineDiagnostic } from "../define.ts"

const source = (map: string) => `import { Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}) {}
export class Gone extends Schema.TaggedError<Gone>()("Gone", {}) {}

export const problems = (identifier: string, codes: ReadonlyArray<string>) =>
  codes.map((code) => Schema.Struct({ type: Schema.Literal(code) }).annotate({ identifier: \`\${identifier}.\${code}\` }))

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  @Http.Get("/greetings")
  @Http.Access({ exposure: "public" })
  @Http.Problems({ registry: problems, codes: ["not-found", "gone"], map: { ${map} } })
  static show() {
    return Math.random() < 0.5 ? Effect.fail(new NotFound()) : Effect.fail(new Gone())
  }
}
`

export const EFFX2205 = defineDiagnostic<{
  readonly operation: string
  /** The export name of the error. */
  readonly error: string
}>({
  code: "EFFX2205",
  title: "Error without a problem code",
  severity: "error",
  explanation: `The operation answers errors over HTTP as problem documents (RFC 9457), but its \`map\` gives no code to one of the errors
with which the handler can fail.

The server would not know which problem to answer.

Add the error's export name to \`map\` with one of the listed codes, or handle the error in the handler.`,
  examples: [
    {
      title: "One of two errors is not mapped",
      before: source('NotFound: "not-found"'),
      after: source('NotFound: "not-found", Gone: "gone"')
    }
  ],
  message: ({ error, operation }) =>
    `${operation} can fail with ${error}, to which @Http.Problems gives no problem code`,
  fix: ({ error }) => `map ${error} to one of the codes`
})
