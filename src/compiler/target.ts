/**
 * The Effect versions that generated code can be written for, and where each keeps its modules. One table for all
 * generators; nothing else knows a module path of Effect.
 *
 * Every name that generated code imports from Effect is a row. The names are the same in all targets; the modules are
 * not: `4.0.0-rc.116` still has its modules under `effect/unstable/`, and there `http-api` is `httpapi`.
 */
export const TARGETS = ["4.0.0-rc.116", "4.0", "4.1"] as const
export type Target = (typeof TARGETS)[number]

/** The emit modes: `contract` the API, RPC group and client; `handlers` the layers; `all` everything. */
export const EMITS = ["contract", "handlers", "all"] as const
export type Emit = (typeof EMITS)[number]

const MODULES = {
  core: { "4.0.0-rc.116": "effect", "4.0": "effect", "4.1": "effect" },
  cli: { "4.0.0-rc.116": "effect/unstable/cli", "4.0": "effect/cli", "4.1": "effect/cli" },
  http: { "4.0.0-rc.116": "effect/unstable/http", "4.0": "effect/http", "4.1": "effect/http" },
  httpApi: { "4.0.0-rc.116": "effect/unstable/httpapi", "4.0": "effect/http-api", "4.1": "effect/http-api" },
  rpc: { "4.0.0-rc.116": "effect/unstable/rpc", "4.0": "effect/rpc", "4.1": "effect/rpc" }
} as const satisfies Record<string, Record<Target, string>>

const NAMES = {
  Console: "core",
  Effect: "core",
  Layer: "core",
  Option: "core",
  Runtime: "core",
  Schema: "core",
  Struct: "core",
  Command: "cli",
  Flag: "cli",
  HttpClient: "http",
  HttpApi: "httpApi",
  HttpApiBuilder: "httpApi",
  HttpApiClient: "httpApi",
  HttpApiEndpoint: "httpApi",
  HttpApiError: "httpApi",
  HttpApiGroup: "httpApi",
  HttpApiSchema: "httpApi",
  OpenApi: "httpApi",
  Rpc: "rpc",
  RpcClient: "rpc",
  RpcGroup: "rpc",
  RpcSerialization: "rpc",
  RpcServer: "rpc"
} as const satisfies Record<string, keyof typeof MODULES>

/** A namespace of Effect that generated code uses. */
export type EffectName = keyof typeof NAMES

export const EFFECT_NAMES = Object.keys(NAMES) as ReadonlyArray<EffectName>

/** The specifier from which `target` exports `name`. */
export const effectModule = (target: Target, name: EffectName): string => MODULES[NAMES[name]][target]
