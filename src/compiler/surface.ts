/**
 * The public surface of an application: what callers can reach and what it looks like on the wire. A pure projection of
 * the IR, written to `surface.json`.
 *
 * Guarantees: everything is sorted, so equal IRs give equal bytes; handlers, services, models and module paths are not
 * part of it. Only operations with an exposure appear, with the schemas that they reach.
 */
import {
  type ApplicationIR,
  compareStrings,
  type GraphIndex,
  indexOf,
  type OperationNode,
  type SchemaFacts,
  type StableId,
  sortedBy
} from "@effx/ir"
import { Option } from "effect"
import type { Docs } from "./collected.ts"
import { accessOf, docsOf, problemsOf } from "./facts.ts"
import { reachableSchemas, schemaFacts } from "./shapes.ts"

export interface SurfaceOperation {
  readonly name: string
  readonly kind: OperationNode["kind"]
  readonly docs?: Docs
  /** Schema ids; no input is absent. */
  readonly input?: StableId
  readonly success: StableId
  readonly errors: ReadonlyArray<StableId>
}

export interface SurfaceRoute {
  readonly method: string
  readonly path: string
  readonly operation: string
  readonly access?: "public" | "protected"
  /** The problem codes that it may answer, sorted. */
  readonly problems?: ReadonlyArray<string>
}

export interface SurfaceSchema extends SchemaFacts {
  readonly id: StableId
}

export interface Surface {
  readonly format: "effx-surface"
  readonly version: 1
  readonly operations: ReadonlyArray<SurfaceOperation>
  readonly routes: ReadonlyArray<SurfaceRoute>
  readonly rpcs: ReadonlyArray<{ readonly name: string; readonly operation: string }>
  readonly commands: ReadonlyArray<{ readonly command: string; readonly operation: string }>
  readonly schemas: ReadonlyArray<SurfaceSchema>
}

const operationOf = (index: GraphIndex, node: OperationNode): SurfaceOperation => {
  const docs = docsOf(index, node.id)
  return {
    name: node.name,
    kind: node.kind,
    ...((docs.summary ?? docs.description) !== undefined && { docs }),
    ...(node.input && { input: node.input.symbolId }),
    success: node.success.symbolId,
    errors: node.errors.values
  }
}

const routeOf = (index: GraphIndex, operation: OperationNode, method: string, path: string): SurfaceRoute => {
  const access = accessOf(index, operation.id)
  const problems = problemsOf(index, operation.id)
  return {
    method,
    path,
    operation: operation.name,
    ...(access && { access: access.exposure }),
    ...(problems && { problems: problems.codes.toSorted(compareStrings) })
  }
}

/** The surface of an IR. */
export const surface = (ir: ApplicationIR): Surface => {
  const index = indexOf(ir)
  const exposed = index.tagged("Exposure").flatMap(({ operation: id, transport }) => {
    const operation = Option.getOrUndefined(index.node(id))
    return operation?._tag === "Operation" ? [{ operation, transport }] : []
  })
  const operations = Array.from(new Set(exposed.map(({ operation }) => operation)), (node) => operationOf(index, node))
  const roots = operations.flatMap(({ errors, input, success }) => [
    ...(input === undefined ? [] : [input]),
    success,
    ...errors
  ])
  return {
    format: "effx-surface",
    version: 1,
    operations: sortedBy(operations, ({ name }) => name),
    routes: sortedBy(
      exposed.flatMap(({ operation, transport }) =>
        transport._tag === "http" ? routeOf(index, operation, transport.method, transport.path) : []
      ),
      ({ method, path }) => `${path} ${method}`
    ),
    rpcs: sortedBy(
      exposed.flatMap(({ operation, transport }) =>
        transport._tag === "rpc" ? { name: transport.name, operation: operation.name } : []
      ),
      ({ name }) => name
    ),
    commands: sortedBy(
      exposed.flatMap(({ operation, transport }) =>
        transport._tag === "cli" ? { command: transport.words.join(" "), operation: operation.name } : []
      ),
      ({ command }) => command
    ),
    schemas: sortedBy(
      reachableSchemas(index, roots).flatMap((id) =>
        Option.match(schemaFacts(index, id), {
          onNone: (): ReadonlyArray<SurfaceSchema> => [],
          onSome: (facts) => [{ id, ...facts }]
        })
      ),
      ({ id }) => id
    )
  }
}
