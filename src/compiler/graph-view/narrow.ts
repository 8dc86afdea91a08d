/** The part of an application around one name. */
import { applicationIR, type GraphIndex, indexOf, type StableId } from "@effx/ir"
import { Option } from "effect"
import { nameOfNode } from "./inspect.ts"

/**
 * What `name` reaches along edges, plus one step back from it, with the facts about all of them.
 *
 * @param name a stable id, or the name of operations, schemas, services, …; several nodes of one name are taken together
 * @returns none when nothing has that name
 */
export const narrow = (index: GraphIndex, name: string): Option.Option<GraphIndex> => {
  const ids = index.withPrefix("").filter((id) => !id.startsWith("ext:"))
  const starts = ids.filter((id) => id === name || nameOfNode(index, id) === name)
  if (starts.length === 0) return Option.none()
  const kept = new Set<StableId>()
  for (const start of starts) {
    for (const id of index.reachable(start)) kept.add(id)
    for (const { from, kind } of index.incoming(start)) if (kind !== "ExtensionOf") kept.add(from)
  }
  for (const id of Array.from(kept)) {
    for (const { from, kind } of index.incoming(id)) if (kind === "ExtensionOf") kept.add(from)
  }
  return Option.some(
    indexOf(
      applicationIR(
        index.ir.nodes.filter(({ id }) => kept.has(id)),
        index.ir.edges.filter(({ from, to }) => kept.has(from) && kept.has(to))
      )
    )
  )
}
