/** EFFX2404: an error that neither states a status nor becomes a problem would be answered with 500. */
import { EFFX2404 } from "@effx/diagnostics"
import { Option } from "effect"
import { schemaFacts } from "../../shapes.ts"
import { ofEachEndpoint } from "./endpoints.ts"

export const statuses = ofEachEndpoint("statuses", ({ id, operation, site }, { index, siteOf }) => {
  // With problems, every error has a code (EFFX2205), whose status the registry states.
  if (siteOf(id, "problems") !== undefined) return []
  return operation.errors.values.flatMap((error) => {
    const node = index.node(error)
    const status = Option.flatMapNullishOr(schemaFacts(index, error), (facts) => facts.status)
    if (node._tag === "None" || node.value._tag !== "Schema" || Option.isSome(status)) return []
    const params = { operation: operation.name, error: node.value.ref.export }
    return EFFX2404.make(params, { site: siteOf(operation.id, `error/${error}`) ?? site })
  })
})
