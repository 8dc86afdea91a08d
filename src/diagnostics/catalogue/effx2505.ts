import { defineDiagnostic } from "../define.ts"

const source = (options: string) => `import { Http, Query, Rpc } from "@effx/runtime"
import { Effect, Schema } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { RpcMiddleware } from "effect/rpc"

export const Text = Schema.String
export class Bearer extends HttpApiMiddleware.Service<Bearer>()("greetings/Bearer", {
  security: { bearer: HttpApiSecurity.bearer }
}) {}
export class Guard extends RpcMiddleware.Service<Guard>()("greetings/Guard") {}

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  @Http.Get("/greetings")
  @Http.Access({ exposure: "protected", middleware: [Bearer] })
  @Rpc("Greeting.Show"${options})
  static show() {
    return Effect.succeed("hello")
  }
}
`

/** Emitted as an error under `strictAccess`. */
export const EFFX2505 = defineDiagnostic<{
  readonly operation: string
  /** The RPC name. */
  readonly rpc: string
  /** Why a guard is expected: the HTTP exposure has one, or the operation requires a capability. */
  readonly because: { readonly _tag: "Protected" } | { readonly _tag: "Authorized"; readonly capability: string }
}>({
  code: "EFFX2505",
  title: "Guarded operation with an unguarded RPC exposure",
  severity: "warning",
  policy: { _tag: "Varies", allowed: ["error"], when: "`strictAccess` is set" },
  explanation: `An operation is protected over HTTP, or declares a capability with \`@Authorize\`, but its RPC exposure names no middleware.

Whoever can reach the RPC endpoint goes around the guard.

Name a middleware in the RPC exposure, \`@Rpc("…", { middleware: [Marker] })\`, or remove the exposure. \`@Authorize\` alone
enforces nothing.`,
  examples: [
    {
      title: "A guard over HTTP only",
      before: source(""),
      after: source(", { middleware: [Guard] }")
    }
  ],
  message: ({ because, operation, rpc }) =>
    because._tag === "Protected"
      ? `${operation} is protected over HTTP, but the RPC ${rpc} has no guard`
      : `${operation} requires the capability ${because.capability}, but the RPC ${rpc} has no guard`,
  fix: ({ rpc }) => `guard it: @Rpc("${rpc}", { middleware: [...] })`
})
