/** EFFX2405: two service classes with one key are one service at run time. */
import { type Diagnostic, EFFX2405, type Site } from "@effx/diagnostics"
import type { ServiceNode } from "@effx/ir"
import type { NodeAnalysis } from "../../extension.ts"
import { serviceKeyOf } from "../../facts.ts"
import { inSourceOrder } from "../../source-order.ts"
import { relatedAt } from "../related.ts"

interface Claim {
  readonly service: ServiceNode
  readonly site: Site | undefined
}

export const serviceKeys: NodeAnalysis<"Service", Claim> = {
  name: "service-keys",
  of: "Service",
  judge: (service, { index, siteOf }) => {
    const key = serviceKeyOf(index, service.id)
    return key === undefined ? {} : { claims: [[key, { service, site: siteOf(service.id) }]] }
  },
  settle: (claims) => {
    const found: Array<Diagnostic> = []
    for (const [key, claimants] of claims.contested()) {
      // Two classes of one id are EFFX1001, not two services.
      const services = new Map(claimants.map((claim) => [claim.service.id, claim]))
      const [first, ...others] = inSourceOrder(services.values(), ({ site }) => site)
      if (first === undefined) continue
      for (const { service, site } of others) {
        found.push(
          EFFX2405.make(
            { key, service: service.name, other: first.service.name },
            { site, related: relatedAt(`${first.service.name} has the key ${key} too`, first.site) }
          )
        )
      }
    }
    return found
  }
}
