/**
 * The graph that interpretations add up to, which follows them as they come and go.
 *
 * Guarantees: after any sequence of steps it is the graph of the interpretations that are there, whatever was there before; a step
 * takes time by what comes and goes. What the graph means is left to `graph-findings.ts` and the analyses.
 */
import type { Site } from "@effx/diagnostics"
import {
  type ApplicationIR,
  canonicalJson,
  type Edge,
  type Node,
  type Normal,
  type NormalForms,
  nameOf,
  normalEdges,
  normalize,
  normalNodes,
  type StableId,
  sortedBy
} from "@effx/ir"
import { compareSites, inSourceOrder } from "../source-order.ts"
import type { Interpretation, Sourced } from "./interpret.ts"

/** One id with everything that is contributed about it. */
export interface Vertex {
  /** What it is, by content as contributed. */
  readonly nodes: Map<Node, Set<Sourced<Node>>>
  /** The edges that begin here. */
  readonly edges: Set<Sourced<Edge>>
  /** The interpretations that name the id: as a node, at an end of an edge, in a field. */
  readonly mentions: Set<Interpretation>
  /** How many declarations stand for the id. */
  subjects: number
  /** How many edges make it the focus of a capability, and how many make it a fact about another. */
  focuses: number
  facts: number
  /** The different contents in normal form and in its order. */
  merged: ReadonlyArray<Normal<Node>>
  said: Said
}

/** What findings about others say of an id. */
export interface Said {
  /** Whether there is such a node, or a declaration that stands for it. */
  readonly exists: boolean
  /** What messages call it, where there is a node. */
  readonly name: string | undefined
  /** Whether it is several things. */
  readonly isDuplicate: boolean
  readonly isFocus: boolean
  readonly isOwned: boolean
}

/** What a step changed. */
export interface Step {
  readonly come: ReadonlySet<Interpretation>
  readonly gone: ReadonlySet<Interpretation>
  /** The ids whose contents, or the places of these, may be others. */
  readonly touched: ReadonlySet<StableId>
  /** The ids whose merged nodes are others. */
  readonly nodes: ReadonlySet<StableId>
  /** The ids from which other edges may begin. */
  readonly edges: ReadonlySet<StableId>
  /** The ids of which something else is said. */
  readonly said: ReadonlySet<StableId>
  /** The keys whose site is another. */
  readonly sites: ReadonlySet<string>
}

export interface Merged {
  readonly step: (interpretations: ReadonlySet<Interpretation>) => Step
  readonly vertex: (id: StableId) => Vertex | undefined
  /** The different contents of an id, each at its first place, in source order. */
  readonly contents: (id: StableId) => ReadonlyArray<Sourced<Node>>
  readonly outgoing: (id: StableId) => ReadonlyArray<Edge>
  /** The first place in source order. */
  readonly siteOf: (key: string) => Site | undefined
  /** The normal form of the IR of some interpretations: with little work where they are those of the last step. */
  readonly normalize: (ir: ApplicationIR, of: ReadonlySet<Interpretation>) => ApplicationIR
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

const firstPlace = (same: ReadonlyArray<Sourced<Node>>): ReadonlyArray<Sourced<Node>> =>
  same.length < 2 ? same : [same.reduce((first, next) => (isBefore(next.site, first.site) ? next : first))]

const contentsOf = ({ nodes }: Vertex): ReadonlyArray<Sourced<Node>> => {
  const byEncoding = Map.groupBy(nodes, ([node]) => encodingOf(node))
  return inSourceOrder(
    sortedBy(byEncoding, ([encoding]) => encoding).flatMap(([, same]) =>
      firstPlace(same.flatMap(([, contributed]) => Array.from(contributed)))
    ),
    ({ site }) => site
  )
}

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

const NOTHING: Said = { exists: false, name: undefined, isDuplicate: false, isFocus: false, isOwned: false }

const saidOf = (vertex: Vertex): Said => {
  const [first, ...others] = vertex.nodes.keys()
  // Most ids have one object; only others are worth an encoding.
  const contents = others.length === 0 ? undefined : contentsOf(vertex)
  const node = contents === undefined ? first : contents[0]?.value
  return {
    exists: vertex.nodes.size + vertex.subjects > 0,
    name: node && nameOfNode(node),
    isDuplicate: contents !== undefined && contents.length > 1,
    isFocus: vertex.focuses > 0,
    isOwned: vertex.facts > 0
  }
}

const isSaid = (a: Said, b: Said): boolean =>
  a.exists === b.exists &&
  a.name === b.name &&
  a.isDuplicate === b.isDuplicate &&
  a.isFocus === b.isFocus &&
  a.isOwned === b.isOwned

export const makeMerged = (): Merged => {
  const vertices = new Map<StableId, Vertex>()
  const places = new Map<string, { readonly all: Array<Site>; first: Site | undefined }>()
  let present: ReadonlySet<Interpretation> = new Set()
  const forms: NormalForms = new Map()

  const at = (id: StableId): Vertex => {
    const known = vertices.get(id)
    if (known !== undefined) return known
    const made: Vertex = {
      nodes: new Map(),
      edges: new Set(),
      mentions: new Set(),
      subjects: 0,
      focuses: 0,
      facts: 0,
      merged: [],
      said: NOTHING
    }
    vertices.set(id, made)
    return made
  }

  const step: Merged["step"] = (interpretations) => {
    const touched = new Set<StableId>()
    const edged = new Set<StableId>()
    const placed = new Set<string>()
    const put = (one: Interpretation, by: 1 | -1): void => {
      const change = <A>(all: Set<A>, item: A) => void (by > 0 ? all.add(item) : all.delete(item))
      const mention = (id: StableId): Vertex => {
        const vertex = at(id)
        change(vertex.mentions, one)
        touched.add(id)
        return vertex
      }
      mention(one.subject).subjects += by
      for (const node of one.nodes) {
        const { nodes } = mention(node.value.id)
        const contributed = nodes.get(node.value) ?? new Set()
        change(contributed, node)
        if (contributed.size > 0) nodes.set(node.value, contributed)
        else nodes.delete(node.value)
        for (const target of fieldReferences(node.value)) mention(target)
      }
      for (const edge of one.edges) {
        const { from, kind, to } = edge.value
        const [source, target] = [mention(from), mention(to)]
        change(source.edges, edge)
        if (kind === "Focuses") target.focuses += by
        if (kind === "ExtensionOf") source.facts += by
        edged.add(from)
      }
      for (const [key, site] of one.sites) {
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
    const gone = present.difference(interpretations)
    const come = interpretations.difference(present)
    for (const one of gone) {
      put(one, -1)
      // What others contribute as well is made again.
      for (const { value } of [...one.nodes, ...one.edges]) forms.delete(value)
    }
    for (const one of come) put(one, 1)
    present = interpretations

    const nodes = new Set<StableId>()
    const said = new Set<StableId>()
    for (const id of touched) {
      const vertex = at(id)
      const merged = normalNodes(Array.from(vertex.nodes.keys()), forms)
      if (!isSame(merged, vertex.merged)) {
        vertex.merged = merged
        nodes.add(id)
      }
      const now = saidOf(vertex)
      if (!isSaid(now, vertex.said)) {
        vertex.said = now
        said.add(id)
      }
      if (vertex.mentions.size === 0) vertices.delete(id)
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
    return { come, gone, touched, nodes, edges: edged, said, sites }
  }

  return {
    step,
    vertex: (id) => vertices.get(id),
    contents: (id) => {
      const vertex = vertices.get(id)
      return vertex === undefined ? [] : contentsOf(vertex)
    },
    outgoing: (id) =>
      normalEdges(
        Array.from(vertices.get(id)?.edges ?? [], ({ value }) => value),
        forms
      ).map(({ value }) => value),
    siteOf: (key) => places.get(key)?.first,
    normalize: (ir, of) => normalize(ir, of === present ? forms : new Map())
  }
}
