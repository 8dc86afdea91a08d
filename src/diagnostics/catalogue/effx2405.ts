import { defineDiagnostic } from "../define.ts"

const source = (key: string) => `import { Query } from "@effx/runtime"
import { Context, Effect, Schema } from "effect"

export const Text = Schema.String
export class Words extends Context.Service<Words, { readonly hello: string }>()("greetings/Words") {}
export class Names extends Context.Service<Names, { readonly first: string }>()("greetings/${key}") {}

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  static show() {
    return Effect.gen(function* () {
      const words = yield* Words
      const names = yield* Names
      return \`\${words.hello}, \${names.first}\`
    })
  }
}
`

export const EFFX2405 = defineDiagnostic<{
  readonly key: string
  /** The export names of the two service classes. */
  readonly service: string
  readonly other: string
}>({
  code: "EFFX2405",
  title: "Two services share one key",
  severity: "error",
  explanation: `Two service classes have the same key string. At run time a service is found by its key alone.

Where both are provided, one replaces the other, and a handler gets an object of the wrong type. TypeScript cannot see it.

Give each service class a key of its own, by convention the package's name, a slash and the class's name.`,
  examples: [{ title: "A copied key", before: source("Words"), after: source("Names") }],
  message: ({ key, other, service }) => `The services ${service} and ${other} share the key ${key}`,
  fix: ({ service }) => `give ${service} a key of its own`
})
