/**
 * The IR as a graph: an index by stable id for queries, and a lossless round trip through Effect's `Graph`.
 *
 * Effect's node indices are insertion numbers; they never leave this module. Nodes that share an id and edges to missing
 * nodes are legal here, because both are findings that the compiler reports.
 */
import { Graph, Option } from "effect"
import { type ApplicationIR, applicationIR } from "./application.ts"
import { compareStrings, sortedBy } from "./canonical-json.ts"
import type { Edge } from "./edge.ts"
import type { Node } from "./node.ts"
import { normalize } from "./normalize.ts"
import type { StableId } from "./stable-id.ts"

/** A node of the graph; `node` is absent for an id that only edges name. */
export interface Vertex {
  readonly id: StableId
  readonly node?: Node
}

/** Converts a normalized copy of the IR; ids that only edges name become vertices without a node. */
export const toGraph = (input: ApplicationIR): Graph.DirectedGraph<Vertex, Edge> => {
  const ir = normalize(input)
  return Graph.directed<Vertex, Edge>((mutable) => {
    const indices = new Map<StableId, Graph.NodeIndex>()
    for (const node of ir.nodes) {
      const index = Graph.addNode(mutable, { id: node.id, node })
      if (!indices.has(node.id)) indices.set(node.id, index)
    }
    const indexOf = (id: StableId): Graph.NodeIndex => {
      const known = indices.get(id)
      if (known !== undefined) return known
      const index = Graph.addNode(mutable, { id } as Vertex)
      indices.set(id, index)
      return index
    }
    for (const edge of ir.edges) Graph.addEdge(mutable, indexOf(edge.from), indexOf(edge.to), edge)
  })
}

/** The inverse of `toGraph`: gives the normalized IR back. */
export const fromGraph = (graph: Graph.DirectedGraph<Vertex, Edge>): ApplicationIR => {
  const snapshot = Graph.toSnapshot(graph)
  const nodes = snapshot.nodes.flatMap(({ data }) => (data.node === undefined ? [] : [data.node]))
  const edges = snapshot.edges.map(({ data }) => data)
  return normalize(applicationIR(nodes, edges))
}

/** Answers questions about single ids of a normalized IR. */
export interface NodeLookup {
  /** The first node with this id. */
  readonly node: (id: StableId) => Option.Option<Node>
  readonly outgoing: (id: StableId) => ReadonlyArray<Edge>
}

/** Answers questions about a normalized IR; every list is in a fixed order. */
export interface GraphIndex extends NodeLookup {
  readonly ir: ApplicationIR
  readonly incoming: (id: StableId) => ReadonlyArray<Edge>
  /** All ids that a walk along outgoing edges reaches, `id` included, sorted. */
  readonly reachable: (id: StableId) => ReadonlyArray<StableId>
  /** The strongly connected components of more than one id, and self loops; each sorted, and sorted among themselves. */
  readonly cycles: () => ReadonlyArray<ReadonlyArray<StableId>>
  /** Edges with an end that has no node; an edge without both ends occurs twice, `from` first. */
  readonly missingTargets: () => ReadonlyArray<{ readonly edge: Edge; readonly missing: StableId }>
  /** The ids that begin with `prefix`, sorted. */
  readonly withPrefix: (prefix: string) => ReadonlyArray<StableId>
  /** The nodes with this tag, by id. */
  readonly tagged: <T extends Node["_tag"]>(tag: T) => ReadonlyArray<Extract<Node, { readonly _tag: T }>>
}

const group = (edges: ReadonlyArray<Edge>, end: "from" | "to"): ReadonlyMap<StableId, ReadonlyArray<Edge>> =>
  Map.groupBy(edges, (edge) => edge[end])

/** Indexes an IR; the input is normalized first. */
export const indexOf = (input: ApplicationIR): GraphIndex => {
  const ir = normalize(input)
  const inOrder = sortedBy(ir.nodes, (node) => node.id)
  const nodes = new Map<StableId, Node>()
  for (const node of inOrder) if (!nodes.has(node.id)) nodes.set(node.id, node)
  const from = group(ir.edges, "from")
  const to = group(ir.edges, "to")
  const byTag = Map.groupBy(inOrder, (node) => node._tag)
  const outgoing = (id: StableId): ReadonlyArray<Edge> => from.get(id) ?? []
  return {
    ir,
    node: (id) => Option.fromUndefinedOr(nodes.get(id)),
    outgoing,
    incoming: (id) => to.get(id) ?? [],
    reachable: (id) => {
      const seen = new Set<StableId>([id])
      for (const next of seen) for (const edge of outgoing(next)) seen.add(edge.to)
      return Array.from(seen).sort(compareStrings)
    },
    cycles: () => {
      const graph = toGraph(ir)
      const idOf = (index: Graph.NodeIndex): StableId => Option.getOrThrow(Graph.getNode(graph, index)).id
      const isCycle = ([id, ...others]: ReadonlyArray<StableId>): boolean =>
        others.length > 0 || (id !== undefined && outgoing(id).some((edge) => edge.to === id))
      const components = Graph.stronglyConnectedComponents(graph)
        .map((component) => component.map(idOf).sort(compareStrings))
        .filter(isCycle)
      return sortedBy(components, (ids) => ids.join("\n"))
    },
    missingTargets: () =>
      ir.edges.flatMap((edge) =>
        Array.from(new Set([edge.from, edge.to]))
          .filter((id) => !nodes.has(id))
          .map((missing) => ({ edge, missing }))
      ),
    withPrefix: (prefix) => Array.from(nodes.keys()).filter((id) => id.startsWith(prefix)),
    tagged: <T extends Node["_tag"]>(tag: T) => {
      const isTagged = (node: Node): node is Extract<Node, { readonly _tag: T }> => node._tag === tag
      return (byTag.get(tag) ?? []).filter(isTagged)
    }
  }
}
