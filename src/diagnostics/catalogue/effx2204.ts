import { defineDiagnostic } from "../define.ts"

const source = (failure: string) => `import { Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {}) {}

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  static show() {
    return Effect.tryPromise({ try: () => Promise.resolve("hello"), catch: (cause): ${failure} })
  }
}
`

export const EFFX2204 = defineDiagnostic<{
  readonly operation: string
  readonly reason: "any" | "unknown" | "type parameter"
  /** The error channel as TypeScript prints it, shortened. */
  readonly display: string
}>({
  code: "EFFX2204",
  title: "Errors that cannot be known",
  severity: "error",
  explanation: `The error channel of the handler is \`any\`, \`unknown\` or a type parameter that nothing fixes. The handler may fail with
anything.

effx does not read that as "no errors": the set would be wrong, and the API would promise what it cannot keep.

Give the failing step a precise error. \`Effect.tryPromise\` and \`Effect.try\` take a \`catch\` function that returns one;
\`Effect.mapError\` replaces one; a generic helper takes its error as an argument.`,
  examples: [
    {
      title: "A catch function without a precise type",
      before: source("unknown => cause"),
      after: source("Unreachable => new Unreachable()")
    }
  ],
  message: ({ display, operation, reason }) =>
    reason === "type parameter"
      ? `The errors of ${operation} cannot be known, because their type is the type parameter ${display}`
      : `The errors of ${operation} cannot be known, because their type is ${reason}`,
  fix: () => "state the error type of the handler, or handle its errors"
})
