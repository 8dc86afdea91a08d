/**
 * EFFX2403: what OpenAPI names, one schema has to mean. Judges the schemas that HTTP exposures reach: two of different
 * shape may not share a public identifier, and a circle of schemas needs one that is exported and has an identifier.
 */
import { type Diagnostic, EFFX2403 } from "@effx/diagnostics"
import { type NodeLookup, nameOf, type SchemaRef, type StableId, sortedBy } from "@effx/ir"
import { Option } from "effect"
import type { JudgeInput } from "../../extension.ts"
import { reachableSchemas, schemaFacts, shapeOf, shapeRefs } from "../../shapes.ts"
import { inSourceOrder } from "../../source-order.ts"
import { relatedAt } from "../related.ts"
import { ofEndpoints } from "./endpoints.ts"
import { sameShape } from "./same-shape.ts"

const exportOf = (index: NodeLookup, id: StableId): string => {
  const node = Option.getOrUndefined(index.node(id))
  const ref: SchemaRef | undefined = node?._tag === "Schema" ? node.ref : undefined
  return ref?.export ?? nameOf(id)
}

/** The first schema, by id, of each circle none of whose members has an identifier. */
const anonymousCircles = (index: NodeLookup, anonymous: ReadonlySet<StableId>): ReadonlyArray<StableId> => {
  const next = (id: StableId): ReadonlyArray<StableId> =>
    shapeRefs(shapeOf(index, id)).filter((target) => anonymous.has(target))
  const reach = (start: StableId): ReadonlySet<StableId> => {
    const seen = new Set(next(start))
    for (const id of seen) for (const target of next(id)) seen.add(target)
    return seen
  }
  const found: Array<StableId> = []
  const covered = new Set<StableId>()
  for (const id of sortedBy(anonymous, (candidate) => candidate)) {
    if (covered.has(id) || next(id).length === 0) continue
    const reached = reach(id)
    if (!reached.has(id)) continue
    found.push(id)
    for (const other of reached) if (reach(other).has(id)) covered.add(other)
  }
  return found
}

/** @param roots the schemas that endpoints name */
const settle = (roots: Iterable<StableId>, { index, siteOf }: JudgeInput): ReadonlyArray<Diagnostic> => {
  const schemas = reachableSchemas(index, roots).map((id) => ({
    id,
    site: siteOf(id),
    identifier: Option.getOrUndefined(schemaFacts(index, id))?.identifier
  }))
  const named = Map.groupBy(
    schemas.filter(({ identifier }) => identifier !== undefined),
    ({ identifier }) => identifier ?? ""
  )
  const clashes = Array.from(named).flatMap(([identifier, claims]): ReadonlyArray<Diagnostic> => {
    if (claims.length < 2) return []
    const [first, ...others] = inSourceOrder(
      sortedBy(claims, ({ id }) => id),
      ({ site }) => site
    )
    if (first === undefined) return []
    const other = exportOf(index, first.id)
    return others
      .filter(({ id }) => !sameShape(index, first.id, id))
      .map(({ id, site }) =>
        EFFX2403.make(
          { _tag: "Clash", identifier, schema: exportOf(index, id), other },
          { site, related: relatedAt(`${other} claims ${identifier}`, first.site) }
        )
      )
  })
  const anonymous = new Set(schemas.filter(({ identifier }) => identifier === undefined).map(({ id }) => id))
  const circles = anonymousCircles(index, anonymous).map((id) =>
    EFFX2403.make({ _tag: "Recursive", schema: exportOf(index, id) }, { site: siteOf(id) })
  )
  const closings = sortedBy(schemas, ({ id }) => id).flatMap(({ id }) => {
    const site = siteOf(id, "recursion")
    return site === undefined ? [] : [{ id, site }]
  })
  // One recursive schema may be part of many.
  const hidden = Array.from(Map.groupBy(closings, ({ site }) => JSON.stringify(site)).values()).flatMap(([first]) =>
    first === undefined
      ? []
      : EFFX2403.make({ _tag: "Hidden", schema: exportOf(index, first.id) }, { site: first.site })
  )
  return [...clashes, ...circles, ...hidden]
}

export const identifiers = ofEndpoints<true>(
  "identifiers",
  ({ operation: { errors, input, success } }) => ({
    claims: [...(input === undefined ? [] : [input.symbolId]), success.symbolId, ...errors.values].map((id) => [
      id,
      true
    ])
  }),
  (claims, input) => settle(claims.keys() as Iterable<StableId>, input)
)
