/**
 * The Effect versions that generated code can be written for, and where each keeps its modules. One table for all
 * generators; nothing else knows a module path of Effect.
 */

/** `4.0.0-rc.116` still has its modules under `effect/unstable/`. */
export const TARGETS = ["4.0.0-rc.116", "4.0", "4.1"] as const
export type Target = (typeof TARGETS)[number]

/** The emit modes: `contract` the API, RPC group and client; `handlers` the layers; `all` everything. */
export const EMITS = ["contract", "handlers", "all"] as const
export type Emit = (typeof EMITS)[number]
