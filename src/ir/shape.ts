/**
 * The wire shape of a schema: what its encoded form looks like as JSON, as far as source tells without running it.
 *
 * Shapes enter the IR as data of extension nodes (`extension: "core"`, `tag: "schema"`), so that the surface diff, OpenAPI
 * and the generators need nothing but the IR. A shape is plain JSON; named schemas inside it are `Ref`s by id, which is
 * also how recursion is expressed.
 */
import { Schema } from "effect"
import { StableId } from "./stable-id.ts"

/** Bounds that a schema states with checks whose arguments are static; absent where source does not tell. */
const Bounds = {
  minimum: Schema.optionalKey(Schema.Finite),
  maximum: Schema.optionalKey(Schema.Finite),
  exclusiveMinimum: Schema.optionalKey(Schema.Finite),
  exclusiveMaximum: Schema.optionalKey(Schema.Finite)
}

export type Shape =
  /** Any JSON value: `Schema.Unknown`, or a form that source does not reveal. */
  | { readonly _tag: "Any" }
  | { readonly _tag: "Never" }
  /** No value at all: `Schema.Void`, `Schema.Undefined`. */
  | { readonly _tag: "Void" }
  | { readonly _tag: "Boolean" }
  | {
      readonly _tag: "String"
      /** A JSON Schema format such as `date-time` or `uuid`. */
      readonly format?: string
      readonly pattern?: string
      readonly minLength?: number
      readonly maxLength?: number
    }
  | {
      readonly _tag: "Number"
      readonly integer?: boolean
      readonly minimum?: number
      readonly maximum?: number
      readonly exclusiveMinimum?: number
      readonly exclusiveMaximum?: number
    }
  | { readonly _tag: "Literal"; readonly value: string | number | boolean | null }
  | { readonly _tag: "Array"; readonly items: Shape }
  | { readonly _tag: "Tuple"; readonly items: ReadonlyArray<Shape>; readonly rest?: Shape }
  | { readonly _tag: "Record"; readonly values: Shape }
  | { readonly _tag: "Object"; readonly fields: ReadonlyArray<Field> }
  /** Members are a set, sorted by canonical encoding. */
  | { readonly _tag: "Union"; readonly members: ReadonlyArray<Shape> }
  /** Another schema of the IR, by id. */
  | { readonly _tag: "Ref"; readonly id: StableId }

/** A field of an object, in source order. `optional` means that the key may be missing. */
export interface Field {
  readonly name: string
  readonly shape: Shape
  readonly optional: boolean
  readonly description?: string
}

const Lazy: Schema.Codec<Shape, unknown> = Schema.suspend((): Schema.Codec<Shape, unknown> => Shape)

export const Field: Schema.Codec<Field, unknown> = Schema.Struct({
  name: Schema.String,
  shape: Lazy,
  optional: Schema.Boolean,
  description: Schema.optionalKey(Schema.String)
})

export const Shape: Schema.Codec<Shape, unknown> = Schema.Union([
  Schema.TaggedStruct("Any", {}),
  Schema.TaggedStruct("Never", {}),
  Schema.TaggedStruct("Void", {}),
  Schema.TaggedStruct("Boolean", {}),
  Schema.TaggedStruct("String", {
    format: Schema.optionalKey(Schema.String),
    pattern: Schema.optionalKey(Schema.String),
    minLength: Schema.optionalKey(Schema.Finite),
    maxLength: Schema.optionalKey(Schema.Finite)
  }),
  Schema.TaggedStruct("Number", { integer: Schema.optionalKey(Schema.Boolean), ...Bounds }),
  Schema.TaggedStruct("Literal", {
    value: Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
  }),
  Schema.TaggedStruct("Array", { items: Lazy }),
  Schema.TaggedStruct("Tuple", { items: Schema.Array(Lazy), rest: Schema.optionalKey(Lazy) }),
  Schema.TaggedStruct("Record", { values: Lazy }),
  Schema.TaggedStruct("Object", { fields: Schema.Array(Field) }),
  Schema.TaggedStruct("Union", { members: Schema.Array(Lazy) }),
  Schema.TaggedStruct("Ref", { id: StableId })
])

/**
 * What source tells about one schema; the data of the schema's `core`/`schema` extension node.
 *
 * `identifier` is the public name (the argument of `Schema.Class`, an `identifier` annotation, else absent); `status` the
 * HTTP status of an error schema (`httpApiStatus`); `description` comes from annotations or JSDoc.
 */
export const SchemaFacts = Schema.Struct({
  shape: Shape,
  identifier: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.Finite),
  description: Schema.optionalKey(Schema.String)
})
export type SchemaFacts = typeof SchemaFacts.Type
