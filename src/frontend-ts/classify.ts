/** What kind of value a symbol is for effx, told from its type's markers (Spec 0002, "Argument lowering"). */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import { type Checker, type EngineSymbol, isNever, SymbolFlags } from "./checker.ts"
import { all, sharing } from "./wave.ts"

export type SymbolKind = "schema" | "service" | "callable" | "other"

/** Tells kinds, each symbol's once. */
export const makeKinds = (checker: Checker): ((symbol: EngineSymbol) => Effect.Effect<SymbolKind, CompilerFault>) =>
  sharing((symbol: EngineSymbol) => kindOfSymbol(checker, symbol))

/** A symbol without a value (an interface, a type) has no kind but `other`. */
const kindOfSymbol = Effect.fnUntraced(function* (
  checker: Checker,
  symbol: EngineSymbol
): Effect.fn.Return<SymbolKind, CompilerFault> {
  if ((symbol.flags & SymbolFlags.Value) === 0) return "other"
  const type = yield* checker.getTypeOfSymbol(symbol)
  if (!type.isObjectType() && !type.isIntersectionType()) return "other"
  const [schema, service] = yield* all([
    checker.getPropertyOfType(type, "~effect/Schema/Schema"),
    checker.getPropertyOfType(type, "~effect/Context/Service")
  ])
  if (schema !== undefined) return "schema"
  if (service !== undefined) return "service"
  const [key, marker] = yield* all([
    checker.getPropertyOfType(type, "key"),
    checker.getPropertyOfType(type, "~effect/Context/Key")
  ])
  if (key !== undefined && marker !== undefined) return "service"
  if ((symbol.flags & (SymbolFlags.Function | SymbolFlags.Class)) !== 0) return "callable"
  return (yield* checker.getCallSignatures(type)).length > 0 ? "callable" : "other"
})

/** The marker of `HttpApiMiddleware` classes in Effect 4.0 and later, and before. */
const MIDDLEWARE_MARKERS = ["~effect/http-api/HttpApiMiddleware", "~effect/httpapi/HttpApiMiddleware"]

/**
 * Whether an HTTP middleware class declares `security`; undefined for every other symbol. Effect types the property of a
 * class without it as `never`.
 */
export const securityOf = Effect.fnUntraced(function* (
  checker: Checker,
  symbol: EngineSymbol
): Effect.fn.Return<boolean | undefined, CompilerFault> {
  const type = yield* checker.getTypeOfSymbol(symbol)
  const [security, ...markers] = yield* all([
    checker.getPropertyOfType(type, "security"),
    ...MIDDLEWARE_MARKERS.map((marker) => checker.getPropertyOfType(type, marker))
  ])
  if (markers.every((marker) => marker === undefined)) return undefined
  if (security === undefined) return false
  return !isNever(yield* checker.getTypeOfSymbol(security))
})
