/** What holds of the diff for every IR and every shape. */

import { describe, expect, it } from "@effect/vitest"
import { Shape, type StableId } from "@effx/ir"
import { Arbitrary } from "effect"
import { diff } from "../../../src/compiler/diff/diff.ts"
import { shapeChanges } from "../../../src/compiler/diff/shape-changes.ts"
import { within } from "../../../src/compiler/diff/subset.ts"
import { anyIR, shuffled } from "../../ir/arbitraries.ts"

/** A generated shape may name a field twice, which no schema can; the first one stays. */
const withUniqueFields = (shape: Shape): Shape => {
  switch (shape._tag) {
    case "Object":
      return {
        ...shape,
        fields: Array.from(
          new Map(shape.fields.toReversed().map((field) => [field.name, field])).values(),
          (field) => ({
            ...field,
            shape: withUniqueFields(field.shape)
          })
        )
      }
    case "Array":
      return { ...shape, items: withUniqueFields(shape.items) }
    case "Record":
      return { ...shape, values: withUniqueFields(shape.values) }
    case "Tuple":
      return {
        ...shape,
        items: shape.items.map(withUniqueFields),
        ...(shape.rest && { rest: withUniqueFields(shape.rest) })
      }
    case "Union":
      return { ...shape, members: shape.members.map(withUniqueFields) }
    default:
      return shape
  }
}

const shape = Arbitrary.map(Arbitrary.schema(Shape) as Arbitrary.Arbitrary<Shape>, withUniqueFields)
const nothingKnown = (_id: StableId): undefined => undefined
const isWithin = within(nothingKnown, nothingKnown)
const changes = shapeChanges(nothingKnown, nothingKnown)

describe("diff", () => {
  it.prop("an IR does not differ from itself in another order", { ir: anyIR }, ({ ir }) => {
    expect(diff(ir, shuffled(ir, 2))).toEqual([])
  })
})

describe("within", () => {
  it.prop(
    "every shape is within itself, within any value and within a union with it",
    { a: shape, b: shape },
    ({ a, b }) => {
      expect(isWithin(a, a)).toBe(true)
      expect(isWithin(a, { _tag: "Any" })).toBe(true)
      expect(isWithin(a, { _tag: "Union", members: [b, a] })).toBe(true)
      expect(isWithin({ _tag: "Never" }, a)).toBe(true)
    }
  )
})

describe("shapeChanges", () => {
  it.prop("finds nothing between a shape and itself", { a: shape }, ({ a }) => expect(changes(a, a)).toEqual([]))

  it.prop("finds something exactly when the shapes do not contain each other", { a: shape, b: shape }, ({ a, b }) => {
    const real = changes(a, b).filter(({ kind }) => kind !== "documentation")
    if (real.length === 0) expect(isWithin(a, b) && isWithin(b, a)).toBe(true)
  })

  it.prop("only widens where everything old stays allowed", { a: shape, b: shape }, ({ a, b }) => {
    const grows = changes(a, b).every(({ kind, optional }) =>
      kind === "field-added" ? optional === true : ["widened", "field-made-optional", "documentation"].includes(kind)
    )
    if (grows) expect(isWithin(a, b)).toBe(true)
  })
})
