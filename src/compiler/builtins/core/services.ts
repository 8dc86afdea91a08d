/** Service nodes and the key that identifies each at run time. */
import type { Site } from "@effx/diagnostics"
import type { Edge, Node, StableId, SymbolRef } from "@effx/ir"
import type { Collected, ServiceInfo } from "../../collected.ts"
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

interface Described {
  readonly nodes: ReadonlyArray<Node>
  readonly edges: ReadonlyArray<Edge>
}

const serviceNode = (id: StableId, symbol: SymbolRef): Node => ({ _tag: "Service", id, name: symbol.export, symbol })

const described = new WeakMap<ServiceInfo, Described>()

/** One service gives the same node objects whoever contributes it, as one schema does. */
const describe = (id: StableId, info: ServiceInfo): Described => {
  const known = described.get(info)
  if (known !== undefined) return known
  const fact = info.key === undefined ? undefined : extensionFact("core", "service-key", id, { key: info.key })
  const made: Described = {
    nodes: [serviceNode(id, info.ref), ...(fact === undefined ? [] : [fact.node])],
    edges: fact === undefined ? [] : [fact.edge]
  }
  described.set(info, made)
  return made
}

/** Contributes services. Two classes of one id keep the places that name them, so that EFFX1001 can point at both. */
export const serviceContribution = (
  services: Collected["services"],
  named: ReadonlyArray<NamedService>
): SchemaContribution => {
  const nodes: Array<Node> = []
  const edges: Array<Edge> = []
  const sites: Record<string, Site> = {}
  for (const { id, ref, site } of named) {
    const info = services[id]
    if (info === undefined || !sameSymbol(info.ref, ref)) {
      nodes.push(serviceNode(id, ref))
      sites[id] = site
      continue
    }
    const own = describe(id, info)
    nodes.push(...own.nodes)
    edges.push(...own.edges)
    sites[id] = info.site ?? site
  }
  return { nodes, edges, sites }
}
