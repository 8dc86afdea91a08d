/**
 * EFFX2406: fields of the path and of the query are text.
 *
 * Effect's StringTree codec, which HttpApi applies to both, carries strings, numbers, booleans, literals, null and unions
 * of these, and in the query also lists of them; an object or a list of lists is refused when a request is decoded.
 */
import { type Diagnostic, EFFX2406 } from "@effx/diagnostics"
import type { Field, NodeLookup, Shape } from "@effx/ir"
import { dereference, fieldsOf, shapeOf } from "../../shapes.ts"
import { ofEachEndpoint, READS_QUERY } from "./endpoints.ts"
import { pathParameters } from "./path.ts"

const LIST_OF_LISTS = "a list of lists"

type Place = "path" | "query"

/** What makes a shape unfit for a URL, with its article; `undefined` for a fit one, and for one that source hides. */
const unfit = (
  index: NodeLookup,
  shape: Shape,
  place: Place,
  inList: boolean,
  mayBeMissing: boolean
): string | undefined => {
  const target = dereference(index, shape)
  switch (target._tag) {
    case "Object":
      return "an object"
    case "Record":
      return "a record"
    case "Never":
      return "a value that never exists"
    case "Void":
      return mayBeMissing ? undefined : "a value that may be missing"
    case "Array":
    case "Tuple": {
      if (place === "path") return "a list"
      if (inList) return LIST_OF_LISTS
      const items = target._tag === "Array" ? [target.items] : [...target.items, ...(target.rest ? [target.rest] : [])]
      return first(
        items,
        (item) => unfit(index, item, place, true, false),
        (found) => (found === LIST_OF_LISTS ? found : `a list with ${found}`)
      )
    }
    case "Union":
      return first(
        target.members,
        (member) => unfit(index, member, place, inList, mayBeMissing),
        (found) => (found.startsWith("a union") ? found : `a union with ${found}`)
      )
    default:
      return undefined
  }
}

const first = (
  shapes: ReadonlyArray<Shape>,
  judge: (shape: Shape) => string | undefined,
  say: (found: string) => string
): string | undefined => {
  const found = shapes.map(judge).find((problem) => problem !== undefined)
  return found === undefined ? undefined : say(found)
}

export const urlFields = ofEachEndpoint("url-fields", ({ method, operation, path, pathSite }, { index, siteOf }) => {
  const fields = operation.input && fieldsOf(index, shapeOf(index, operation.input.symbolId))
  if (fields === undefined) return []
  const parameters = pathParameters(path)
  const judge = (field: Field, place: Place): ReadonlyArray<Diagnostic> => {
    const encoded = unfit(index, field.shape, place, false, place === "query" && field.optional)
    const site = place === "path" ? pathSite : (siteOf(operation.id, "input") ?? pathSite)
    return encoded === undefined
      ? []
      : [EFFX2406.make({ operation: operation.name, field: field.name, place, encoded }, { site })]
  }
  return fields.flatMap((field) => {
    if (parameters.includes(field.name)) return field.optional ? [] : judge(field, "path")
    return READS_QUERY.has(method) ? judge(field, "query") : []
  })
})
