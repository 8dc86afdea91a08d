/**
 * The normal form of an IR: nodes, edges and set-like fields sorted and deduplicated by their canonical encoding.
 *
 * Guarantees: idempotent; independent of the order of its input; ordered fields (`path`, `words`, extension data) stay as
 * they are. It deliberately keeps nodes that share an id but differ: they are EFFX1001, reported by the compiler.
 */
import type { ApplicationIR } from "./application.ts"
import { canonicalJson, sortedBy } from "./canonical-json.ts"
import type { Node } from "./node.ts"

const toSet = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => {
  const byEncoding = new Map(items.map((item) => [canonicalJson(item), item]))
  return sortedBy(byEncoding, ([encoding]) => encoding).map(([, item]) => item)
}

const normalizeNode = (node: Node): Node => {
  switch (node._tag) {
    case "Operation":
      return {
        ...node,
        errors: { ...node.errors, values: toSet(node.errors.values) },
        requirements: { ...node.requirements, values: toSet(node.requirements.values) }
      }
    case "Model":
      return { ...node, views: toSet(node.views) }
    default:
      return node
  }
}

/** Brings an IR into normal form. */
export const normalize = (ir: ApplicationIR): ApplicationIR => ({
  ...ir,
  nodes: toSet(ir.nodes.map(normalizeNode)),
  edges: toSet(ir.edges)
})
