import { defineDiagnostic } from "../define.ts"

const source = (body: string) => `import { Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  static show() {
    return ${body}
  }
}
`

export const EFFX1105 = defineDiagnostic<{
  readonly operation: string
  /** The return type as TypeScript prints it, shortened. */
  readonly returned: string
}>({
  code: "EFFX1105",
  title: "Handler that does not return an Effect",
  severity: "error",
  explanation: `The handler of an operation returns something else than an \`Effect\`: a promise, a plain value, or a type that is not known.

effx infers from the returned \`Effect\` with what the operation can fail and what it requires. From another type it can infer
neither.

Return an \`Effect\`: \`Effect.succeed\` for a value, \`Effect.sync\` for a computation, \`Effect.tryPromise\` for a promise.`,
  examples: [
    { title: "A promise", before: source('Promise.resolve("hello")'), after: source('Effect.succeed("hello")') }
  ],
  message: ({ operation, returned }) => `The handler of ${operation} does not return an Effect, but ${returned}`,
  fix: () => "return an Effect, for instance with Effect.succeed or Effect.gen"
})
