import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { RpcMiddleware } from "effect/rpc"

export class Refused extends Schema.TaggedError<Refused>()("Refused", {}, { httpApiStatus: 401 }) {}

/** Lets in who knows the word. */
export class Guard extends HttpApiMiddleware.Service<Guard>()("shop/Guard", {
  error: Refused,
  security: { bearer: HttpApiSecurity.bearer }
}) {
  static readonly layer = Layer.succeed(Guard, {
    bearer: (effect, { credential }) => (Redacted.value(credential) === "sesame" ? effect : Effect.fail(new Refused()))
  })
}

export class RpcGuard extends RpcMiddleware.Service<RpcGuard>()("shop/RpcGuard", { error: Refused }) {
  static readonly layer = Layer.succeed(RpcGuard, (effect, { headers }) =>
    headers.authorization === "Bearer sesame" ? effect : Effect.fail(new Refused())
  )
}
