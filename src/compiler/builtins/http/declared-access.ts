/** EFFX2504: an HTTP exposure says who may call it. A warning; an error under `strictAccess`. */
import { EFFX2504 } from "@effx/diagnostics"
import type { Analysis } from "../../extension.ts"
import { endpoints } from "./endpoints.ts"

export const declaredAccess: Analysis = {
  name: "declared-access",
  analyze: (input) =>
    endpoints(input).flatMap(({ id, method, operation, path, site }) =>
      // The facet is also there for an access declaration that was not understood, which is its own finding.
      input.siteOf(id, "access") !== undefined
        ? []
        : EFFX2504.make(
            { operation: operation.name, method, path },
            { site, severity: input.options.strictAccess ? "error" : "warning" }
          )
    )
}
