import { defineDiagnostic } from "../define.ts"

const source = (annotations: string) => `import { Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}${annotations}) {}

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  @Http.Get("/greetings")
  @Http.Access({ exposure: "public" })
  static show() {
    return Effect.fail(new NotFound())
  }
}
`

export const EFFX2404 = defineDiagnostic<{
  readonly operation: string
  /** The export name of the error. */
  readonly error: string
}>({
  code: "EFFX2404",
  title: "Error without an HTTP status",
  severity: "warning",
  explanation: `An operation that is exposed over HTTP can fail with an error whose schema states no status. The server would answer 500, as
if it had crashed.

Clients and monitoring treat 500 as a defect of the server. A declared error is an expected answer.

State the status in the error's schema with the annotation \`httpApiStatus\`, or answer problem documents with
\`@Http.Problems\`.`,
  examples: [{ title: "A tagged error", before: source(""), after: source(", { httpApiStatus: 404 }") }],
  message: ({ error, operation }) =>
    `${operation} can fail with ${error}, which states no HTTP status and would be answered with 500`,
  fix: ({ error }) => `give ${error} an httpApiStatus, or map it with @Http.Problems`
})
