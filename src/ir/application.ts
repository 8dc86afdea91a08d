/**
 * The whole intermediate representation. The codec, the type and the arbitrary are all derived from this one schema.
 */
import { Schema } from "effect"
import { Edge } from "./edge.ts"
import { Node } from "./node.ts"

export const ApplicationIR = Schema.Struct({
  format: Schema.Literal("effx-ir"),
  version: Schema.Literal(1),
  nodes: Schema.Array(Node),
  edges: Schema.Array(Edge)
})
export type ApplicationIR = typeof ApplicationIR.Type

/** Wraps nodes and edges; the result is not normalized. */
export const applicationIR = (nodes: ReadonlyArray<Node>, edges: ReadonlyArray<Edge>): ApplicationIR => ({
  format: "effx-ir",
  version: 1,
  nodes,
  edges
})

/** `ir.json`: the IR as JSON text. Decoding accepts any order and white space; `canonical` writes the one form. */
export const ApplicationIRFromJson = Schema.fromJsonString(ApplicationIR)
