import { defineDiagnostic } from "../define.ts"

const source = (errors: string) => `import { Errors, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}) {}

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  @Errors(${errors})
  static show() {
    return Effect.succeed("hello")
  }
}
`

export const EFFX2202 = defineDiagnostic<{
  readonly operation: string
  /** The export name of the error. */
  readonly error: string
}>({
  code: "EFFX2202",
  title: "Declared error that cannot happen",
  severity: "error",
  explanation: `\`@Errors\` lists an error with which the handler cannot fail.

Callers would write code for a case that never comes, and the documentation of the API would be wrong.

Remove the error from \`@Errors\`. If the handler ought to fail with it, let it do so; if it is handled too early, look for
a \`catch\` that swallows it.`,
  examples: [{ title: "An error that is left over", before: source("NotFound"), after: source("") }],
  message: ({ error, operation }) => `${operation} declares ${error} in @Errors, but its handler cannot fail with it`
})
