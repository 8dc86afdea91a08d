import { defineDiagnostic } from "../define.ts"

const source = (errors: string) => `import { Errors, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}) {}

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  @Errors(${errors})
  static show() {
    return Effect.fail(new NotFound())
  }
}
`

export const EFFX2201 = defineDiagnostic<{
  readonly operation: string
  /** The export name of the error. */
  readonly error: string
}>({
  code: "EFFX2201",
  title: "Undeclared error",
  severity: "error",
  explanation: `The handler can fail with an error that \`@Errors\` does not list.

\`@Errors\` is a promise to everyone who calls the operation. Clients that handle each declared error would meet one that they do
not know.

Add the error to \`@Errors\`, or handle it in the handler, for instance with \`Effect.catchTag\`. Without \`@Errors\` nothing is
promised, and the inferred errors apply.`,
  examples: [{ title: "An error that the declaration forgets", before: source(""), after: source("NotFound") }],
  message: ({ error, operation }) => `${operation} can fail with ${error}, which @Errors does not declare`
})
