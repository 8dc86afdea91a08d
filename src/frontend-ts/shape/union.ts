/** Shapes made of shapes, in normal form: members of a union are a sorted set, and inside a value nothing is `null`. */
import { canonicalJson, type Shape, sortedBy } from "@effx/ir"
import { NULL } from "./wire.ts"

/** A set of shapes as one shape. `Any` swallows the others; what JSON cannot tell apart is there once. */
export const unionOf = (members: ReadonlyArray<Shape>): Shape => {
  const flat = members.flatMap((member) => (member._tag === "Union" ? member.members : [member]))
  const present = flat.filter((member) => member._tag !== "Never").map(nested)
  if (present.some((member) => member._tag === "Any")) return { _tag: "Any" }
  const unique = Array.from(new Map(present.map((member) => [canonicalJson(member), member])))
  const sorted = sortedBy(unique, ([encoding]) => encoding).map(([, member]) => member)
  const [only] = sorted
  if (only === undefined) return { _tag: "Never" }
  return sorted.length === 1 ? only : { _tag: "Union", members: sorted }
}

/** Inside a value, nothing is `null`. */
export const nested = (shape: Shape): Shape => (shape._tag === "Void" ? NULL : shape)

/** A tuple whose last elements may be missing is the union of its lengths. */
export const tupleOf = (items: ReadonlyArray<Shape>, required: number, rest?: Shape): Shape => {
  const lengths = Array.from({ length: items.length - required + 1 }, (_, index) => required + index)
  return unionOf(
    lengths.map((length) => ({
      _tag: "Tuple",
      items: items.slice(0, length).map(nested),
      ...(rest !== undefined && length === items.length ? { rest: nested(rest) } : {})
    }))
  )
}
