/** Service nodes and the key that identifies each at run time. */
import type { Site } from "@effx/diagnostics"
import type { Edge, Node, StableId, SymbolRef } from "@effx/ir"
import type { Collected } from "../../collected.ts"
import { extensionFact } from "../../extension-fact.ts"
import type { SchemaContribution } from "./schemas.ts"

export interface NamedService {
  readonly id: StableId
  readonly ref: SymbolRef
  /** The place that names the service, for services declared outside the project. */
  readonly site: Site
}

const sameSymbol = (a: SymbolRef, b: SymbolRef): boolean =>
  a.module === b.module && a.export === b.export && a.member === b.member

/** Contributes services. Two classes of one id keep the places that name them, so that EFFX1001 can point at both. */
export const serviceContribution = (
  services: Collected["services"],
  named: ReadonlyArray<NamedService>
): SchemaContribution => {
  const nodes: Array<Node> = []
  const edges: Array<Edge> = []
  const sites: Record<string, Site> = {}
  for (const { id, ref, site } of named) {
    nodes.push({ _tag: "Service", id, name: ref.export, symbol: ref })
    const info = services[id]
    const described = info !== undefined && sameSymbol(info.ref, ref)
    sites[id] = (described ? info.site : undefined) ?? site
    if (!described || info.key === undefined) continue
    const { node, edge } = extensionFact("core", "service-key", id, { key: info.key })
    nodes.push(node)
    edges.push(edge)
  }
  return { nodes, edges, sites }
}
