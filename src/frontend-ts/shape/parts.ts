/**
 * Which expressions stand for the parts of a form: the argument of `Schema.Array(…)`, the members in `Schema.Union([…])`, the
 * source of a transformation. Only calls that certainly build the form give parts.
 */
import type { Node } from "typescript/ast"
import * as Is from "typescript/ast/is"
import type { Form } from "./form.ts"
import { type Expr, expr, type Reading, type View } from "./reading.ts"
import { peel } from "./static-value.ts"

type Call = Extract<View, { readonly _tag: "Call" }>

/** Functions and methods whose result has the form of what they are applied to, beside wrappers that the type shows. */
export const TRANSPARENT = new Set([
  "check",
  "annotate",
  "annotateKey",
  "annotateEncoded",
  "rebuild",
  "status",
  "asJson",
  "brand",
  "fromBrand",
  "refine",
  "mutable",
  "mutableKey",
  "readonlyKey",
  "optionalKey",
  "requiredKey",
  "withConstructorDefault",
  "catchDecoding",
  "catchDecodingWithContext",
  "catchEncoding",
  "catchEncodingWithContext",
  "middlewareDecoding",
  "middlewareEncoding",
  "overrideToFormatter",
  "overrideToEquivalence",
  "toTaggedUnion",
  "toType",
  "toEncoded",
  "flip"
])

const BUILDERS: Readonly<Partial<Record<Form["_tag"], ReadonlySet<string>>>> = {
  Array: new Set(["Array", "NonEmptyArray", "UniqueArray"]),
  Tuple: new Set(["Tuple"]),
  TupleWithRest: new Set(["TupleWithRest"]),
  Record: new Set(["Record"]),
  Union: new Set([
    "Union",
    "NullOr",
    "UndefinedOr",
    "NullishOr",
    "optional",
    "OptionFromNullOr",
    "OptionFromUndefinedOr",
    "OptionFromNullishOr",
    "OptionFromOptional",
    "OptionFromOptionalNullOr",
    "withDecodingDefault",
    "withDecodingDefaultType"
  ]),
  Generic: new Set([
    "Option",
    "Redacted",
    "ReadonlySet",
    "HashSet",
    "Chunk",
    "ReadonlyMap",
    "HashMap",
    "Result",
    "CauseReason",
    "Cause",
    "Exit"
  ]),
  DecodeTo: new Set([
    "decodeTo",
    "decode",
    "encodeTo",
    "encode",
    "withDecodingDefault",
    "withDecodingDefaultKey",
    "withDecodingDefaultType",
    "withDecodingDefaultTypeKey",
    "OptionFromNullOr",
    "OptionFromUndefinedOr",
    "OptionFromNullishOr",
    "OptionFromOptionalKey",
    "OptionFromOptional",
    "OptionFromOptionalNullOr",
    "RedactedFromValue"
  ])
}

/** The call that builds the form, where the expression is one. */
export const constructorOf = (reading: Reading, form: Form, expression: Expr | undefined): Call | undefined => {
  if (expression === undefined) return undefined
  const view = reading.view(expression)
  return view._tag === "Call" && BUILDERS[form._tag]?.has(view.name) === true ? view : undefined
}

const elements = (node: Node | undefined): ReadonlyArray<Expr> => {
  const list = node === undefined ? undefined : peel(node)
  // A spread would shift what follows it.
  return list !== undefined && Is.isArrayLiteralExpression(list) && !list.elements.some(Is.isSpreadElement)
    ? list.elements.map(expr)
    : []
}

/** The expressions of a form's parts, in the form's order; missing ones are unknown. */
export const partsOf = (form: Form, call: Call | undefined): ReadonlyArray<Expr | undefined> => {
  if (call === undefined) return []
  const [first, second] = call.args
  switch (form._tag) {
    case "Union":
      return call.name === "Union" ? elements(first) : [call.self]
    case "Tuple":
      return elements(first)
    case "TupleWithRest":
      return [call.self, ...elements(second)]
    case "Array":
      return [call.self]
    case "Record":
    case "Generic":
      return call.self !== undefined && call.args.length < 2 ? [call.self] : call.args.map(expr)
    case "DecodeTo":
      return call.name === "decodeTo" && first !== undefined ? [expr(first)] : []
    default:
      return []
  }
}

/** The expression that a transformation decodes from; `expression` is the transformation's own. */
export const sourceOf = (call: Call | undefined, expression: Expr | undefined): Expr | undefined => {
  switch (call?.name) {
    case undefined:
      return undefined
    case "encodeTo": {
      const [to] = call.args
      return to === undefined ? undefined : expr(to)
    }
    case "OptionFromNullOr":
    case "OptionFromUndefinedOr":
    case "OptionFromNullishOr":
    case "OptionFromOptional":
    case "OptionFromOptionalNullOr":
    case "withDecodingDefault":
    case "withDecodingDefaultType":
      // What they decode from is a union that the same call builds.
      return expression
    default:
      return call?.self
  }
}
