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
import type { Edge } from "./edge.ts"
import type { Node } from "./node.ts"

/** An item in normal form, with its encoding. */
export interface Normal<A> {
  readonly encoding: string
  readonly value: A
}

/**
 * The normal forms of items made so far, for who goes on from one IR to the next: items never change, and in a session nearly all were
 * there before. Whoever holds it drops what is gone. A weak map would, but each of its entries costs every collection of garbage.
 */
export type NormalForms = Map<object, Normal<unknown>>

const normalItem = <A extends object>(item: A, form: (item: A) => A, forms: NormalForms): Normal<A> => {
  const known = forms.get(item)
  if (known !== undefined) return known as Normal<A>
  const encoding = canonicalJson(form(item))
  const made: Normal<A> = { encoding, value: JSON.parse(encoding) }
  forms.set(item, made)
  return made
}

/** A set in normal form. Without a comparison, `sort` compares by UTF-16 code units. */
const normalSet = <A extends object>(
  items: ReadonlyArray<A>,
  form: (item: A) => A,
  forms: NormalForms
): ReadonlyArray<Normal<A>> => {
  const byEncoding = new Map<string, Normal<A>>()
  for (const item of items) {
    const normal = normalItem(item, form, forms)
    if (!byEncoding.has(normal.encoding)) byEncoding.set(normal.encoding, normal)
  }
  return Array.from(byEncoding.keys())
    .sort()
    .flatMap((encoding) => byEncoding.get(encoding) ?? [])
}

const toSet = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> =>
  items.length === 0
    ? items
    : Array.from(new Set(items.map(canonicalJson)))
        .sort()
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

const asItIs = <A>(item: A): A => item

/** The normal forms of nodes, each once, in the order in which a normal form has them. */
export const normalNodes = (nodes: ReadonlyArray<Node>, forms: NormalForms): ReadonlyArray<Normal<Node>> =>
  normalSet(nodes, normalizeNode, forms)

/** The same of edges. */
export const normalEdges = (edges: ReadonlyArray<Edge>, forms: NormalForms): ReadonlyArray<Normal<Edge>> =>
  normalSet(edges, asItIs, forms)

/** The normal forms made so far, encoded: every stage asks for one, and only the first has to work for it. */
const normal = new WeakMap<ApplicationIR, string>()

/**
 * Brings an IR into normal form; gives a normal form back as it is.
 *
 * @param forms those of earlier IRs, which those of this one are added to
 */
export const normalize = (ir: ApplicationIR, forms: NormalForms = new Map()): ApplicationIR => {
  if (normal.has(ir)) return ir
  const nodes = normalNodes(ir.nodes, forms)
  const edges = normalEdges(ir.edges, forms)
  const list = (items: ReadonlyArray<Normal<unknown>>): string => items.map(({ encoding }) => encoding).join(",")
  const result: ApplicationIR = {
    edges: edges.map(({ value }) => value),
    format: "effx-ir",
    nodes: nodes.map(({ value }) => value),
    version: 1
  }
  // The members of the canonical JSON of an IR, in the order of their keys.
  normal.set(result, `{"edges":[${list(edges)}],"format":"effx-ir","nodes":[${list(nodes)}],"version":1}`)
  return result
}

/** RFC 8785 JSON of the normalized IR, without a final newline. */
export const canonical = (ir: ApplicationIR): string => normal.get(normalize(ir)) ?? canonicalJson(normalize(ir))
