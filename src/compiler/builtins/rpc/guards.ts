/**
 * EFFX2505: an operation that is protected over HTTP, or that requires a capability, should not be reachable by RPC without
 * a guard. A warning; an error under `strictAccess`.
 */
import { EFFX2505 } from "@effx/diagnostics"
import type { NodeLookup, OperationNode } from "@effx/ir"
import { Option } from "effect"
import type { NodeAnalysis } from "../../extension.ts"
import { accessOf, rpcGuardsOf } from "../../facts.ts"

type Because = Parameters<typeof EFFX2505.make>[0]["because"]

const reasonFor = (index: NodeLookup, operation: OperationNode): Because | undefined => {
  if (accessOf(index, operation.id)?.exposure === "protected") return { _tag: "Protected" }
  const names = index.outgoing(operation.id).flatMap((edge) => {
    const target = edge.kind === "AuthorizedBy" ? Option.getOrUndefined(index.node(edge.to)) : undefined
    return target?._tag === "Capability" ? [target.name] : []
  })
  return names[0] === undefined ? undefined : { _tag: "Authorized", capability: names[0] }
}

export const guards: NodeAnalysis<"Exposure"> = {
  name: "guards",
  of: "Exposure",
  judge: ({ id, operation, transport }, { index, options, siteOf }) => {
    if (transport._tag !== "rpc") return {}
    const owner = Option.getOrUndefined(index.node(operation))
    if (owner?._tag !== "Operation" || rpcGuardsOf(index, id).length > 0) return {}
    const because = reasonFor(index, owner)
    if (because === undefined) return {}
    const severity = options.strictAccess ? "error" : "warning"
    const params = { operation: owner.name, rpc: transport.name, because }
    return { diagnostics: [EFFX2505.make(params, { site: siteOf(id), severity })] }
  }
}
