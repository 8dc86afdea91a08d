/**
 * What is wrong with the merged graph, whatever its nodes mean: one id for two things (EFFX1001), references to nothing
 * (EFFX1002), facts without an owner (EFFX1003).
 *
 * A finding belongs to one id: the duplicate, the one at which an edge begins, the one whose field it is, the fact. It depends on
 * that id, and on what others that it refers to are called and whether they are there.
 */
import { type Diagnostic, EFFX1001, EFFX1002, EFFX1003, type Site } from "@effx/diagnostics"
import { kindOf, type Node, nameOf, type StableId } from "@effx/ir"
import { fieldReferences, type Merged, nameOfNode, type Step, type Vertex } from "./merged.ts"

const NOUN: Record<Node["_tag"], string> = {
  Schema: "schema",
  Model: "model",
  Service: "service",
  Operation: "operation",
  Capability: "capability",
  Focus: "focus",
  Exposure: "exposure",
  Extension: "fact"
}

const nounOf = (id: StableId): string => (kindOf(id) === "ext" ? "fact" : kindOf(id))

const ownersOf = ({ edges }: Vertex): ReadonlyArray<StableId> =>
  Array.from(edges).flatMap(({ value }) => (value.kind === "ExtensionOf" ? value.to : []))

const duplicates = (merged: Merged, vertex: Vertex): ReadonlyArray<Diagnostic> => {
  const [first, ...others] = vertex.contents
  if (first === undefined || others.length === 0) return []
  // Facts about a duplicate differ because their owners do; the owner is the finding.
  const isDuplicate = (id: StableId): boolean => (merged.vertex(id)?.contents.length ?? 0) > 1
  if (ownersOf(vertex).some(isDuplicate)) return []
  const params = { kind: NOUN[first.value._tag], name: nameOfNode(first.value) }
  const related = [{ message: `The first declaration of ${params.name}`, ...first.site }]
  return others.map(({ site }) => EFFX1001.make(params, { site, related }))
}

const findingsOf = (merged: Merged, id: StableId): ReadonlyArray<Diagnostic> => {
  const vertex = merged.vertex(id)
  if (vertex === undefined) return []
  const exists = (id: StableId): boolean => merged.vertex(id)?.exists ?? false
  const phrase = (id: StableId): string => {
    const node = merged.vertex(id)?.contents[0]?.value
    return `the ${nounOf(id)} ${node === undefined ? nameOf(id) : nameOfNode(node)}`
  }
  const missing = (owner: StableId, target: StableId, site: Site): Diagnostic =>
    EFFX1002.make({ owner: phrase(owner), missing: phrase(target) }, { site })

  const found = [...duplicates(merged, vertex)]
  for (const { site, value: edge } of vertex.edges) {
    if (!exists(edge.to)) found.push(missing(edge.from, edge.to, site))
    else if (!vertex.exists) found.push(missing(edge.to, edge.from, site))
  }
  // A focus of a model that does not exist follows from the capability that names both.
  if (vertex.focuses > 0) return found
  const isOwned = ownersOf(vertex).length > 0
  for (const { site, value: node } of vertex.nodes) {
    for (const target of fieldReferences(node)) if (!exists(target)) found.push(missing(id, target, site))
    if (node._tag === "Extension" && !isOwned) {
      found.push(EFFX1003.make({ extension: node.extension, tag: node.tag }, { site }))
    }
  }
  return found
}

/** The findings of a graph after each of its steps. */
export const makeGraphFindings = (merged: Merged): ((step: Step) => ReadonlyArray<Diagnostic>) => {
  const findings = new Map<StableId, ReadonlyArray<Diagnostic>>()
  return ({ renamed, touched }) => {
    const stale = new Set(touched)
    for (const id of renamed) for (const referrer of merged.vertex(id)?.referrers.keys() ?? []) stale.add(referrer)
    for (const id of stale) {
      const found = findingsOf(merged, id)
      if (found.length > 0) findings.set(id, found)
      else findings.delete(id)
    }
    return Array.from(findings.values()).flat()
  }
}
