/**
 * What Effect's JSON codec (`Schema.toCodecJson`, which HttpApi and RPC use) puts on the wire for schemas whose type does
 * not tell: one table by the name of Effect's own interface.
 *
 * Facts of Effect 4.0.0-rc.116, 4.0.x and 4.1.x, compared with Effect itself by a test. A name that a version lacks is never
 * asked for; a name that is missing here falls back to the type (types.ts).
 */
import type { Field, Shape } from "@effx/ir"

const ANY: Shape = { _tag: "Any" }
const STRING: Shape = { _tag: "String" }
const literal = (value: string | number | boolean | null): Shape => ({ _tag: "Literal", value })
const union = (...members: ReadonlyArray<Shape>): Shape => ({ _tag: "Union", members })
const array = (items: Shape): Shape => ({ _tag: "Array", items })
const field = (name: string, shape: Shape, optional = false): Field => ({ name, shape, optional })
const object = (...fields: ReadonlyArray<Field>): Shape => ({ _tag: "Object", fields })
const tagged = (tag: string, ...fields: ReadonlyArray<Field>): Shape => object(field("_tag", literal(tag)), ...fields)

/** `null` is how JSON carries `undefined` inside a value. */
export const NULL: Shape = literal(null)

/** A number that may be infinite or NaN: JSON carries those as strings. */
export const NUMBER: Shape = union({ _tag: "Number" }, literal("Infinity"), literal("-Infinity"), literal("NaN"))

const BIGINT: Shape = { _tag: "String", pattern: "^-?\\d+$" }
const SYMBOL: Shape = { _tag: "String", pattern: "^Symbol\\(([\\s\\S]*)\\)$" }
const BASE64: Shape = { _tag: "String", format: "byte" }
const ERROR: Shape = object(
  field("message", STRING),
  field("name", STRING, true),
  field("stack", STRING, true),
  field("cause", ANY, true)
)
const FILE: Shape = object(
  field("data", { _tag: "String", pattern: "^([0-9a-zA-Z+/]{4})*(([0-9a-zA-Z+/]{2}==)|([0-9a-zA-Z+/]{3}=))?$" }),
  field("type", STRING),
  field("name", STRING),
  field("lastModified", { _tag: "Number", integer: true })
)

/** Schemas without parameters. */
export const WIRE: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["String", STRING],
  ["StringForLiteralAutocomplete", STRING],
  ["Char", { _tag: "String", minLength: 1, maxLength: 1 }],
  ["NonEmptyString", { _tag: "String", minLength: 1 }],
  ["Trimmed", { _tag: "String", pattern: "^\\S[\\s\\S]*\\S$|^\\S$|^$" }],
  ["Number", NUMBER],
  ["Finite", { _tag: "Number" }],
  ["Int", { _tag: "Number", integer: true }],
  ["Natural", { _tag: "Number", integer: true, minimum: 0 }],
  ["Port", { _tag: "Number", integer: true, minimum: 0, maximum: 65535 }],
  ["TimeZoneOffset", { _tag: "Number", integer: true }],
  ["Boolean", { _tag: "Boolean" }],
  ["BigInt", BIGINT],
  ["BigIntFromString", BIGINT],
  ["ByteSize", BIGINT],
  ["Symbol", SYMBOL],
  ["UniqueSymbol", SYMBOL],
  ["Null", NULL],
  ["Undefined", { _tag: "Void" }],
  ["Void", { _tag: "Void" }],
  ["Never", { _tag: "Never" }],
  ["Any", ANY],
  ["Unknown", ANY],
  ["ObjectKeyword", union(array(ANY), { _tag: "Record", values: ANY })],
  ["Defect", ANY],
  ["Cookie", ANY],
  ["BigDecimal", STRING],
  ["Date", { _tag: "String", format: "date-time" }],
  ["DateTimeUtc", { _tag: "String", format: "date-time" }],
  ["DateTimeZoned", STRING],
  ["TimeZone", STRING],
  ["TimeZoneNamed", STRING],
  [
    "Duration",
    union(
      tagged("Infinity"),
      tagged("NegativeInfinity"),
      tagged("Nanos", field("value", BIGINT)),
      tagged("Millis", field("value", { _tag: "Number", integer: true }))
    )
  ],
  ["SemVer", STRING],
  ["SemVerRange", STRING],
  ["URL", STRING],
  ["URLSearchParams", STRING],
  ["RegExp", object(field("source", STRING), field("flags", STRING))],
  ["Uint8Array", BASE64],
  ["Uint8ArrayFromBase64", BASE64],
  ["File", FILE],
  [
    "FormData",
    array({
      _tag: "Tuple",
      items: [STRING, union(tagged("String", field("value", STRING)), tagged("File", field("value", FILE)))]
    })
  ],
  ["Error", ERROR],
  ["ErrorInstance", ERROR],
  ["ErrorWithStack", ERROR],
  ["Headers", { _tag: "Record", values: STRING }],
  ["Cookies", array(STRING)],
  ["UrlParams", array({ _tag: "Tuple", items: [STRING, STRING] })],
  ["declare", ANY],
  ["declareConstructor", ANY],
  ["instanceOf", ANY],
  ["Graph", ANY]
])

/** The properties that hold the parameters of a parametric schema, in the order that `genericWire` takes their shapes. */
export const GENERICS: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["Option", ["value"]],
  ["Redacted", ["value"]],
  ["ReadonlySet", ["value"]],
  ["HashSet", ["value"]],
  ["Chunk", ["value"]],
  ["ReadonlyMap", ["key", "value"]],
  ["HashMap", ["key", "value"]],
  ["Result", ["success", "failure"]],
  ["CauseReason", ["error", "defect"]],
  ["Cause", ["error", "defect"]],
  ["Exit", ["value", "error", "defect"]]
])

const reason = (error: Shape, defect: Shape): Shape =>
  union(
    tagged("Fail", field("error", error)),
    tagged("Die", field("defect", defect)),
    tagged("Interrupt", field("fiberId", union({ _tag: "Number" }, NULL)))
  )

/** The shape of a parametric schema, given the shapes of its parameters. */
export const genericWire = (name: string, parameters: ReadonlyArray<Shape>): Shape => {
  const [a = ANY, b = ANY, c = ANY] = parameters
  switch (name) {
    case "Option":
      return union(tagged("Some", field("value", a)), tagged("None"))
    case "Redacted":
      return a
    case "ReadonlySet":
    case "HashSet":
    case "Chunk":
      return array(a)
    case "ReadonlyMap":
    case "HashMap":
      return array({ _tag: "Tuple", items: [a, b] })
    case "Result":
      return union(tagged("Success", field("success", a)), tagged("Failure", field("failure", b)))
    case "CauseReason":
      return reason(a, b)
    case "Cause":
      return array(reason(a, b))
    case "Exit":
      return union(tagged("Success", field("value", a)), tagged("Failure", field("cause", array(reason(b, c)))))
    default:
      return ANY
  }
}
