/**
 * Whether every value of one shape is a value of another.
 *
 * Sound but not complete: `true` is always right, `false` may mean that it could not be shown (two patterns, for
 * instance, are compared by their text). Recursive shapes are compared coinductively. Additional fields of an object are
 * ignored, as decoding ignores them.
 */
import { canonicalJson, type Shape } from "@effx/ir"
import { type FactsOf, resolve } from "./resolve.ts"

type Text = Extract<Shape, { readonly _tag: "String" }>
type Numeric = Extract<Shape, { readonly _tag: "Number" }>

const textWithin = (a: Text, b: Text): boolean =>
  (b.format === undefined || a.format === b.format) &&
  (b.pattern === undefined || a.pattern === b.pattern) &&
  (a.minLength ?? 0) >= (b.minLength ?? 0) &&
  (a.maxLength ?? Number.POSITIVE_INFINITY) <= (b.maxLength ?? Number.POSITIVE_INFINITY)

/** A lower bound as a pair that compares in order: an exclusive bound is above an inclusive one of the same value. */
const lower = ({ exclusiveMinimum = Number.NEGATIVE_INFINITY, minimum = Number.NEGATIVE_INFINITY }: Numeric) =>
  exclusiveMinimum >= minimum ? ([exclusiveMinimum, 1] as const) : ([minimum, 0] as const)

const upper = ({ exclusiveMaximum, maximum }: Numeric) =>
  lower({
    _tag: "Number",
    ...(exclusiveMaximum === undefined ? {} : { exclusiveMinimum: -exclusiveMaximum }),
    ...(maximum === undefined ? {} : { minimum: -maximum })
  })

const atLeast = (a: readonly [number, number], b: readonly [number, number]): boolean =>
  a[0] > b[0] || (a[0] === b[0] && (a[1] >= b[1] || a[0] === Number.NEGATIVE_INFINITY))

const numberWithin = (a: Numeric, b: Numeric): boolean =>
  (b.integer !== true || a.integer === true) && atLeast(lower(a), lower(b)) && atLeast(upper(a), upper(b))

const literalWithin = (value: string | number | boolean | null, b: Shape): boolean => {
  switch (b._tag) {
    case "Literal":
      return b.value === value
    case "Boolean":
      return typeof value === "boolean"
    case "String":
      return (
        typeof value === "string" && textWithin({ _tag: "String", minLength: value.length, maxLength: value.length }, b)
      )
    case "Number":
      return (
        typeof value === "number" &&
        numberWithin({ _tag: "Number", integer: Number.isInteger(value), minimum: value, maximum: value }, b)
      )
    default:
      return false
  }
}

/**
 * Makes the comparison of a shape `a` of one IR with a shape `b` of another: whether `a` is within `b`.
 *
 * @param factsOfA what is known about the schemas that `a` refers to
 * @param factsOfB what is known about the schemas that `b` refers to
 */
export const within = (factsOfA: FactsOf, factsOfB: FactsOf): ((a: Shape, b: Shape) => boolean) => {
  const assumed = new Set<string>()

  const compare = (unresolvedA: Shape, unresolvedB: Shape): boolean => {
    const recursive = unresolvedA._tag === "Ref" || unresolvedB._tag === "Ref"
    if (!recursive) return compareResolved(unresolvedA, unresolvedB)
    const pair = `${canonicalJson(unresolvedA)} ${canonicalJson(unresolvedB)}`
    if (assumed.has(pair)) return true
    assumed.add(pair)
    const result = compareResolved(resolve(unresolvedA, factsOfA), resolve(unresolvedB, factsOfB))
    assumed.delete(pair)
    return result
  }

  const compareResolved = (a: Shape, b: Shape): boolean => {
    if (a._tag === "Never" || b._tag === "Any") return true
    if (a._tag === "Union") return a.members.every((member) => compare(member, b))
    if (a._tag === "Boolean" && b._tag === "Union") {
      return (
        b.members.some((member) => compare(a, member)) ||
        [true, false].every((value) => compare({ _tag: "Literal", value }, b))
      )
    }
    if (b._tag === "Union") return b.members.some((member) => compare(a, member))
    switch (a._tag) {
      case "Literal":
        return literalWithin(a.value, b)
      case "String":
        return b._tag === "String" && textWithin(a, b)
      case "Number":
        return b._tag === "Number" && numberWithin(a, b)
      case "Array":
        return b._tag === "Array" && compare(a.items, b.items)
      case "Tuple":
        if (b._tag === "Array") return [...a.items, ...(a.rest ? [a.rest] : [])].every((item) => compare(item, b.items))
        return (
          b._tag === "Tuple" &&
          a.items.length === b.items.length &&
          a.items.every((item, index) => compare(item, b.items[index] ?? { _tag: "Never" })) &&
          (a.rest === undefined || (b.rest !== undefined && compare(a.rest, b.rest)))
        )
      case "Record":
        return b._tag === "Record" && compare(a.values, b.values)
      case "Object": {
        if (b._tag === "Record") return a.fields.every(({ shape }) => compare(shape, b.values))
        if (b._tag !== "Object") return false
        const fields = new Map(a.fields.map((field) => [field.name, field]))
        return b.fields.every(({ name, optional, shape }) => {
          const field = fields.get(name)
          if (field === undefined) return optional
          return (optional || !field.optional) && compare(field.shape, shape)
        })
      }
      case "Ref":
        return b._tag === "Ref" && a.id === b.id
      default:
        return a._tag === b._tag
    }
  }

  return compare
}
