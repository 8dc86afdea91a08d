/**
 * The flags of a command: one per field of the input, in kebab case, typed by the field's shape.
 *
 * Text, numbers and booleans are flags of their kind, a choice of words is a flag with choices, a list of such is a flag
 * that may be repeated, and everything else is a flag that takes JSON. A field with only one possible text takes no flag.
 * Nothing is positional: a command keeps its meaning when a field is added.
 */
import type { Field, GraphIndex, Shape } from "@effx/ir"
import { dereference } from "../shapes.ts"
import { freeName, kebabCase } from "./names.ts"
import type { OperationView } from "./operation-view.ts"

export type FlagKind =
  | { readonly _tag: "String" | "Boolean" | "Int" | "Finite" | "Json" }
  | { readonly _tag: "Literals"; readonly values: ReadonlyArray<string> }

export interface FlagView {
  /** The field that the flag fills; undefined for the flag that is the whole input. */
  readonly field: string | undefined
  readonly flag: string
  readonly kind: FlagKind
  readonly repeated: boolean
  readonly optional: boolean
  readonly description: string | undefined
}

export interface InputFlags {
  readonly flags: ReadonlyArray<FlagView>
  /** Fields that can only have one value. */
  readonly constants: ReadonlyArray<readonly [field: string, value: string]>
}

/** Flags that every command has already. */
const BUILT_IN = ["completions", "help", "log-level", "version", "wizard"]

const literals = (shape: Shape): ReadonlyArray<string> | undefined => {
  const members = shape._tag === "Union" ? shape.members : [shape]
  const values = members.flatMap((member) =>
    member._tag === "Literal" && typeof member.value === "string" ? [member.value] : []
  )
  return values.length === members.length && values.length > 0 ? values : undefined
}

/** A shape without its null: a command line cannot write one, and leaves the flag out instead. */
const withoutNull = (shape: Shape): Shape => {
  if (shape._tag !== "Union") return shape
  const members = shape.members.filter((member) => !(member._tag === "Literal" && member.value === null))
  const [only] = members
  return only !== undefined && members.length === 1 ? only : { ...shape, members }
}

/** The shape of what is given where a flag is given. */
const givenShape = (index: GraphIndex, shape: Shape): Shape =>
  dereference(index, withoutNull(dereference(index, shape)))

const kindOf = (index: GraphIndex, given: Shape): FlagKind => {
  const shape = givenShape(index, given)
  const values = literals(shape)
  if (values !== undefined) return { _tag: "Literals", values }
  switch (shape._tag) {
    case "String":
    case "Boolean":
      return { _tag: shape._tag }
    case "Number":
      return { _tag: shape.integer === true ? "Int" : "Finite" }
    default:
      return { _tag: "Json" }
  }
}

const flagOf = (index: GraphIndex, field: Field, taken: Set<string>): FlagView => {
  const shape = givenShape(index, field.shape)
  const item = shape._tag === "Array" ? kindOf(index, shape.items) : undefined
  const repeated = item !== undefined && item._tag !== "Json" && item._tag !== "Boolean"
  const kebab = kebabCase(field.name)
  const wanted = kebab === "" ? "field" : BUILT_IN.includes(kebab) ? `${kebab}-value` : kebab
  const flag = freeName(wanted, (candidate) => taken.has(candidate))
  taken.add(flag)
  return {
    field: field.name,
    flag,
    kind: repeated && item !== undefined ? item : kindOf(index, field.shape),
    repeated,
    optional: field.optional,
    description: field.description
  }
}

/** The flags of an operation's command. An input that is no object is one flag `--input` with JSON. */
export const inputFlags = (index: GraphIndex, { input }: OperationView): InputFlags => {
  if (input === undefined) return { flags: [], constants: [] }
  const shape = dereference(index, input.facts.shape)
  if (shape._tag !== "Object") {
    const whole = {
      field: undefined,
      flag: "input",
      repeated: false,
      optional: false,
      description: "The input as JSON"
    }
    return { flags: [{ ...whole, kind: { _tag: "Json" } }], constants: [] }
  }
  const taken = new Set<string>()
  const constantOf = (field: Field): string | undefined => {
    const values = literals(dereference(index, field.shape))
    return values?.length === 1 && !field.optional ? values[0] : undefined
  }
  return {
    flags: shape.fields.filter((field) => constantOf(field) === undefined).map((field) => flagOf(index, field, taken)),
    constants: shape.fields.flatMap((field) => {
      const value = constantOf(field)
      return value === undefined ? [] : [[field.name, value] as const]
    })
  }
}
