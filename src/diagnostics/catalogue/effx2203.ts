import { defineDiagnostic } from "../define.ts"

const source = (failure: string) => `import { Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {}) {}

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  static show() {
    return Effect.fail(${failure})
  }
}
`

export const EFFX2203 = defineDiagnostic<{
  readonly operation: string
  /** The error type as TypeScript prints it, shortened. */
  readonly error: string
  /** The `_tag` of an error of Effect's own, which no author can turn into a schema. */
  readonly tag?: string
}>({
  code: "EFFX2203",
  title: "Error without a schema",
  severity: "error",
  explanation: `The handler can fail with a type that is not an exported schema: a plain \`Error\`, a string, an interface, or a schema class
that its module does not export.

An error that leaves the program has to be encoded, and only a schema says how.

Turn it into a \`Schema.TaggedError\` that a module exports, or handle it in the handler. Note that TypeScript joins a
\`Schema.TaggedError\` and a plain \`Error\` in one \`Effect.gen\` to \`Error\`: one plain error hides all the others.`,
  examples: [
    { title: "A plain Error", before: source('new Error("unreachable")'), after: source("new Unreachable()") }
  ],
  message: ({ error, operation }) => `${operation} can fail with ${error}, which is not an exported schema`,
  fix: ({ error, tag }) =>
    tag === undefined
      ? `fail with an exported Schema.TaggedError instead of ${error}, or handle it in the handler`
      : `handle it in the handler with Effect.catchTag("${tag}", …), or turn it there into an exported Schema.TaggedError`
})
