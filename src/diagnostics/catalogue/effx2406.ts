import { defineDiagnostic } from "../define.ts"

const source = (schema: string, times: string) => `import { Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String
export const ShowGreeting = Schema.Struct({ times: ${schema} })

export class Greetings {
  @Query({ name: "Greeting.Show", input: ShowGreeting, success: Text })
  @Http.Get("/greetings")
  @Http.Access({ exposure: "public" })
  static show(input: typeof ShowGreeting.Type) {
    return Effect.succeed("hello ".repeat(${times}))
  }
}
`

export const EFFX2406 = defineDiagnostic<{
  readonly operation: string
  readonly field: string
  readonly place: "path" | "query"
  /** What the field is, with its article: `an object`. */
  readonly encoded: string
}>({
  code: "EFFX2406",
  title: "Field that a URL cannot carry",
  severity: "error",
  explanation: `A field of the input travels in the path or in the query of the URL, but its schema has a form that no text of a URL
carries. In the path, a field is a string, a number, a boolean, a literal, null or a union of these; in the query it may
also be a list of them. An object, a list of lists or a value that may be missing in the path has no such text.

The server would refuse every request, because what it receives is not what the schema expects.

Flatten the field, make it text with a schema that encodes to a string (for instance \`Schema.fromJsonString(…)\`), or
expose the operation over a method with a payload.`,
  examples: [
    {
      title: "An object in the query",
      before: source("Schema.Struct({ count: Schema.Finite })", "input.times.count"),
      after: source("Schema.Finite", "input.times")
    }
  ],
  message: ({ encoded, field, operation, place }) =>
    `The ${place} field ${field} of ${operation} is ${encoded}, which a URL cannot carry`,
  fix: ({ field }) => `flatten ${field}, encode it as text with Schema.fromJsonString, or use a method with a payload`
})
