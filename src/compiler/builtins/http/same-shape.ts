/** Whether two schemas accept the same values on the wire, as far as source tells; references are followed. */
import { canonicalJson, type Field, type NodeLookup, type Shape, type StableId, sortedBy } from "@effx/ir"
import { dereference, shapeOf } from "../../shapes.ts"

/** Pairs of schemas that are being compared; a pair that meets itself is equal as far as anyone can tell. */
type Assumed = ReadonlySet<string>

const all = <A>(a: ReadonlyArray<A>, b: ReadonlyArray<A>, same: (x: A, y: A) => boolean): boolean =>
  a.length === b.length && a.every((x, position) => same(x, b[position] as A))

const compare = (index: NodeLookup, a: Shape, b: Shape, assumed: Assumed): boolean => {
  if (a._tag === "Ref" && b._tag === "Ref") {
    const pair = `${a.id} ${b.id}`
    if (a.id === b.id || assumed.has(pair)) return true
    return compare(index, shapeOf(index, a.id), shapeOf(index, b.id), new Set([...assumed, pair]))
  }
  const [x, y] = [dereference(index, a), dereference(index, b)]
  const same = (left: Shape, right: Shape): boolean => compare(index, left, right, assumed)
  if (x._tag === "Array" && y._tag === "Array") return same(x.items, y.items)
  if (x._tag === "Record" && y._tag === "Record") return same(x.values, y.values)
  if (x._tag === "Tuple" && y._tag === "Tuple") {
    const never: Shape = { _tag: "Never" }
    return all(x.items, y.items, same) && same(x.rest ?? never, y.rest ?? never)
  }
  if (x._tag === "Object" && y._tag === "Object") {
    const order = (fields: ReadonlyArray<Field>) => sortedBy(fields, ({ name }) => name)
    return all(
      order(x.fields),
      order(y.fields),
      (p, q) => p.name === q.name && p.optional === q.optional && same(p.shape, q.shape)
    )
  }
  if (x._tag === "Union" && y._tag === "Union") {
    const covers = (from: ReadonlyArray<Shape>, to: ReadonlyArray<Shape>): boolean =>
      from.every((member) => to.some((other) => same(member, other)))
    return covers(x.members, y.members) && covers(y.members, x.members)
  }
  return canonicalJson(x) === canonicalJson(y)
}

export const sameShape = (index: NodeLookup, a: StableId, b: StableId): boolean =>
  compare(index, { _tag: "Ref", id: a }, { _tag: "Ref", id: b }, new Set())
