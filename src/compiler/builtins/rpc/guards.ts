/**
 * EFFX2505: an operation that is protected over HTTP, or that requires a capability, should not be reachable by RPC without
 * a guard. A warning; an error under `strictAccess`.
 */
import { EFFX2505 } from "@effx/diagnostics"
import type { GraphIndex, OperationNode } from "@effx/ir"
import { Option } from "effect"
import type { Analysis } from "../../extension.ts"
import { accessOf, rpcGuardsOf } from "../../facts.ts"

type Because = Parameters<typeof EFFX2505.make>[0]["because"]

const reasonFor = (index: GraphIndex, operation: OperationNode): Because | undefined => {
  if (accessOf(index, operation.id)?.exposure === "protected") return { _tag: "Protected" }
  const names = index.outgoing(operation.id).flatMap((edge) => {
    const target = edge.kind === "AuthorizedBy" ? Option.getOrUndefined(index.node(edge.to)) : undefined
    return target?._tag === "Capability" ? [target.name] : []
  })
  return names[0] === undefined ? undefined : { _tag: "Authorized", capability: names[0] }
}

export const guards: Analysis = {
  name: "guards",
  analyze: ({ index, options, siteOf }) =>
    index.tagged("Exposure").flatMap(({ id, operation, transport }) => {
      const owner = Option.getOrUndefined(index.node(operation))
      if (transport._tag !== "rpc" || owner?._tag !== "Operation") return []
      if (rpcGuardsOf(index, id).length > 0) return []
      const because = reasonFor(index, owner)
      if (because === undefined) return []
      const severity = options.strictAccess ? "error" : "warning"
      return EFFX2505.make({ operation: owner.name, rpc: transport.name, because }, { site: siteOf(id), severity })
    })
}
