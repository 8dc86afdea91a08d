/**
 * From an ordinary type to its form as JSON: the fallback for schemas that say no more than what they encode to.
 *
 * Objects that a platform or a library declares as classes or interfaces (`Date`, `Map`, `URL`) have no JSON form that their
 * type tells, nor have functions: they are `Any`.
 */
import type { CompilerFault } from "@effx/compiler"
import type { Shape } from "@effx/ir"
import { Effect } from "effect"
import { ElementFlags, type TupleType } from "typescript/async"
import { type Checker, isReference, SymbolFlags, type Type, TypeFlags } from "../checker.ts"
import { all, each } from "../wave.ts"
import type { PlainForm } from "./form.ts"
import { literalOf } from "./schema-form.ts"

const LIBRARY = /\/lib\.[^/]*\.d\.ts$|\/node_modules\//
const ARRAYS = new Set(["Array", "ReadonlyArray"])

const known = (shape: Shape): PlainForm => ({ _tag: "Known", shape })
const ANYTHING = known({ _tag: "Any" })

const INTRINSIC: ReadonlyArray<readonly [TypeFlags, Shape]> = [
  [TypeFlags.Any | TypeFlags.Unknown, { _tag: "Any" }],
  [TypeFlags.Never, { _tag: "Never" }],
  [TypeFlags.Void | TypeFlags.Undefined, { _tag: "Void" }],
  [TypeFlags.Boolean, { _tag: "Boolean" }],
  [TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping, { _tag: "String" }],
  [TypeFlags.Number, { _tag: "Number" }],
  [TypeFlags.BigInt, { _tag: "String", pattern: "^-?\\d+$" }]
]

const tuple = Effect.fnUntraced(function* (checker: Checker, type: Type): Effect.fn.Return<PlainForm, CompilerFault> {
  if (!isReference(type)) return ANYTHING
  const [items, target] = yield* all([checker.getTypeArguments(type), checker.getTarget(type)])
  const flags = (target as TupleType).elementFlags
  const rest = flags.findIndex((flag) => (flag & (ElementFlags.Rest | ElementFlags.Variadic)) !== 0)
  const fixed = rest === -1 ? items : items.slice(0, rest)
  const required = flags.filter((flag, index) => index < fixed.length && (flag & ElementFlags.Required) !== 0).length
  const more = rest === -1 ? undefined : items[rest]
  return { _tag: "Tuple", items: fixed, required, ...(more === undefined ? {} : { rest: more }) }
})

const object = Effect.fnUntraced(function* (checker: Checker, type: Type): Effect.fn.Return<PlainForm, CompilerFault> {
  const [properties, signatures, indices] = yield* all([
    checker.getPropertiesOfType(type),
    checker.getCallSignatures(type),
    checker.getIndexInfos(type)
  ])
  if (signatures.length > 0) return ANYTHING
  const [index] = indices
  if (properties.length === 0) return index === undefined ? ANYTHING : { _tag: "Record", values: index.valueType }
  const fields = yield* each(properties, (property) =>
    Effect.map(checker.getTypeOfSymbol(property), (of) => ({
      name: property.name,
      type: of,
      optional: (property.flags & SymbolFlags.Optional) !== 0
    }))
  )
  return { _tag: "Object", fields }
})

/** Reads the form of a type. */
export const plainForm = Effect.fnUntraced(function* (
  checker: Checker,
  type: Type
): Effect.fn.Return<PlainForm, CompilerFault> {
  const literal = literalOf(type)
  if (literal !== undefined) return known({ _tag: "Literal", value: literal })
  for (const [flags, shape] of INTRINSIC) if ((type.flags & flags) !== 0) return known(shape)
  if (type.isUnionType()) return { _tag: "Union", members: yield* checker.membersOf(type) }
  if (type.isIntersectionType()) {
    const parts = yield* checker.partsOf(type)
    // A brand adds nothing to what is carried.
    const carrier = parts.find((part) => INTRINSIC.some(([flags]) => (part.flags & flags) !== 0))
    return carrier === undefined ? yield* object(checker, type) : yield* plainForm(checker, carrier)
  }
  if (!type.isObjectType()) return ANYTHING
  const [symbol, isTuple] = yield* all([checker.getSymbolOfType(type), checker.isTupleType(type)])
  if (isTuple) return yield* tuple(checker, type)
  if (symbol?.declarations.some((declaration) => LIBRARY.test(declaration.path))) {
    if (ARRAYS.has(symbol.name) && isReference(type)) {
      const [items] = yield* checker.getTypeArguments(type)
      return items === undefined ? ANYTHING : { _tag: "Array", items }
    }
    if ((symbol.flags & (SymbolFlags.Class | SymbolFlags.Interface)) !== 0) return ANYTHING
  }
  return yield* object(checker, type)
})
