/**
 * The application graph as pictures show it: nodes with names, relations with words.
 *
 * Guarantees: a fixed order; every edge has both ends, since an id without a node becomes a `missing` node. Facts of the
 * built-in extensions are no nodes: they belong to the card of their owner. Third-party facts are.
 */
import {
  type Edge,
  type ExtensionNode,
  type GraphIndex,
  type Node,
  type SchemaFacts,
  type StableId,
  sortedBy
} from "@effx/ir"
import { Option } from "effect"
import { schemaFacts, shapeRefs } from "../shapes.ts"
import { addressOf, nameOfNode } from "./inspect.ts"

export type ViewKind =
  | "model"
  | "schema"
  | "error"
  | "operation"
  | "exposure"
  | "service"
  | "capability"
  | "focus"
  | "extension"
  | "missing"

export interface ViewNode {
  readonly id: StableId
  readonly kind: ViewKind
  readonly label: string
  /** A second, fainter line: `query`, `HTTP`, the module of a schema. */
  readonly note: string
}

/**
 * Relations that are no edges of the IR are derived: `Contains` from shapes (a schema has another one inside), `Over` from
 * capabilities (the model that one is about), `PartOf` from foci (the model that one lies in).
 */
export type ViewEdgeKind = Edge["kind"] | "Contains" | "Over" | "PartOf"

export interface ViewEdge {
  readonly kind: ViewEdgeKind
  readonly from: StableId
  readonly to: StableId
  readonly qualifier?: string
}

export interface GraphView {
  readonly nodes: ReadonlyArray<ViewNode>
  readonly edges: ReadonlyArray<ViewEdge>
}

/** How a relation reads from its beginning and from its end. */
export const RELATIONS: Readonly<Record<ViewEdgeKind, readonly [forward: string, backward: string]>> = {
  InputOf: ["input of", "input"],
  SuccessOf: ["success of", "success"],
  ErrorOf: ["error of", "errors"],
  Requires: ["requires", "required by"],
  AuthorizedBy: ["authorized by", "authorizes"],
  Focuses: ["focuses", "focus of"],
  ExposedAs: ["exposed as", "exposes"],
  PersistsAs: ["persists as", "persisted by"],
  ViewOf: ["view of", "views"],
  ExtensionOf: ["about", "facts"],
  Contains: ["contains", "part of"],
  Over: ["over", "under"],
  PartOf: ["focus in", "foci"]
}

const BUILT_IN = new Set(["core", "http", "rpc", "cli"])

const isForeign = (node: ExtensionNode): boolean => !BUILT_IN.has(node.extension)

/** Whether the id is a built-in extension's fact, which the card of its owner shows. */
const isFact = (index: GraphIndex, id: StableId): boolean =>
  Option.exists(index.node(id), (node) => node._tag === "Extension" && !isForeign(node))

const factsOf = (index: GraphIndex, id: StableId): SchemaFacts | undefined =>
  Option.getOrUndefined(schemaFacts(index, id))

/** A module as readers know it: without the way from the generated folder to the project. */
export const modulePath = (module: string): string => module.replace(/^(?:\.\.?\/)+/, "")

const noteOf = (index: GraphIndex, node: Node): string => {
  switch (node._tag) {
    case "Schema": {
      const status = factsOf(index, node.id)?.status
      const module = modulePath(node.ref.module)
      return status === undefined ? module : `${status} · ${module}`
    }
    case "Operation":
      return node.kind.toLowerCase()
    case "Exposure":
      return addressOf(node.transport).transport
    case "Model":
      return node.table === undefined ? "model" : `table ${node.table}`
    default:
      return node._tag.toLowerCase()
  }
}

const kindOf = (index: GraphIndex, node: Node): ViewKind => {
  if (node._tag !== "Schema") return node._tag.toLowerCase() as ViewKind
  const edges = index.outgoing(node.id)
  const isError =
    edges.some(({ kind }) => kind === "ErrorOf") && edges.every(({ kind }) => kind === "ErrorOf" || kind === "ViewOf")
  return isError ? "error" : "schema"
}

/** Makes the view of an IR. */
export const graphView = (index: GraphIndex): GraphView => {
  const known = new Map<StableId, ViewNode>()
  for (const node of index.ir.nodes) {
    if (known.has(node.id) || (node._tag === "Extension" && !isForeign(node))) continue
    known.set(node.id, {
      id: node.id,
      kind: kindOf(index, node),
      label: nameOfNode(index, node.id),
      note: noteOf(index, node)
    })
  }
  const edges: ReadonlyArray<ViewEdge> = [
    ...index.ir.edges.filter(({ from, to }) => !isFact(index, from) && !isFact(index, to)),
    ...index.tagged("Capability").map(({ id, resource }): ViewEdge => ({ kind: "Over", from: id, to: resource })),
    ...index.tagged("Focus").map(({ id, root }): ViewEdge => ({ kind: "PartOf", from: id, to: root }))
  ]
  for (const { from, to } of edges) {
    for (const id of [from, to]) {
      if (!known.has(id)) known.set(id, { id, kind: "missing", label: nameOfNode(index, id), note: "not declared" })
    }
  }
  const contained = index.tagged("Schema").flatMap(({ id }) => {
    const facts = factsOf(index, id)
    const refs = Array.from(new Set(facts === undefined ? [] : shapeRefs(facts.shape)))
    return refs.filter((to) => known.has(to)).map((to): ViewEdge => ({ kind: "Contains", from: id, to }))
  })
  return {
    nodes: sortedBy(known.values(), ({ id }) => id),
    edges: sortedBy([...edges, ...contained], ({ from, kind, qualifier = "", to }) =>
      [from, to, kind, qualifier].join("\n")
    )
  }
}
