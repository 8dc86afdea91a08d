import { defineDiagnostic } from "../define.ts"

const source = (requirements: string) => `import { Query, Requirements } from "@effx/runtime"
import { Context, Effect, Schema } from "effect"

export const Text = Schema.String
export class Words extends Context.Service<Words, { readonly hello: string }>()("greetings/Words") {}

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  @Requirements(${requirements})
  static show() {
    return Words.useSync((words) => words.hello)
  }
}
`

export const EFFX2302 = defineDiagnostic<{
  readonly operation: string
  /** The export name of the service. */
  readonly service: string
}>({
  code: "EFFX2302",
  title: "Undeclared requirement",
  severity: "error",
  explanation: `The handler requires a service that \`@Requirements\` does not list.

\`@Requirements\` is a promise about what an application has to provide. With a service missing from it, the promise is wrong.

Add the service to \`@Requirements\`, or provide it in the handler. Without \`@Requirements\` nothing is promised, and the
inferred services apply.`,
  examples: [{ title: "A service that the declaration forgets", before: source(""), after: source("Words") }],
  message: ({ operation, service }) => `${operation} requires ${service}, which @Requirements does not declare`
})
