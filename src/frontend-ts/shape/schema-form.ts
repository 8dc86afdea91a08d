/**
 * From the type of a schema to its form.
 *
 * Recognition is by Effect's interface names where they say more than the members do, else by the members that the type
 * has, so that an unknown version's interfaces, an author's own interfaces and classes are read by what they carry. Symbols
 * count as Effect's only when they are declared in the `effect` package.
 */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import {
  type Checker,
  type EngineSymbol,
  isAny,
  isNever,
  isReference,
  isUnknown,
  SymbolFlags,
  type Type
} from "../checker.ts"
import { all, each } from "../wave.ts"
import type { Form, FormField } from "./form.ts"
import { GENERICS, WIRE } from "./wire.ts"

type Answer<A> = Effect.Effect<A, CompilerFault>
type Literal = string | number | boolean | null

const EFFECT_FILE = /\/effect\/(?:dist|src|build)\//

/** Whether a symbol is declared by the `effect` package itself. */
export const isEffects = (symbol: EngineSymbol): boolean =>
  symbol.declarations.some((declaration) => EFFECT_FILE.test(declaration.path))

const ANYTHING: Form = { _tag: "Wire", shape: { _tag: "Any" } }

/** Schemas that only say what they encode to. */
const OPAQUE = new Set([
  "Codec",
  "Schema",
  "Decoder",
  "Encoder",
  "Optic",
  "Top",
  "Bottom",
  "BottomLazy",
  "BottomWithoutNew",
  "BottomLazyWithoutNew",
  "Constraint",
  "ConstraintCodec",
  "ConstraintDecoder",
  "ConstraintEncoder"
])

const WRAPPERS: ReadonlyMap<string, "optional" | "toType" | "toEncoded" | "flip"> = new Map([
  ["optionalKey", "optional"],
  ["optional", "optional"],
  ["toType", "toType"],
  ["toEncoded", "toEncoded"],
  ["flip", "flip"]
] as const)

/** The value of a literal type; a bigint travels as its digits, and a number that is not finite not at all. */
export const literalOf = (type: Type): Literal | undefined => {
  if (type.isBigIntLiteralType()) return String(type.value)
  if (type.isLiteralType()) {
    const { value } = type
    if (typeof value === "number" && !Number.isFinite(value)) return undefined
    return typeof value === "bigint" ? String(value) : value
  }
  return type.isIntrinsicType() && type.intrinsicName === "null" ? null : undefined
}

/** The properties of a record of schemas, in source order. Declarations inside Effect have nothing to read. */
const fieldsOf = Effect.fnUntraced(function* (
  checker: Checker,
  record: Type
): Effect.fn.Return<ReadonlyArray<FormField>, CompilerFault> {
  const properties = yield* checker.getPropertiesOfType(record)
  const handles = properties.map((property) =>
    isEffects(property) ? undefined : (property.valueDeclaration ?? property.declarations[0])
  )
  const [types, nodes] = yield* all([
    checker.getTypesOfSymbols(properties),
    checker.nodesOf(handles.filter((handle) => handle !== undefined))
  ])
  let next = 0
  return properties.flatMap(({ name }, index) => {
    const declaration = handles[index] === undefined ? undefined : nodes[next++]
    const type = types[index]
    return type === undefined ? [] : [{ name, type, ...(declaration === undefined ? {} : { declaration }) }]
  })
})

/** The elements of a tuple type, or of an array type whose element is a union. */
const elementsOf = (checker: Checker, list: Type): Answer<ReadonlyArray<Type>> =>
  isReference(list)
    ? Effect.flatMap(all([checker.getTypeArguments(list), checker.isTupleType(list)]), ([args, tuple]) =>
        tuple
          ? Effect.succeed(args)
          : Effect.map(each(args.slice(0, 1), checker.membersOf), (members) => members.flat())
      )
    : Effect.succeed([])

const literalsOf = (types: ReadonlyArray<Type>): Form => {
  const values = types.map(literalOf)
  return values.every((value) => value !== undefined) ? { _tag: "Literals", values } : ANYTHING
}

/** The members that tell structure, in the order in which they decide; of a class, `fields` alone is Effect's. */
const PROBES = ["fields", "from", "to", "members", "elements", "cases", "parts", "value", "schema"] as const

const opaque = Effect.fnUntraced(function* (
  checker: Checker,
  type: Type,
  effects: boolean
): Effect.fn.Return<Form, CompilerFault> {
  const get = (name: string) => checker.getTypeOfPropertyOfType(type, name)
  const [encoded, decoded, optionality] = yield* all([get("Encoded"), get("Type"), get("~encoded.optionality")])
  // A declaration of a later Effect: what it encodes to is an object of the runtime, not what JSON carries.
  if (encoded === undefined || decoded === undefined || (effects && encoded.isObjectType())) return ANYTHING
  const optional = optionality !== undefined && literalOf(optionality) === "optional"
  return { _tag: "Opaque", encoded, decoded, optional }
})

const probe = Effect.fnUntraced(function* (
  checker: Checker,
  type: Type,
  owner: EngineSymbol | undefined,
  effects: boolean
): Effect.fn.Return<Form, CompilerFault> {
  const found = yield* each(owner === undefined ? PROBES : PROBES.slice(0, 1), (name) =>
    checker.getTypeOfPropertyOfType(type, name)
  )
  const [fields, from, to, members, elements, cases, parts, value, schema] = found
  if (fields !== undefined)
    return { _tag: "Struct", fields: yield* fieldsOf(checker, fields), ...(owner === undefined ? {} : { owner }) }
  if (from !== undefined && to !== undefined) return { _tag: "DecodeTo", from, to }
  if (members !== undefined) return { _tag: "Union", members: yield* elementsOf(checker, members) }
  if (elements !== undefined) return { _tag: "Tuple", elements: yield* elementsOf(checker, elements) }
  if (cases !== undefined)
    return { _tag: "Union", members: (yield* fieldsOf(checker, cases)).map((field) => field.type) }
  if (parts !== undefined) return yield* template(checker, parts)
  if (value !== undefined) return { _tag: "Array", value, nonEmpty: false }
  if (schema !== undefined) return { _tag: "Wrapper", kind: "plain", schema }
  return yield* opaque(checker, type, effects)
})

const template = (checker: Checker, parts: Type): Answer<Form> =>
  Effect.map(elementsOf(checker, parts), (elements) => ({
    _tag: "Template",
    parts: elements.map((element) => {
      const literal = literalOf(element)
      return literal === undefined || literal === null ? element : String(literal)
    })
  }))

const named = Effect.fnUntraced(function* (
  checker: Checker,
  type: Type,
  name: string
): Effect.fn.Return<Form | undefined, CompilerFault> {
  const shape = WIRE.get(name)
  if (shape !== undefined) return { _tag: "Wire", shape }
  const get = (property: string) => checker.getTypeOfPropertyOfType(type, property)
  const parameters = GENERICS.get(name)
  if (parameters !== undefined) {
    const found = yield* each(parameters, get)
    return { _tag: "Generic", name, parameters: found.filter((parameter) => parameter !== undefined) }
  }
  const wrapper = WRAPPERS.get(name)
  if (wrapper !== undefined) {
    const schema = yield* get("schema")
    return schema === undefined ? undefined : { _tag: "Wrapper", kind: wrapper, schema }
  }
  if (OPAQUE.has(name)) return yield* opaque(checker, type, false)
  switch (name) {
    case "suspend": {
      const [schema] = isReference(type) ? yield* checker.getTypeArguments(type) : []
      return schema === undefined ? ANYTHING : { _tag: "Wrapper", kind: "suspend", schema }
    }
    case "Struct": {
      const fields = yield* get("fields")
      return fields === undefined ? undefined : { _tag: "Struct", fields: yield* fieldsOf(checker, fields) }
    }
    case "Array":
    case "NonEmptyArray": {
      const value = yield* get("value")
      return value === undefined ? undefined : { _tag: "Array", value, nonEmpty: name === "NonEmptyArray" }
    }
    case "Record": {
      const [key, value] = yield* all([get("key"), get("value")])
      return key === undefined || value === undefined ? undefined : { _tag: "Record", key, value }
    }
    case "TupleWithRest": {
      const [schema, rest] = yield* all([get("schema"), get("rest")])
      if (schema === undefined || rest === undefined) return undefined
      return { _tag: "TupleWithRest", schema, rest: yield* elementsOf(checker, rest) }
    }
    case "Literal": {
      const literal = yield* get("literal")
      return literal === undefined ? undefined : literalsOf(yield* checker.membersOf(literal))
    }
    case "Literals": {
      const literals = yield* get("literals")
      return literals === undefined ? undefined : literalsOf(yield* elementsOf(checker, literals))
    }
    case "Enum": {
      const enums = yield* get("enums")
      return enums === undefined ? undefined : literalsOf((yield* fieldsOf(checker, enums)).map((field) => field.type))
    }
    default:
      return undefined
  }
})

/** Reads the form of a schema's type. */
export const schemaForm = Effect.fnUntraced(function* (
  checker: Checker,
  type: Type
): Effect.fn.Return<Form, CompilerFault> {
  if (isAny(type) || isUnknown(type) || isNever(type)) return ANYTHING
  const symbol = yield* checker.getSymbolOfType(type)
  if (symbol === undefined) return yield* probe(checker, type, undefined, false)
  const effects = isEffects(symbol)
  const known = effects ? yield* named(checker, type, symbol.name.replace(/^\$|\$$/g, "")) : undefined
  if (known !== undefined) return known
  const owner = (symbol.flags & SymbolFlags.Class) !== 0 ? symbol : undefined
  return yield* probe(checker, type, owner, effects)
})
