import { defineDiagnostic } from "../define.ts"

const source = (requirements: string) => `import { Query, Requirements } from "@effx/runtime"
import { Context, Effect, Schema } from "effect"

export const Text = Schema.String
export class Words extends Context.Service<Words, { readonly hello: string }>()("greetings/Words") {}

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  @Requirements(${requirements})
  static show() {
    return Effect.succeed("hello")
  }
}
`

export const EFFX2303 = defineDiagnostic<{
  readonly operation: string
  /** The export name of the service. */
  readonly service: string
}>({
  code: "EFFX2303",
  title: "Declared requirement that is not used",
  severity: "error",
  explanation: `\`@Requirements\` lists a service that the handler does not require.

Applications would provide, and tests would replace, a service that the operation never asks for.

Remove the service from \`@Requirements\`. If the handler ought to use it, check whether it is provided inside of it already.`,
  examples: [{ title: "A service that is left over", before: source("Words"), after: source("") }],
  message: ({ operation, service }) =>
    `${operation} declares ${service} in @Requirements, but its handler does not require it`
})
