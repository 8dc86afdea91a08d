/** What kind of value a symbol is for effx, told from its type's markers (Spec 0002, "Argument lowering"). */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import { type Checker, type EngineSymbol, isNever, SymbolFlags, type Type } from "./checker.ts"
import { all, chained, each, sharing } from "./wave.ts"

export type SymbolKind = "schema" | "service" | "callable" | "other"

const SCHEMA = "~effect/Schema/Schema"
const SERVICE = "~effect/Context/Service"

const hasValue = (symbol: EngineSymbol): boolean => (symbol.flags & SymbolFlags.Value) !== 0
const isObject = (type: Type): boolean => type.isObjectType() || type.isIntersectionType()

export interface Kinds {
  /** The kind of a symbol. One without a value (an interface, a type) has no kind but `other`. */
  readonly kindOf: (symbol: EngineSymbol) => Effect.Effect<SymbolKind, CompilerFault>
  /** Asks about many symbols as few steps; `kindOf` then knows all that are schemas or services. */
  readonly ahead: (symbols: Iterable<EngineSymbol>) => Effect.Effect<void, CompilerFault>
}

export const makeKinds = (checker: Checker): Kinds => ({
  kindOf: sharing((symbol: EngineSymbol) => kindOfSymbol(checker, symbol)),
  ahead: Effect.fnUntraced(function* (symbols) {
    const values = Array.from(symbols).filter(hasValue)
    yield* checker.getTypeOfSymbol.ahead(values)
    const types = (yield* each(values, (symbol) => checker.getTypeOfSymbol(symbol))).filter(isObject)
    // One step for both is worth asking schemas whether they are services.
    yield* all([checker.getPropertyOfType.ahead(types, SCHEMA), checker.getPropertyOfType.ahead(types, SERVICE)])
  })
})

const kindOfSymbol = (checker: Checker, symbol: EngineSymbol): Effect.Effect<SymbolKind, CompilerFault> => {
  if (!hasValue(symbol)) return Effect.succeed("other")
  return chained(checker.getTypeOfSymbol(symbol), (type) => {
    if (!isObject(type)) return Effect.succeed("other")
    return chained(checker.getPropertyOfType(type, SCHEMA), (schema) =>
      schema !== undefined
        ? Effect.succeed("schema")
        : chained(checker.getPropertyOfType(type, SERVICE), (service) =>
            service !== undefined ? Effect.succeed("service") : otherKind(checker, symbol, type)
          )
    )
  })
}

const otherKind = Effect.fnUntraced(function* (
  checker: Checker,
  symbol: EngineSymbol,
  type: Type
): Effect.fn.Return<SymbolKind, CompilerFault> {
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
