/** The HTTP exposures of an IR with the operations that they expose, in source order. */
import type { Site } from "@effx/diagnostics"
import type { HttpMethod, OperationNode, StableId } from "@effx/ir"
import type { AnalyzeInput } from "../../extension.ts"
import { inSourceOrder } from "../../source-order.ts"

export interface Endpoint {
  readonly id: StableId
  readonly operation: OperationNode
  readonly method: HttpMethod
  readonly path: string
  /** The annotation that exposes. */
  readonly site: Site | undefined
  /** The path as source writes it. */
  readonly pathSite: Site | undefined
}

/** The methods whose input is taken from the path and the query. */
export const READS_QUERY: ReadonlySet<HttpMethod> = new Set<HttpMethod>(["GET", "DELETE"])

export const endpoints = ({ index, siteOf }: Pick<AnalyzeInput, "index" | "siteOf">): ReadonlyArray<Endpoint> =>
  inSourceOrder(
    index.tagged("Exposure").flatMap((exposure): ReadonlyArray<Endpoint> => {
      const { id, transport } = exposure
      const operation = index.node(exposure.operation)
      if (transport._tag !== "http" || operation._tag === "None" || operation.value._tag !== "Operation") return []
      const { method, path } = transport
      const site = siteOf(id)
      return [{ id, operation: operation.value, method, path, site, pathSite: siteOf(id, "path") ?? site }]
    }),
    ({ site }) => site
  )
