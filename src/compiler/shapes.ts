/** Reads wire shapes from the IR: what a schema looks like, with aliases followed. */
import { type Field, type NodeLookup, SchemaFacts, type Shape, type StableId } from "@effx/ir"
import { Option } from "effect"
import { factReader } from "./facts.ts"

/** What source tells about a schema of the IR. */
export const schemaFacts: (index: NodeLookup, schema: StableId) => Option.Option<SchemaFacts> = factReader(
  "core",
  "schema",
  SchemaFacts
)

/** The shape of a schema of the IR; `Any` where nothing is known about it. */
export const shapeOf = (index: NodeLookup, schema: StableId): Shape =>
  Option.match(schemaFacts(index, schema), { onNone: (): Shape => ({ _tag: "Any" }), onSome: ({ shape }) => shape })

/** Follows references until another form appears; a circle of references is `Any`. */
export const dereference = (index: NodeLookup, shape: Shape): Shape => {
  const seen = new Set<StableId>()
  let current = shape
  while (current._tag === "Ref") {
    if (seen.has(current.id)) return { _tag: "Any" }
    seen.add(current.id)
    current = shapeOf(index, current.id)
  }
  return current
}

/** The fields of an object; `undefined` for every other form. */
export const fieldsOf = (index: NodeLookup, shape: Shape): ReadonlyArray<Field> | undefined => {
  const target = dereference(index, shape)
  return target._tag === "Object" ? target.fields : undefined
}

/** The schemas that a shape names directly, in order of appearance. */
export const shapeRefs = (shape: Shape): ReadonlyArray<StableId> => {
  switch (shape._tag) {
    case "Ref":
      return [shape.id]
    case "Array":
      return shapeRefs(shape.items)
    case "Tuple":
      return [...shape.items, ...(shape.rest === undefined ? [] : [shape.rest])].flatMap(shapeRefs)
    case "Record":
      return shapeRefs(shape.values)
    case "Object":
      return shape.fields.flatMap((field) => shapeRefs(field.shape))
    case "Union":
      return shape.members.flatMap(shapeRefs)
    default:
      return []
  }
}

/** All schemas that a schema refers to, itself included, in the order in which a walk meets them. */
export const reachableSchemas = (index: NodeLookup, roots: Iterable<StableId>): ReadonlyArray<StableId> => {
  const seen = new Set<StableId>(roots)
  for (const id of seen) for (const next of shapeRefs(shapeOf(index, id))) seen.add(next)
  return Array.from(seen)
}
