import { defineDiagnostic } from "../define.ts"

const source = (keyword: string) => `import { Query } from "@effx/runtime"
import { Context, Schema } from "effect"

export const Text = Schema.String
${keyword}class Words extends Context.Service<Words, { readonly hello: string }>()("greetings/Words") {}

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  static show() {
    return Words.useSync((words) => words.hello)
  }
}
`

export const EFFX2304 = defineDiagnostic<{
  readonly operation: string
  /** The requirement as TypeScript prints it, shortened. */
  readonly requirement: string
}>({
  code: "EFFX2304",
  title: "Requirement without a stable identity",
  severity: "error",
  explanation: `The handler requires something that is not an exported service class: an interface, a service that its module does not
export, \`any\`, \`unknown\` or a type parameter.

A requirement is identified by the exported class that stands for it. Without one, neither \`@Requirements\` nor generated code
can name it.

Declare the requirement as a class that extends \`Context.Service\` and export it. Where a helper is generic in what it
requires, fix its type at the call.`,
  examples: [{ title: "A service that is not exported", before: source(""), after: source("export ") }],
  message: ({ operation, requirement }) =>
    `${operation} requires ${requirement}, which is not an exported service class`,
  fix: () => "require a class made with Context.Service that its module exports, or provide it in the handler"
})
