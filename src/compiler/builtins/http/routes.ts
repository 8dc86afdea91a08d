/** EFFX2402 of routes: two operations of one method and path, and paths that do not fit the input. */
import { type Diagnostic, EFFX2402 } from "@effx/diagnostics"
import type { Claims, JudgeInput } from "../../extension.ts"
import { dereference, fieldsOf, shapeOf } from "../../shapes.ts"
import { inSourceOrder } from "../../source-order.ts"
import { relatedAt } from "../related.ts"
import { type Endpoint, ofEndpoints, READS_QUERY } from "./endpoints.ts"
import { pathParameters, routeKey } from "./path.ts"

const sameRoutes = (claims: Claims<Endpoint>): ReadonlyArray<Diagnostic> =>
  Array.from(claims.contested()).flatMap(([, claimants]) => {
    const [first, ...others] = inSourceOrder(claimants, ({ site }) => site)
    return others.flatMap(({ method, operation, path, pathSite }) =>
      first === undefined
        ? []
        : EFFX2402.make(
            { _tag: "SameRoute", operation: operation.name, other: first.operation.name, method, path },
            {
              site: pathSite,
              related: relatedAt(`${first.operation.name} answers ${first.method} ${first.path}`, first.pathSite)
            }
          )
    )
  })

const inputProblems = (
  { method, operation, path, pathSite }: Endpoint,
  { index, siteOf }: JudgeInput
): ReadonlyArray<Diagnostic> => {
  const parameters = pathParameters(path)
  const { input, name } = operation
  const inputSite = siteOf(operation.id, "input") ?? pathSite
  if (input === undefined) {
    return parameters.map((parameter) =>
      EFFX2402.make({ _tag: "MissingParameter", operation: name, parameter }, { site: pathSite })
    )
  }
  const shape = shapeOf(index, input.symbolId)
  const fields = fieldsOf(index, shape)
  const form = dereference(index, shape)._tag
  const problem = (text: string) => [
    EFFX2402.make({ _tag: "Input", operation: name, problem: text }, { site: inputSite })
  ]
  if (fields === undefined) {
    if (parameters.length > 0) {
      const reason = form === "Any" ? "has fields that cannot be read from source" : "is not an object with fields"
      return problem(`${input.export} ${reason}, so the parameter ${parameters[0]} of the path has no schema`)
    }
    return !READS_QUERY.has(method) || form === "Any" || form === "Record" || form === "Union"
      ? []
      : problem(`${input.export} is not an object with fields, so ${method} cannot take it from the query`)
  }
  return parameters.flatMap((parameter) => {
    const field = fields.find((candidate) => candidate.name === parameter)
    if (field === undefined) {
      const params = { _tag: "MissingParameter", operation: name, parameter, input: input.export } as const
      return EFFX2402.make(params, { site: pathSite })
    }
    return field.optional
      ? EFFX2402.make({ _tag: "OptionalParameter", operation: name, parameter }, { site: pathSite })
      : []
  })
}

export const routes = ofEndpoints<Endpoint>(
  "routes",
  (endpoint, input) => ({
    diagnostics: inputProblems(endpoint, input),
    claims: [[`${endpoint.method} ${routeKey(endpoint.path)}`, endpoint]]
  }),
  sameRoutes
)
