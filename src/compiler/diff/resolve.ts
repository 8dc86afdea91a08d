/** Shapes of one IR with their references followed. */
import type { SchemaFacts, Shape, StableId } from "@effx/ir"

/** Looks up what is known about a schema; absent where source did not tell. */
export type FactsOf = (id: StableId) => SchemaFacts | undefined

/** A shape that is no reference to a known schema: a `Ref` that is left names a schema without facts. */
export const resolve = (shape: Shape, factsOf: FactsOf): Shape => {
  const seen = new Set<StableId>()
  let current = shape
  while (current._tag === "Ref" && !seen.has(current.id)) {
    seen.add(current.id)
    const facts = factsOf(current.id)
    if (facts === undefined) return current
    current = facts.shape
  }
  return current
}

/** The members of a union with nested unions and references flattened; any other shape alone. */
export const membersOf = (shape: Shape, factsOf: FactsOf): ReadonlyArray<Shape> => {
  const members: Array<Shape> = []
  const seen = new Set<StableId>()
  const visit = (member: Shape): void => {
    if (member._tag === "Ref") {
      if (seen.has(member.id)) return
      seen.add(member.id)
    }
    const resolved = resolve(member, factsOf)
    if (resolved._tag === "Union") resolved.members.forEach(visit)
    else members.push(member)
  }
  visit(shape)
  return members
}
