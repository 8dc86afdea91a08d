/**
 * Bounds that a schema states with Effect's filters (`Schema.isMinLength(3)`), applied to the shape of what they filter.
 *
 * A filter whose arguments are not static, or that JSON Schema has no word for, leaves the shape as it is. Names differ
 * between versions of Effect; all that were ever published are here. `minLength` and `maxLength` are what the author wrote:
 * Effect counts UTF-16 code units.
 */
import type { Shape } from "@effx/ir"
import { staticProperty as property, type StaticRegExp, type StaticValue } from "./static-value.ts"

/** A filter as written: its name and its static arguments (`undefined` where an argument is not static). */
export interface Check {
  readonly name: string
  readonly args: ReadonlyArray<StaticValue | undefined>
}

type StringShape = Extract<Shape, { readonly _tag: "String" }>
type NumberShape = Extract<Shape, { readonly _tag: "Number" }>
type Mutable<A> = { -readonly [K in keyof A]: A[K] }

const number = (value: StaticValue | undefined): number | undefined => (typeof value === "number" ? value : undefined)
const text = (value: StaticValue | undefined): string | undefined => (typeof value === "string" ? value : undefined)
const isRegExp = (value: StaticValue | undefined): value is StaticRegExp =>
  typeof value === "object" && value !== null && "_tag" in value && value._tag === "RegExp"

const escape = (source: string): string => source.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
const highest = (a: number | undefined, b: number): number => (a === undefined ? b : Math.max(a, b))
const lowest = (a: number | undefined, b: number): number => (a === undefined ? b : Math.min(a, b))

const UUID =
  "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|[fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12})$"
const uuid = (version: number | undefined): string =>
  version === undefined
    ? UUID
    : `^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-${version}[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12})$`

/** The regular expression of a string filter, where JSON Schema can say it. */
const patternOf = ({ name, args: [first] }: Check): string | undefined => {
  const part = text(first)
  switch (name) {
    case "isPattern":
      return isRegExp(first) && first.flags.replace(/[gu]/g, "") === "" ? first.source : undefined
    case "isTrimmed":
      return "^\\S[\\s\\S]*\\S$|^\\S$|^$"
    case "isStartingWith":
    case "isStartsWith":
      return part === undefined ? undefined : `^${escape(part)}`
    case "isEndingWith":
    case "isEndsWith":
      return part === undefined ? undefined : `${escape(part)}$`
    case "isIncluding":
    case "isIncludes":
      return part === undefined ? undefined : escape(part)
    case "isLowercased":
      return "^[^A-Z]*$"
    case "isUppercased":
      return "^[^a-z]*$"
    case "isAscii":
      return "^[\\x00-\\x7F]*$"
    case "isULID":
      return "^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}$"
    case "isGUID":
      return "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$"
    case "isUUID":
      return uuid(number(first))
    default:
      return undefined
  }
}

const onString = (shape: StringShape, check: Check): StringShape => {
  const next: Mutable<StringShape> = { ...shape }
  const first = number(check.args[0])
  const second = number(check.args[1])
  const bounds = (minimum: number | undefined, maximum: number | undefined): StringShape => {
    if (minimum !== undefined) next.minLength = highest(next.minLength, minimum)
    if (maximum !== undefined) next.maxLength = lowest(next.maxLength, maximum)
    return next
  }
  switch (check.name) {
    case "isNonEmpty":
      return bounds(1, undefined)
    case "isMinLength":
    case "isMinCodePoints":
      return bounds(first, undefined)
    case "isMaxLength":
      return bounds(undefined, first)
    case "isMaxCodePoints":
      return bounds(undefined, first === undefined ? undefined : first * 2)
    case "isBetweenLength":
    case "isLengthBetween":
      return bounds(first, second)
    default: {
      const pattern = patternOf(check)
      // JSON Schema has one pattern a string: the first one stays.
      if (pattern !== undefined && next.pattern === undefined) next.pattern = pattern
      if (check.name === "isUUID") next.format = "uuid"
      return next
    }
  }
}

const onNumber = (shape: NumberShape, check: Check): NumberShape => {
  const next: Mutable<NumberShape> = { ...shape }
  const [first] = check.args
  const bound = number(first)
  switch (check.name) {
    case "isInt":
      next.integer = true
      return next
    case "isInt32":
      return {
        ...next,
        integer: true,
        minimum: highest(next.minimum, -2147483648),
        maximum: lowest(next.maximum, 2147483647)
      }
    case "isUint32":
      return { ...next, integer: true, minimum: highest(next.minimum, 0), maximum: lowest(next.maximum, 4294967295) }
    case "isGreaterThan":
      if (bound !== undefined) next.exclusiveMinimum = highest(next.exclusiveMinimum, bound)
      return next
    case "isGreaterThanOrEqualTo":
      if (bound !== undefined) next.minimum = highest(next.minimum, bound)
      return next
    case "isLessThan":
      if (bound !== undefined) next.exclusiveMaximum = lowest(next.exclusiveMaximum, bound)
      return next
    case "isLessThanOrEqualTo":
      if (bound !== undefined) next.maximum = lowest(next.maximum, bound)
      return next
    case "isBetween": {
      const minimum = number(property(first, "minimum"))
      const maximum = number(property(first, "maximum"))
      if (minimum !== undefined) {
        if (property(first, "exclusiveMinimum") === true)
          next.exclusiveMinimum = highest(next.exclusiveMinimum, minimum)
        else next.minimum = highest(next.minimum, minimum)
      }
      if (maximum !== undefined) {
        if (property(first, "exclusiveMaximum") === true) next.exclusiveMaximum = lowest(next.exclusiveMaximum, maximum)
        else next.maximum = lowest(next.maximum, maximum)
      }
      return next
    }
    default:
      return next
  }
}

const FINITE = new Set(["isFinite", "isInt", "isInt32", "isUint32"])
const NON_FINITE = new Set<unknown>(["Infinity", "-Infinity", "NaN"])

const isNonFinite = (shape: Shape): boolean => shape._tag === "Literal" && NON_FINITE.has(shape.value)

/** Narrows a shape by one filter. */
export const applyCheck = (shape: Shape, check: Check): Shape => {
  switch (shape._tag) {
    case "String":
      return onString(shape, check)
    case "Number":
      return onNumber(shape, check)
    case "Union": {
      // `Schema.Number`: a number, or the name of one that JSON cannot write.
      const numeric = shape.members.find((member): member is NumberShape => member._tag === "Number")
      if (numeric === undefined || !shape.members.every((member) => member === numeric || isNonFinite(member)))
        return shape
      const narrowed = onNumber(numeric, check)
      return FINITE.has(check.name)
        ? narrowed
        : { _tag: "Union", members: shape.members.map((member) => (member === numeric ? narrowed : member)) }
    }
    default:
      return shape
  }
}
