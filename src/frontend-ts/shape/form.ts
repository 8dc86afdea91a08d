/**
 * The form of a schema's type: which of Effect's combinators made it, and the types of its parts.
 *
 * Forms are what the checker tells; names, filters and descriptions are not part of types and come from the syntax
 * (reading.ts). project.ts puts both together.
 */
import type { Shape } from "@effx/ir"
import type { EngineSymbol, Node, Type } from "../checker.ts"

/** A field of a struct: its schema's type, and where it was declared. */
export interface FormField {
  readonly name: string
  readonly type: Type
  readonly declaration?: Node
}

export type Form =
  /** A schema whose wire form is known by its name (wire.ts). */
  | { readonly _tag: "Wire"; readonly shape: Shape }
  | { readonly _tag: "Generic"; readonly name: string; readonly parameters: ReadonlyArray<Type> }
  /** `owner` is the class that carries the fields, where there is one. */
  | { readonly _tag: "Struct"; readonly fields: ReadonlyArray<FormField>; readonly owner?: EngineSymbol }
  | { readonly _tag: "Record"; readonly key: Type; readonly value: Type }
  | { readonly _tag: "Array"; readonly value: Type; readonly nonEmpty: boolean }
  | { readonly _tag: "Tuple"; readonly elements: ReadonlyArray<Type> }
  | { readonly _tag: "TupleWithRest"; readonly schema: Type; readonly rest: ReadonlyArray<Type> }
  | { readonly _tag: "Union"; readonly members: ReadonlyArray<Type> }
  | { readonly _tag: "Literals"; readonly values: ReadonlyArray<string | number | boolean | null> }
  /** A part is a literal's text or the type of a schema. */
  | { readonly _tag: "Template"; readonly parts: ReadonlyArray<string | Type> }
  | { readonly _tag: "DecodeTo"; readonly from: Type; readonly to: Type }
  /** A schema around another one that changes at most whether the key may be missing, or which side is meant. */
  | {
      readonly _tag: "Wrapper"
      readonly kind: "plain" | "optional" | "toType" | "toEncoded" | "flip" | "suspend"
      readonly schema: Type
    }
  /** A schema that tells no more than what it encodes to and what it decodes to. */
  | { readonly _tag: "Opaque"; readonly encoded: Type; readonly decoded: Type; readonly optional: boolean }

/** The form of an ordinary type: the fallback where a schema is opaque. */
export type PlainForm =
  | { readonly _tag: "Known"; readonly shape: Shape }
  | {
      readonly _tag: "Object"
      readonly fields: ReadonlyArray<FormField & { readonly optional: boolean }>
    }
  | { readonly _tag: "Array"; readonly items: Type }
  | { readonly _tag: "Tuple"; readonly items: ReadonlyArray<Type>; readonly required: number; readonly rest?: Type }
  | { readonly _tag: "Union"; readonly members: ReadonlyArray<Type> }
  | { readonly _tag: "Record"; readonly values: Type }

/** The types that a form leads to. */
export const schemasOf = (form: Form): ReadonlyArray<Type> => {
  switch (form._tag) {
    case "Struct":
      return form.fields.map((field) => field.type)
    case "Generic":
      return form.parameters
    case "Record":
      return [form.key, form.value]
    case "Array":
      return [form.value]
    case "Tuple":
      return form.elements
    case "TupleWithRest":
      return [form.schema, ...form.rest]
    case "Union":
      return form.members
    case "Template":
      return form.parts.filter((part): part is Type => typeof part !== "string")
    case "DecodeTo":
      return [form.from, form.to]
    case "Wrapper":
      return [form.schema]
    default:
      return []
  }
}

export const plainTypesOf = (form: PlainForm): ReadonlyArray<Type> => {
  switch (form._tag) {
    case "Object":
      return form.fields.map((field) => field.type)
    case "Array":
      return [form.items]
    case "Tuple":
      return form.rest === undefined ? form.items : [...form.items, form.rest]
    case "Union":
      return form.members
    case "Record":
      return [form.values]
    default:
      return []
  }
}
