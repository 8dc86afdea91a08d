/**
 * The graph that interpretations add up to, which follows them as they come and go.
 *
 * Guarantees: after any sequence of steps it is the graph of the interpretations that are there, whatever was there before; a step
 * takes time by what comes and goes. What the graph means is left to `graph-findings.ts` and the analyses.
 */
import type { Site } from "@effx/diagnostics"
import {
  canonicalJson,
  type Edge,
  type Node,
  type Normal,
  nameOf,
  normalEdges,
  normalNodes,
  type StableId,
  sortedBy
} from "@effx/ir"
import { compareSites, inSourceOrder } from "../source-order.ts"
import type { Interpretation, Sourced } from "./interpret.ts"

/** One id with everything that is contributed about it. */
export interface Vertex {
  readonly nodes: Set<Sourced<Node>>
  /** The edges that begin here. */
  readonly edges: Set<Sourced<Edge>>
  /** The ids that name this one, in an edge or a field, with how often. */
  readonly referrers: Map<StableId, number>
  /** How many declarations stand for the id. */
  subjects: number
  /** How many edges make this the focus of a capability. */
  focuses: number
  /** The different contents, each at its first place, in source order. */
  contents: ReadonlyArray<Sourced<Node>>
  /** The different contents in normal form and in its order. */
  merged: ReadonlyArray<Normal<Node>>
  /** Whether there is such a node, or a declaration that stands for it. */
  exists: boolean
}

/** What a step changed. */
export interface Step {
  /** The ids about which something came or went. */
  readonly touched: ReadonlySet<StableId>
  /** The ids whose merged nodes are others. */
  readonly nodes: ReadonlySet<StableId>
  /** The ids from which other edges begin. */
  readonly edges: ReadonlySet<StableId>
  /** The ids of which others say something else now: whether they exist, what they are called, whether they are one thing. */
  readonly renamed: ReadonlySet<StableId>
  /** The keys whose site is another. */
  readonly sites: ReadonlySet<string>
}

export interface Merged {
  readonly step: (interpretations: ReadonlySet<Interpretation>) => Step
  readonly vertex: (id: StableId) => Vertex | undefined
  readonly outgoing: (id: StableId) => ReadonlyArray<Edge>
  /** The first place in source order. */
  readonly siteOf: (key: string) => Site | undefined
}

/** What messages call a node. */
export const nameOfNode = (node: Node): string => {
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

/** References that are fields of nodes instead of edges. */
export const fieldReferences = (node: Node): ReadonlyArray<StableId> => {
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

const encodings = new WeakMap<Node, string>()

const encodingOf = (node: Node): string => {
  const known = encodings.get(node)
  if (known !== undefined) return known
  const made = canonicalJson(node)
  encodings.set(node, made)
  return made
}

const differentContents = (group: ReadonlyArray<Sourced<Node>>): ReadonlyArray<Sourced<Node>> => {
  // Most ids have one object; only others are worth an encoding.
  if (group.every(({ value }) => value === group[0]?.value)) return firstPlace(group)
  const contents = Map.groupBy(group, ({ value }) => encodingOf(value))
  return inSourceOrder(
    sortedBy(contents, ([encoding]) => encoding).flatMap(([, same]) => firstPlace(same)),
    ({ site }) => site
  )
}

const firstPlace = (same: ReadonlyArray<Sourced<Node>>): ReadonlyArray<Sourced<Node>> =>
  same.length < 2 ? same : [same.reduce((first, next) => (isBefore(next.site, first.site) ? next : first))]

const isBefore = (a: Site, b: Site): boolean => a !== b && compareSites(a, b) < 0

const isSameSite = (a: Site | undefined, b: Site | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    compareSites(a, b) === 0 &&
    a.span.start === b.span.start &&
    a.span.end === b.span.end)

const isSame = (a: ReadonlyArray<Normal<Node>>, b: ReadonlyArray<Normal<Node>>): boolean =>
  a.length === b.length && a.every(({ encoding }, index) => encoding === b[index]?.encoding)

/** Whether an id is still one thing, or several, with the name that it had. */
const isCalledTheSame = (a: ReadonlyArray<Sourced<Node>>, b: ReadonlyArray<Sourced<Node>>): boolean => {
  const [x, y] = [a[0]?.value, b[0]?.value]
  const isOne = a.length > 1 === b.length > 1
  return isOne && (x === y || (x !== undefined && y !== undefined && nameOfNode(x) === nameOfNode(y)))
}

export const makeMerged = (): Merged => {
  const vertices = new Map<StableId, Vertex>()
  const places = new Map<string, { readonly all: Array<Site>; first: Site | undefined }>()
  let present: ReadonlySet<Interpretation> = new Set()

  const at = (id: StableId): Vertex => {
    const known = vertices.get(id)
    if (known !== undefined) return known
    const made: Vertex = {
      nodes: new Set(),
      edges: new Set(),
      referrers: new Map(),
      subjects: 0,
      focuses: 0,
      contents: [],
      merged: [],
      exists: false
    }
    vertices.set(id, made)
    return made
  }
  const refer = (from: StableId, to: StableId, by: number): void => {
    const { referrers } = at(to)
    const count = (referrers.get(from) ?? 0) + by
    if (count === 0) referrers.delete(from)
    else referrers.set(from, count)
  }

  const step: Merged["step"] = (interpretations) => {
    const touched = new Set<StableId>()
    const edged = new Set<StableId>()
    const placed = new Set<string>()
    const put = (set: Interpretation, by: 1 | -1): void => {
      const change = <A>(all: Set<A>, one: A) => void (by > 0 ? all.add(one) : all.delete(one))
      at(set.subject).subjects += by
      touched.add(set.subject)
      for (const node of set.nodes) {
        change(at(node.value.id).nodes, node)
        touched.add(node.value.id)
        for (const target of fieldReferences(node.value)) {
          refer(node.value.id, target, by)
          touched.add(target)
        }
      }
      for (const edge of set.edges) {
        const { from, kind, to } = edge.value
        change(at(from).edges, edge)
        if (kind === "Focuses") at(to).focuses += by
        refer(from, to, by)
        touched.add(from).add(to)
        edged.add(from)
      }
      for (const [key, site] of set.sites) {
        let place = places.get(key)
        if (place === undefined) {
          place = { all: [], first: undefined }
          places.set(key, place)
        }
        if (by > 0) place.all.push(site)
        else place.all.splice(place.all.indexOf(site), 1)
        placed.add(key)
      }
    }
    for (const gone of present.difference(interpretations)) put(gone, -1)
    for (const come of interpretations.difference(present)) put(come, 1)
    present = interpretations

    const nodes = new Set<StableId>()
    const renamed = new Set<StableId>()
    for (const id of touched) {
      const vertex = at(id)
      const before = { contents: vertex.contents, exists: vertex.exists }
      const all = Array.from(vertex.nodes)
      vertex.contents = differentContents(all)
      vertex.exists = vertex.nodes.size + vertex.subjects > 0
      const merged = normalNodes(Array.from(new Set(all.map(({ value }) => value))))
      if (!isSame(merged, vertex.merged)) {
        vertex.merged = merged
        nodes.add(id)
      }
      if (before.exists !== vertex.exists || !isCalledTheSame(before.contents, vertex.contents)) renamed.add(id)
      if (vertex.nodes.size + vertex.edges.size + vertex.referrers.size + vertex.subjects === 0) vertices.delete(id)
    }
    const sites = new Set<string>()
    for (const key of placed) {
      const place = places.get(key)
      const [head, ...others] = place?.all ?? []
      if (place === undefined || head === undefined) {
        places.delete(key)
        sites.add(key)
        continue
      }
      const first = others.reduce((first, next) => (isBefore(next, first) ? next : first), head)
      if (isSameSite(first, place.first)) continue
      place.first = first
      sites.add(key)
    }
    return { touched, nodes, edges: edged, renamed, sites }
  }

  return {
    step,
    vertex: (id) => vertices.get(id),
    outgoing: (id) =>
      normalEdges(Array.from(vertices.get(id)?.edges ?? [], ({ value }) => value)).map(({ value }) => value),
    siteOf: (key) => places.get(key)?.first
  }
}
