/** EFFX2501: a name by which callers reach an operation belongs to one operation. */
import { type Diagnostic, EFFX2501, type Site } from "@effx/diagnostics"
import type { StableId } from "@effx/ir"
import type { Analysis } from "../extension.ts"
import { inSourceOrder } from "../source-order.ts"
import { relatedAt } from "./related.ts"

interface Claim {
  readonly name: string
  readonly operation: string
  readonly site: Site | undefined
}

/** The words of a command and the name of an RPC, as callers write them. */
export const claimedNames = (transport: "rpc" | "cli"): Analysis => ({
  name: "claimed-names",
  analyze: ({ index, siteOf }) => {
    const operationName = (id: StableId): string | undefined => {
      const operation = index.node(id)
      return operation._tag === "Some" && operation.value._tag === "Operation" ? operation.value.name : undefined
    }
    const claims = index.tagged("Exposure").flatMap((exposure): ReadonlyArray<Claim> => {
      const operation = operationName(exposure.operation)
      if (operation === undefined || exposure.transport._tag !== transport) return []
      const name = exposure.transport._tag === "rpc" ? exposure.transport.name : exposure.transport.words.join(" ")
      return [{ name, operation, site: siteOf(exposure.id, "name") ?? siteOf(exposure.id) }]
    })
    const found: Array<Diagnostic> = []
    for (const [name, group] of Map.groupBy(claims, (claim) => claim.name)) {
      const [first, ...others] = inSourceOrder(group, ({ site }) => site)
      if (first === undefined) continue
      for (const { operation, site } of others) {
        const params = { transport, name, operation, other: first.operation }
        found.push(EFFX2501.make(params, { site, related: relatedAt(`${first.operation} claims ${name}`, first.site) }))
      }
    }
    return found
  }
})
