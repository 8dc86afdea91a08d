/**
 * The normal form of an IR: nodes, edges and set-like fields sorted and deduplicated by their canonical encoding, and
 * every value as its canonical encoding reads back (well-formed strings, no negative zero, no undefined keys).
 *
 * Guarantees: idempotent; independent of the order of its input; decoding the canonical JSON of an IR gives its normal
 * form; ordered fields (`path`, `words`, extension data) stay as they are. It deliberately keeps nodes that share an id
 * but differ: they are EFFX1001, reported by the compiler.
 */
import type { ApplicationIR } from "./application.ts"
import { canonicalJson } from "./canonical-json.ts"
import type { Node } from "./node.ts"

/** The encodings of a set, sorted. Without a comparison, `sort` compares by UTF-16 code units. */
const encodings = (items: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  Array.from(new Set(items.map(canonicalJson))).sort()

const toSet = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> =>
  items.length === 0 ? items : encodings(items).map((encoding) => JSON.parse(encoding))

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

/** The normal forms made so far, encoded: every stage asks for one, and only the first has to work for it. */
const normal = new WeakMap<ApplicationIR, string>()

/** Brings an IR into normal form; gives a normal form back as it is. */
export const normalize = (ir: ApplicationIR): ApplicationIR => {
  if (normal.has(ir)) return ir
  const nodes = encodings(ir.nodes.map(normalizeNode))
  const edges = encodings(ir.edges)
  // The members of the canonical JSON of an IR, in the order of their keys.
  const encoding = `{"edges":[${edges.join(",")}],"format":"effx-ir","nodes":[${nodes.join(",")}],"version":1}`
  const result: ApplicationIR = JSON.parse(encoding)
  normal.set(result, encoding)
  return result
}

/** RFC 8785 JSON of the normalized IR, without a final newline. */
export const canonical = (ir: ApplicationIR): string => normal.get(normalize(ir)) ?? canonicalJson(normalize(ir))
