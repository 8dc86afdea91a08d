/**
 * The HTTP endpoints of an IR: group, endpoint name, path parameters and where the rest of the input travels. The http,
 * client and openapi generators read the same endpoints, so they cannot disagree.
 *
 * Guarantees: endpoint names are unique in their group, groups are sorted by name, endpoints by name.
 */
import { type Field, type GraphIndex, type HttpMethod, sortedBy } from "@effx/ir"
import { dereference } from "../shapes.ts"
import { freeName } from "./names.ts"
import { type OperationView, operationsOf } from "./operation-view.ts"

/** How the input of an endpoint reaches the server. */
export type InputParts =
  | { readonly _tag: "None" }
  /** All of it in one part. */
  | { readonly _tag: "Whole"; readonly part: "params" | "query" | "payload" }
  /** The fields `params` in the path, the rest in another part. */
  | { readonly _tag: "Split"; readonly params: ReadonlyArray<string>; readonly rest: "query" | "payload" }

export interface EndpointView {
  readonly operation: OperationView
  /** Unique in the group; the operation's method name where it has one HTTP exposure. */
  readonly name: string
  readonly method: HttpMethod
  readonly path: string
  readonly params: ReadonlyArray<string>
  readonly parts: InputParts
  /** The input's fields; undefined where the input is no object or source does not tell. */
  readonly fields: ReadonlyArray<Field> | undefined
}

export interface GroupView {
  /** The part of the operations' names before the last dot. */
  readonly name: string
  /** Operations without a dot in their name are methods of the client itself. */
  readonly topLevel: boolean
  readonly endpoints: ReadonlyArray<EndpointView>
}

/** The group of operations whose name has no dot. */
const TOP_LEVEL = "default"

/** Parameter names of a path, in order. Effect reads `:name` with ASCII letters, digits and `_`; `::` is a colon. */
const pathParams = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/::|:(\w+)/g)).flatMap(([, name]) => (name === undefined ? [] : [name]))

/** A path as OpenAPI writes it: `{name}` for `:name`. */
export const templatedPath = (path: string): string =>
  path.replaceAll(/::|:(\w+)(?:\([^)]*\))?\??/g, (_, name?: string) => (name === undefined ? ":" : `{${name}}`))

const restOf = (method: HttpMethod): "query" | "payload" =>
  method === "GET" || method === "DELETE" ? "query" : "payload"

const partsOf = (
  hasInput: boolean,
  method: HttpMethod,
  params: ReadonlyArray<string>,
  fields: ReadonlyArray<Field> | undefined
): InputParts => {
  if (!hasInput) return { _tag: "None" }
  if (params.length === 0) return { _tag: "Whole", part: restOf(method) }
  if (fields?.every(({ name }) => params.includes(name))) return { _tag: "Whole", part: "params" }
  return { _tag: "Split", params, rest: restOf(method) }
}

const endpointsOf = (index: GraphIndex, operations: ReadonlyArray<OperationView>): ReadonlyArray<EndpointView> => {
  const names = new Set(operations.map(({ method }) => method))
  return operations.flatMap((operation) => {
    const shape = operation.input && dereference(index, operation.input.facts.shape)
    const fields = shape?._tag === "Object" ? shape.fields : undefined
    return operation.http.map(({ transport: { method, path } }, position): EndpointView => {
      const name = position === 0 ? operation.method : freeName(operation.method, (candidate) => names.has(candidate))
      names.add(name)
      const params = Array.from(new Set(pathParams(path)))
      return {
        operation,
        name,
        method,
        path,
        params,
        fields,
        parts: partsOf(shape !== undefined, method, params, fields)
      }
    })
  })
}

/** The groups that have an endpoint, sorted by name. */
export const groupsOf = (index: GraphIndex): ReadonlyArray<GroupView> => {
  const exposed = operationsOf(index).filter(({ http }) => http.length > 0)
  const byGroup = Map.groupBy(exposed, ({ group }) => group)
  const groups = Array.from(byGroup, ([group, operations]): GroupView => {
    const topLevel = group === ""
    return {
      name: topLevel ? freeName(TOP_LEVEL, (candidate) => byGroup.has(candidate)) : group,
      topLevel,
      endpoints: sortedBy(endpointsOf(index, operations), ({ name }) => name)
    }
  })
  return sortedBy(groups, ({ name }) => name)
}

/** The errors that an endpoint answers as they are; those that its problems map are answered as problems. */
export const plainErrors = ({ errors, problems }: OperationView): OperationView["errors"] =>
  problems === undefined ? errors : errors.filter(({ ref }) => problemCode(problems.map, ref.export) === undefined)

/** The problem code of an error; `map` names errors by export name, a static member also by its own name. */
export const problemCode = (map: Readonly<Record<string, string>>, exported: string): string | undefined =>
  [exported, exported.slice(exported.lastIndexOf(".") + 1)]
    .filter((name) => Object.hasOwn(map, name))
    .map((name) => map[name])[0]
