/**
 * The operations of an IR as generators read them: every reference resolved, every fact beside its owner.
 *
 * Guarantees: operations come sorted by name, exposures by id. What the IR does not tell is absent; nothing is guessed.
 */
import {
  compareStrings,
  type GraphIndex,
  type OperationNode,
  type SchemaFacts,
  type SchemaRef,
  type Shape,
  type StableId,
  type SymbolRef,
  sortedBy,
  type Transport
} from "@effx/ir"
import { Option } from "effect"
import type { Docs } from "../collected.ts"
import { readFact } from "../extension-fact.ts"

/** A schema with what source tells of it. */
export interface SchemaView {
  readonly id: StableId
  readonly ref: SchemaRef
  readonly facts: SchemaFacts
}

/** Data of the fact `http`/`problems`. */
export interface Problems {
  readonly registry: SymbolRef
  readonly codes: ReadonlyArray<string>
  /** An error's export name to one of `codes`. */
  readonly map: Readonly<Record<string, string>>
}

/** Data of the fact `http`/`access`. */
export interface Access {
  readonly exposure: "public" | "protected"
  readonly middleware: ReadonlyArray<SymbolRef>
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

/** A fact's data; its writer is the built-in extension of that name, whose nodes have this form. */
const fact = <A>(index: GraphIndex, extension: string, tag: string, owner: StableId): A | undefined =>
  Option.getOrUndefined(readFact(index, extension, tag, owner)) as A | undefined

/** What source tells of a schema; any JSON where it tells nothing. */
export const factsOf = (index: GraphIndex, id: StableId): SchemaFacts =>
  fact<SchemaFacts>(index, "core", "schema", id) ?? UNKNOWN

/** Follows references to a shape that is none; a reference in a circle gives any JSON. */
export const resolveShape = (index: GraphIndex, shape: Shape): Shape => {
  const seen = new Set<StableId>()
  let current = shape
  while (current._tag === "Ref") {
    if (seen.has(current.id)) return { _tag: "Any" }
    seen.add(current.id)
    current = factsOf(index, current.id).shape
  }
  return current
}

const viewOf = (index: GraphIndex, ref: SchemaRef): SchemaView => ({
  id: ref.symbolId,
  ref,
  facts: factsOf(index, ref.symbolId)
})

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
  const problems = fact<Problems>(index, "http", "problems", node.id)
  return {
    id: node.id,
    name: node.name,
    group: node.name.slice(0, Math.max(dot, 0)),
    method: node.name.slice(dot + 1),
    kind: node.kind,
    input: node.input === undefined ? undefined : viewOf(index, node.input),
    success: viewOf(index, node.success),
    errors: node.errors.values.flatMap((id): ReadonlyArray<SchemaView> => {
      const schema = Option.getOrUndefined(index.node(id))
      return schema?._tag === "Schema" ? [viewOf(index, schema.ref)] : []
    }),
    handler: node.handler,
    docs: fact<Docs>(index, "core", "docs", node.id) ?? {},
    problems: problems && { ...problems, map: problems.map ?? {} },
    access: fact<Access>(index, "http", "access", node.id),
    http: exposures("http"),
    rpc: exposures("rpc").map((exposure) => ({
      ...exposure,
      middleware:
        fact<{ readonly middleware: ReadonlyArray<SymbolRef> }>(index, "rpc", "middleware", exposure.id)?.middleware ??
        []
    })),
    cli: exposures("cli")
  }
}

/** All operations, sorted by name. */
export const operationsOf = (index: GraphIndex): ReadonlyArray<OperationView> =>
  index
    .tagged("Operation")
    .map((node) => operationView(index, node))
    .sort((a, b) => compareStrings(a.name, b.name))

/** Whether a schema stands for no value at all on the wire. */
export const isVoid = (index: GraphIndex, schema: SchemaView): boolean =>
  resolveShape(index, schema.facts.shape)._tag === "Void"
