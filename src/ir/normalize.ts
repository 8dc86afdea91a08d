/**
 * The normal form of an IR: nodes, edges and set-like fields sorted and deduplicated by their canonical encoding, and
 * every value as its canonical encoding reads back (well-formed strings, no negative zero, no undefined keys).
 *
 * Guarantees: idempotent; independent of the order of its input; decoding the canonical JSON of an IR gives its normal
 * form; ordered fields (`path`, `words`, extension data) stay as they are. It deliberately keeps nodes that share an id
 * but differ: they are EFFX1001, reported by the compiler.
 */
import type { ApplicationIR } from "./application.ts"
import { canonicalJson, compareStrings } from "./canonical-json.ts"
import type { Node } from "./node.ts"

const toSet = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> =>
  Array.from(new Set(items.map(canonicalJson)))
    .sort(compareStrings)
    .map((encoding) => JSON.parse(encoding))

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

/** The normal forms made so far: every stage asks for one, and only the first has to work for it. */
const normal = new WeakSet<ApplicationIR>()

/** Brings an IR into normal form; gives a normal form back as it is. */
export const normalize = (ir: ApplicationIR): ApplicationIR => {
  if (normal.has(ir)) return ir
  const result: ApplicationIR = { ...ir, nodes: toSet(ir.nodes.map(normalizeNode)), edges: toSet(ir.edges) }
  normal.add(result)
  return result
}
