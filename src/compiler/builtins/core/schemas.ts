/**
 * Schema nodes with what source tells about them, and everything that their shapes refer to.
 *
 * One schema gives the same node objects whoever contributes it, so that the pipeline checks each only once.
 */
import type { Site } from "@effx/diagnostics"
import type { Edge, Node, SchemaRef, StableId } from "@effx/ir"
import type { Collected, SchemaInfo } from "../../collected.ts"
import { extensionFact } from "../../extension-fact.ts"
import { shapeRefs } from "../../shapes.ts"

interface Described {
  readonly nodes: ReadonlyArray<Node>
  readonly edges: ReadonlyArray<Edge>
  readonly refs: ReadonlyArray<StableId>
}

const described = new WeakMap<SchemaInfo, Described>()

const describe = (info: SchemaInfo): Described => {
  const known = described.get(info)
  if (known !== undefined) return known
  const { ref, recursion: _recursion, site: _site, ...facts } = info
  const id = ref.symbolId
  // Facts are JSON by their schema; the pipeline decodes them like everything that an extension returns.
  const { node, edge } = extensionFact("core", "schema", id, facts as never)
  const made: Described = {
    nodes: [{ _tag: "Schema", id, ref }, node],
    edges: [edge],
    refs: shapeRefs(info.shape)
  }
  described.set(info, made)
  return made
}

export interface SchemaContribution {
  readonly nodes: ReadonlyArray<Node>
  readonly edges: ReadonlyArray<Edge>
  readonly sites: Readonly<Record<string, Site>>
}

/**
 * Contributes schemas and what they refer to.
 *
 * @param named the schemas that source names, each with the place that names it, for schemas declared outside the project
 */
export const schemaContribution = (
  schemas: Collected["schemas"],
  named: ReadonlyArray<{ readonly ref: SchemaRef; readonly site: Site }>
): SchemaContribution => {
  const nodes: Array<Node> = []
  const edges: Array<Edge> = []
  const sites: Record<string, Site> = {}
  const pending = named.map(({ ref, site }) => ({ id: ref.symbolId, ref, site }) as Pending)
  const seen = new Set<StableId>()
  for (const { id, ref, site } of pending) {
    if (seen.has(id)) continue
    seen.add(id)
    const info = schemas[id]
    if (info === undefined) {
      if (ref !== undefined) nodes.push({ _tag: "Schema", id, ref })
      sites[id] = site
      continue
    }
    const { nodes: own, edges: facts, refs } = describe(info)
    nodes.push(...own)
    edges.push(...facts)
    sites[id] = info.site ?? site
    if (info.recursion !== undefined) sites[`${id}#recursion`] = info.recursion
    pending.push(...refs.map((next) => ({ id: next, site: info.site ?? site })))
  }
  return { nodes, edges, sites }
}

interface Pending {
  readonly id: StableId
  readonly ref?: SchemaRef
  readonly site: Site
}
