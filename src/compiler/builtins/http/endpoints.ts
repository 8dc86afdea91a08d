/** The HTTP exposures of an IR with the operations that they expose, for analyses that judge them one by one. */
import type { Diagnostic, Site } from "@effx/diagnostics"
import type { ExposureNode, HttpMethod, OperationNode, StableId } from "@effx/ir"
import type { JudgeInput, NodeAnalysis, Verdict } from "../../extension.ts"

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

/** The endpoint of an exposure; none for another transport, and where the operation is missing. */
export const endpointOf = (
  { id, operation: owner, transport }: ExposureNode,
  { index, siteOf }: JudgeInput
): Endpoint | undefined => {
  const operation = index.node(owner)
  if (transport._tag !== "http" || operation._tag === "None" || operation.value._tag !== "Operation") return undefined
  const { method, path } = transport
  const site = siteOf(id)
  return { id, operation: operation.value, method, path, site, pathSite: siteOf(id, "path") ?? site }
}

/** An analysis of endpoints. */
export const ofEndpoints = <Claim = never>(
  name: string,
  judge: (endpoint: Endpoint, input: JudgeInput) => Verdict<Claim>,
  settle?: NodeAnalysis<"Exposure", Claim>["settle"]
): NodeAnalysis<"Exposure", Claim> => ({
  name,
  of: "Exposure",
  judge: (exposure, input) => {
    const endpoint = endpointOf(exposure, input)
    return endpoint === undefined ? {} : judge(endpoint, input)
  },
  ...(settle !== undefined && { settle })
})

/** An analysis whose findings about an endpoint have nothing to do with the others. */
export const ofEachEndpoint = (
  name: string,
  judge: (endpoint: Endpoint, input: JudgeInput) => Diagnostic | ReadonlyArray<Diagnostic>
): NodeAnalysis<"Exposure"> =>
  ofEndpoints(name, (endpoint, input) => ({ diagnostics: [judge(endpoint, input)].flat() }))
