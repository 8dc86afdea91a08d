/** EFFX2501: a name by which callers reach an operation belongs to one operation. */
import { type Diagnostic, EFFX2501, type Site } from "@effx/diagnostics"
import type { NodeAnalysis } from "../extension.ts"
import { inSourceOrder } from "../source-order.ts"
import { relatedAt } from "./related.ts"

interface Claim {
  readonly operation: string
  readonly site: Site | undefined
}

/** The words of a command and the name of an RPC, as callers write them. */
export const claimedNames = (transport: "rpc" | "cli"): NodeAnalysis<"Exposure", Claim> => ({
  name: "claimed-names",
  of: "Exposure",
  judge: ({ id, operation, transport: by }, { index, siteOf }) => {
    const owner = by._tag === transport ? index.node(operation) : undefined
    if (owner?._tag !== "Some" || owner.value._tag !== "Operation" || by._tag === "http") return {}
    const name = by._tag === "rpc" ? by.name : by.words.join(" ")
    return { claims: [[name, { operation: owner.value.name, site: siteOf(id, "name") ?? siteOf(id) }]] }
  },
  settle: (claims) => {
    const found: Array<Diagnostic> = []
    for (const [name, claimants] of claims.contested()) {
      const [first, ...others] = inSourceOrder(claimants, ({ site }) => site)
      if (first === undefined) continue
      for (const { operation, site } of others) {
        const params = { transport, name, operation, other: first.operation }
        found.push(EFFX2501.make(params, { site, related: relatedAt(`${first.operation} claims ${name}`, first.site) }))
      }
    }
    return found
  }
})
