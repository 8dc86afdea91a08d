/**
 * What is wrong with the merged graph, whatever its nodes mean: one id for two things (EFFX1001), references to nothing
 * (EFFX1002), facts without an owner (EFFX1003).
 */
import { type Diagnostic, EFFX1001, EFFX1002, EFFX1003, type Site } from "@effx/diagnostics"
import { canonicalJson, kindOf, type Node, nameOf, type StableId, sortedBy } from "@effx/ir"
import { inSourceOrder } from "../source-order.ts"
import type { Interpretation, Sourced } from "./interpret.ts"

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

const nameOfNode = (node: Node): string => {
  switch (node._tag) {
    case "Schema":
      return node.ref.export
    case "Extension":
      return node.tag
    case "Focus":
      return node.path.join(".")
    case "Exposure":
      return nameOf(node.id)
    default:
      return node.name
  }
}

type Groups = ReadonlyMap<StableId, ReadonlyArray<Sourced<Node>>>

/** The different contents of each id, each at its first place, in source order. */
const contentsById = (nodes: ReadonlyArray<Sourced<Node>>): Groups => {
  const groups = Map.groupBy(nodes, ({ value }) => value.id)
  return new Map(Array.from(groups, ([id, group]) => [id, differentContents(group)] as const))
}

const differentContents = (group: ReadonlyArray<Sourced<Node>>): ReadonlyArray<Sourced<Node>> => {
  // Most ids have one object; only others are worth an encoding.
  if (group.every(({ value }) => value === group[0]?.value)) return group.slice(0, 1)
  const encodings = new Map(group.map(({ value }) => [value, ""]))
  for (const value of encodings.keys()) encodings.set(value, canonicalJson(value))
  const contents = Map.groupBy(group, ({ value }) => encodings.get(value) ?? "")
  const firsts = sortedBy(contents, ([encoding]) => encoding).flatMap(([, same]) =>
    inSourceOrder(same, ({ site }) => site).slice(0, 1)
  )
  return inSourceOrder(firsts, ({ site }) => site)
}

const duplicates = (groups: Groups, ownersOf: ReadonlyMap<StableId, ReadonlySet<StableId>>): Array<Diagnostic> => {
  const isDuplicate = (id: StableId): boolean => (groups.get(id)?.length ?? 0) > 1
  return Array.from(groups).flatMap(([id, [first, ...others]]) => {
    // Facts about a duplicate differ because their owners do; the owner is the finding.
    const owners = ownersOf.get(id) ?? new Set()
    if (first === undefined || Array.from(owners).some(isDuplicate)) return []
    const params = { kind: NOUN[first.value._tag], name: nameOfNode(first.value) }
    const related = [{ message: `The first declaration of ${params.name}`, ...first.site }]
    return others.map(({ site }) => EFFX1001.make(params, { site, related }))
  })
}

/** References that are fields of nodes instead of edges. */
const fieldReferences = (node: Node): ReadonlyArray<StableId> => {
  switch (node._tag) {
    case "Capability":
      return node.focus === undefined ? [node.resource] : [node.resource, node.focus]
    case "Focus":
      return [node.root]
    case "Exposure":
      return [node.operation]
    default:
      return []
  }
}

export const graphFindings = ({ edges, nodes, subjects }: Interpretation): ReadonlyArray<Diagnostic> => {
  const groups = contentsById(nodes)
  const ownersOf = new Map<StableId, Set<StableId>>()
  for (const { value: edge } of edges) {
    if (edge.kind !== "ExtensionOf") continue
    ownersOf.set(edge.from, (ownersOf.get(edge.from) ?? new Set()).add(edge.to))
  }
  const exists = (id: StableId): boolean => groups.has(id) || subjects.has(id)
  const phrase = (id: StableId): string => {
    const node = groups.get(id)?.[0]?.value
    return `the ${nounOf(id)} ${node === undefined ? nameOf(id) : nameOfNode(node)}`
  }
  const missing = (owner: StableId, target: StableId, site: Site): Diagnostic =>
    EFFX1002.make({ owner: phrase(owner), missing: phrase(target) }, { site })

  const found = duplicates(groups, ownersOf)
  for (const { site, value: edge } of edges) {
    if (!exists(edge.to)) found.push(missing(edge.from, edge.to, site))
    else if (!exists(edge.from)) found.push(missing(edge.to, edge.from, site))
  }
  const focused = new Set(edges.flatMap(({ value }) => (value.kind === "Focuses" ? value.to : [])))
  const pairs = new Set<string>()
  for (const { site, value: node } of nodes) {
    // A focus of a model that does not exist follows from the capability that names both.
    if (focused.has(node.id)) continue
    for (const target of fieldReferences(node)) {
      if (exists(target) || pairs.has(`${node.id} ${target} ${canonicalJson(site)}`)) continue
      pairs.add(`${node.id} ${target} ${canonicalJson(site)}`)
      found.push(missing(node.id, target, site))
    }
    if (node._tag === "Extension" && !ownersOf.has(node.id)) {
      found.push(EFFX1003.make({ extension: node.extension, tag: node.tag }, { site }))
    }
  }
  return found
}
