/** EFFX2504: an HTTP exposure says who may call it. A warning; an error under `strictAccess`. */
import { EFFX2504 } from "@effx/diagnostics"
import { ofEachEndpoint } from "./endpoints.ts"

export const declaredAccess = ofEachEndpoint(
  "declared-access",
  ({ id, method, operation, path, site }, { options, siteOf }) =>
    // The facet is also there for an access declaration that was not understood, which is its own finding.
    siteOf(id, "access") !== undefined
      ? []
      : EFFX2504.make(
          { operation: operation.name, method, path },
          { site, severity: options.strictAccess ? "error" : "warning" }
        )
)
