/**
 * The operations of an IR as generators read them: every reference resolved, every fact beside its owner.
 *
 * Guarantees: operations come sorted by name, exposures by id. What the IR does not tell is absent; nothing is guessed.
 */
import {
  type GraphIndex,
  type OperationNode,
  type SchemaFacts,
  type SchemaRef,
  type StableId,
  type SymbolRef,
  sortedBy,
  type Transport
} from "@effx/ir"
import { Option } from "effect"
import type { Docs } from "../collected.ts"
import { type Access, accessOf, docsOf, ignoresInput, type Problems, problemsOf, rpcGuardsOf } from "../facts.ts"
import { dereference, schemaFacts } from "../shapes.ts"

/** A schema with what source tells of it. */
export interface SchemaView {
  readonly id: StableId
  readonly ref: SchemaRef
  readonly facts: SchemaFacts
}

export interface ExposureView<T extends Transport["_tag"]> {
  readonly id: StableId
  readonly transport: Extract<Transport, { readonly _tag: T }>
}

export interface OperationView {
  readonly id: StableId
  readonly name: string
  /** The name before its last dot; empty without a dot. */
  readonly group: string
  /** The name behind its last dot. */
  readonly method: string
  readonly kind: "Query" | "Command"
  readonly input: SchemaView | undefined
  /** Whether the handler is called with the input. */
  readonly takesInput: boolean
  readonly success: SchemaView
  readonly errors: ReadonlyArray<SchemaView>
  readonly handler: SymbolRef
  readonly docs: Docs
  readonly problems: Problems | undefined
  readonly access: Access | undefined
  readonly http: ReadonlyArray<ExposureView<"http">>
  readonly rpc: ReadonlyArray<ExposureView<"rpc"> & { readonly middleware: ReadonlyArray<SymbolRef> }>
  readonly cli: ReadonlyArray<ExposureView<"cli">>
}

const UNKNOWN: SchemaFacts = { shape: { _tag: "Any" } }

const viewOf = (index: GraphIndex, ref: SchemaRef): SchemaView => ({
  id: ref.symbolId,
  ref,
  facts: Option.getOrElse(schemaFacts(index, ref.symbolId), () => UNKNOWN)
})

/** A schema by its id, where the IR has it. */
export const schemaView = (index: GraphIndex, id: StableId): SchemaView | undefined => {
  const schema = Option.getOrUndefined(index.node(id))
  return schema?._tag === "Schema" ? viewOf(index, schema.ref) : undefined
}

const operationView = (index: GraphIndex, node: OperationNode): OperationView => {
  const dot = node.name.lastIndexOf(".")
  const exposures = <T extends Transport["_tag"]>(tag: T): ReadonlyArray<ExposureView<T>> =>
    sortedBy(
      index.outgoing(node.id).flatMap((edge): ReadonlyArray<ExposureView<T>> => {
        if (edge.kind !== "ExposedAs") return []
        const exposure = Option.getOrUndefined(index.node(edge.to))
        return exposure?._tag === "Exposure" && exposure.transport._tag === tag
          ? [{ id: exposure.id, transport: exposure.transport as ExposureView<T>["transport"] }]
          : []
      }),
      ({ id }) => id
    )
  return {
    id: node.id,
    name: node.name,
    group: node.name.slice(0, Math.max(dot, 0)),
    method: node.name.slice(dot + 1),
    kind: node.kind,
    input: node.input === undefined ? undefined : viewOf(index, node.input),
    takesInput: node.input !== undefined && !ignoresInput(index, node.id),
    success: viewOf(index, node.success),
    errors: node.errors.values.flatMap((id) => schemaView(index, id) ?? []),
    handler: node.handler,
    docs: docsOf(index, node.id),
    problems: problemsOf(index, node.id),
    access: accessOf(index, node.id),
    http: exposures("http"),
    rpc: exposures("rpc").map((exposure) => ({ ...exposure, middleware: rpcGuardsOf(index, exposure.id) })),
    cli: exposures("cli")
  }
}

/** All operations, sorted by name. */
export const operationsOf = (index: GraphIndex): ReadonlyArray<OperationView> =>
  sortedBy(
    index.tagged("Operation").map((node) => operationView(index, node)),
    ({ name }) => name
  )

/** Whether a schema stands for no value at all on the wire. */
export const isVoid = (index: GraphIndex, schema: SchemaView): boolean =>
  dereference(index, schema.facts.shape)._tag === "Void"
