/** EFFX2405: two service classes with one key are one service at run time. */
import { type Diagnostic, EFFX2405 } from "@effx/diagnostics"
import type { Analysis } from "../../extension.ts"
import { serviceKeyOf } from "../../facts.ts"
import { inSourceOrder } from "../../source-order.ts"
import { relatedAt } from "../related.ts"

export const serviceKeys: Analysis = {
  name: "service-keys",
  analyze: ({ index, siteOf }) => {
    // Two classes of one id are EFFX1001, not two services.
    const services = new Map(index.tagged("Service").map((service) => [service.id, service]))
    const keyed = Array.from(services.values()).flatMap((service) => {
      const key = serviceKeyOf(index, service.id)
      return key === undefined ? [] : [{ service, key, site: siteOf(service.id) }]
    })
    const found: Array<Diagnostic> = []
    for (const [key, claims] of Map.groupBy(keyed, (claim) => claim.key)) {
      const [first, ...others] = inSourceOrder(claims, ({ site }) => site)
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
