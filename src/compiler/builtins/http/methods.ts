/** EFFX2401: a query promises to change nothing, so only GET may carry it. */
import { EFFX2401 } from "@effx/diagnostics"
import { ofEachEndpoint } from "./endpoints.ts"

export const methods = ofEachEndpoint("methods", ({ method, operation, site }) =>
  operation.kind === "Query" && method !== "GET" ? EFFX2401.make({ operation: operation.name, method }, { site }) : []
)
