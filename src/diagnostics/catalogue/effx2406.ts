import { defineDiagnostic } from "../define.ts"

const source = (schema: string) => `import { Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String
export const ShowGreeting = Schema.Struct({ times: ${schema} })

export class Greetings {
  @Query({ name: "Greeting.Show", input: ShowGreeting, success: Text })
  @Http.Get("/greetings")
  @Http.Access({ exposure: "public" })
  static show(input: typeof ShowGreeting.Type) {
    return Effect.succeed("hello ".repeat(input.times))
  }
}
`

export const EFFX2406 = defineDiagnostic<{
  readonly operation: string
  readonly field: string
  readonly place: "path" | "query"
  /** What the field is encoded as, with its article: `a number`, `an object`. */
  readonly encoded: string
}>({
  code: "EFFX2406",
  title: "Field that a URL cannot carry",
  severity: "error",
  explanation: `A field of the input travels in the path or in the query of the URL, but its schema does not encode to a string (in the query:
to a string or an array of strings).

A URL consists of text. The server would refuse every request, because the text that it receives is not what the schema
expects.

Use a schema that encodes to a string, for instance \`Schema.FiniteFromString\` for a number, or expose the operation over a
method with a payload.`,
  examples: [
    { title: "A number in the query", before: source("Schema.Finite"), after: source("Schema.FiniteFromString") }
  ],
  message: ({ encoded, field, operation, place }) =>
    `The ${place} field ${field} of ${operation} is encoded as ${encoded}, but a URL carries strings only`
})
