import { defineDiagnostic } from "../define.ts"

const source = (name: string) => `import { Operation } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String
export const Count = Schema.Finite

export const first = Operation.query({ name: "Greeting.Show", success: Text }).handler(() => Effect.succeed("hello"))
export const second = Operation.query({ name: "${name}", success: Count }).handler(() => Effect.succeed(1))
`

export const EFFX1001 = defineDiagnostic<{
  /** What the two things are, in the singular: `operation`, `service`, `model`, … */
  readonly kind: string
  readonly name: string
}>({
  code: "EFFX1001",
  title: "Two declarations claim one identity",
  severity: "error",
  explanation: `Two declarations have the same name and kind but different content. An operation is identified by its \`name\` (or by
\`Class.method\`, or by the constant's name), a service and a model by their export name.

Everything that effx generates refers to declarations by identity, so one identity can only mean one thing. Two identical
declarations are one and are not reported.

Rename one of the two. For operations, the \`name\` option is enough.`,
  examples: [{ title: "Two operations of one name", before: source("Greeting.Show"), after: source("Greeting.Count") }],
  message: ({ kind, name }) => `Two declarations of the ${kind} ${name} differ`,
  fix: ({ kind }) => `give one of them another name, or remove one ${kind}`
})
