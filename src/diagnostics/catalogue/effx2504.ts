import { defineDiagnostic } from "../define.ts"

const source = (access: string) => `import { Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  @Http.Get("/greetings")
${access}  static show() {
    return Effect.succeed("hello")
  }
}
`

/** Emitted as an error under `strictAccess`. */
export const EFFX2504 = defineDiagnostic<{
  readonly operation: string
  readonly method: string
  readonly path: string
}>({
  code: "EFFX2504",
  title: "HTTP exposure without an access declaration",
  severity: "warning",
  policy: { _tag: "Varies", allowed: ["error"], when: "`strictAccess` is set" },
  explanation: `An operation is exposed over HTTP, but does not say who may call it. It is served without a guard.

An open endpoint ought to be a decision and not something that was forgotten.

Add \`@Http.Access({ exposure: "public" })\`, or \`@Http.Access({ exposure: "protected", middleware: [Marker] })\` with an
exported security middleware.`,
  examples: [
    {
      title: "An open endpoint by decision",
      before: source(""),
      after: source('  @Http.Access({ exposure: "public" })\n')
    }
  ],
  message: ({ method, operation, path }) =>
    `${operation} is exposed as ${method} ${path}, but does not declare who may call it`,
  fix: () => `add @Http.Access({ exposure: "public" }) or protect it with middleware`
})
