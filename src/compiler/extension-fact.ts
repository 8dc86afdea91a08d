/**
 * Facts without a node kind of their own: `Extension` nodes that belong to another node.
 *
 * Guarantees: the id of a fact is a function of extension, tag and owner, so two contributions of one fact are one node or
 * an EFFX1001. It does not decode data: whoever reads a fact knows its schema.
 */
import { type Edge, type ExtensionNode, encodeName, type NodeLookup, type StableId } from "@effx/ir"
import { Option, type Schema } from "effect"

/** A node with the edge to its owner. */
export interface ExtensionFact {
  readonly node: ExtensionNode
  readonly edge: Edge
}

/** The id of the fact `tag` of `extension` about `owner`: `ext:<extension>/<tag>/<owner id>`. */
export const extensionFactId = (extension: string, tag: string, owner: StableId): StableId =>
  `ext:${encodeName(`${extension}/${tag}`)}/${owner}` as StableId

/** Makes a fact about `owner`. */
export const extensionFact = (
  extension: string,
  tag: string,
  owner: StableId,
  data: typeof Schema.Json.Type
): ExtensionFact => {
  const id = extensionFactId(extension, tag, owner)
  return {
    node: { _tag: "Extension", id, extension, tag, data },
    edge: { kind: "ExtensionOf", from: id, to: owner, qualifier: tag }
  }
}

/** The data of the fact `tag` of `extension` about `owner`. */
export const readFact = (
  index: NodeLookup,
  extension: string,
  tag: string,
  owner: StableId
): Option.Option<typeof Schema.Json.Type> =>
  Option.flatMap(index.node(extensionFactId(extension, tag, owner)), (node) =>
    node._tag === "Extension" ? Option.some(node.data) : Option.none()
  )
