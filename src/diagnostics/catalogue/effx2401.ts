import { defineDiagnostic } from "../define.ts"

const source = (method: string) => `import { Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  @Http.${method}("/greetings")
  @Http.Access({ exposure: "public" })
  static show() {
    return Effect.succeed("hello")
  }
}
`

export const EFFX2401 = defineDiagnostic<{
  readonly operation: string
  /** The HTTP method in capitals. */
  readonly method: string
}>({
  code: "EFFX2401",
  title: "Query over a writing HTTP method",
  severity: "error",
  explanation: `A query is exposed over POST, PUT, PATCH or DELETE.

A query only reads, so callers, caches and proxies may repeat it. The methods above tell them the opposite.

Expose the query over GET, or make the operation a command if it writes.`,
  examples: [{ title: "A query over PUT", before: source("Put"), after: source("Get") }],
  message: ({ method, operation }) => `${operation} is a query, but ${method} is a method that writes`,
  fix: ({ operation }) => `expose it with @Http.Get, or make ${operation} a command`
})
