import { defineDiagnostic } from "../define.ts"

const source = (access: string) => `import { Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"

export const Text = Schema.String
export class Bearer extends HttpApiMiddleware.Service<Bearer>()("greetings/Bearer", {
  security: { bearer: HttpApiSecurity.bearer }
}) {}
export class Counted extends HttpApiMiddleware.Service<Counted>()("greetings/Counted") {}

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  @Http.Get("/greetings")
  @Http.Access({ exposure: "protected", middleware: [${access}] })
  static show() {
    return Effect.succeed("hello")
  }
}
`

export const EFFX2503 = defineDiagnostic<{
  readonly operation: string
  /** The export name of a middleware that is no security middleware; absent when none is named. */
  readonly middleware?: string
}>({
  code: "EFFX2503",
  title: "Protected access without a security middleware",
  severity: "error",
  explanation: `\`@Http.Access\` says that the exposure is protected, but names no \`HttpApiMiddleware\` class that declares \`security\`.

Nothing would check the caller: the endpoint would be as open as a public one, while the source says otherwise.

Name the security middleware in \`middleware\`, or declare the exposure public.`,
  examples: [{ title: "A middleware that checks nobody", before: source("Counted"), after: source("Bearer") }],
  message: ({ middleware, operation }) =>
    middleware === undefined
      ? `@Http.Access of ${operation} says protected, but names no security middleware`
      : `@Http.Access of ${operation} says protected, but ${middleware} is not a security middleware`,
  fix: () => "name an exported HttpApiMiddleware class with security, or declare the exposure public"
})
