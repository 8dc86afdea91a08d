import { defineDiagnostic } from "../define.ts"

export const EFFX0003 = defineDiagnostic<{
  /** The selected tsconfig, as the reader knows it. */
  readonly project: string
  /** How many files it selects. */
  readonly files: number
}>({
  code: "EFFX0003",
  title: "No declaration found",
  severity: "warning",
  explanation: `The selected project has source files, but none of them declares an operation or a model with \`@effx/runtime\`.

A run that finds nothing would otherwise look like a run in which everything is right. The usual reasons are a tsconfig
that does not include the folder with the operations, another tsconfig than the one you mean, and decorators that come
from another package than \`@effx/runtime\`.

Check \`include\` and \`files\` of the tsconfig, select another one with \`--project\`, or declare an operation.`,
  examples: [
    {
      title: "A plain function is not an operation",
      before: `import { Effect } from "effect"

export const ping = () => Effect.succeed("pong")
`,
      after: `import { Operation } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Pong = Schema.String

export const ping = Operation.query({ name: "Ping", success: Pong }).handler(() => Effect.succeed("pong"))
`
    }
  ],
  message: ({ files, project }) =>
    `${project} selects ${files === 1 ? "one file, but it declares no operation and no model" : `${files} files, but none of them declares an operation or a model`}`,
  fix: ({ project }) => `annotate an operation, or let ${project} include the files that declare some`
})
