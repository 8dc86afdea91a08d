/** Builds an IR by hand: short constructors for tests of generators. */

import type { GeneratedFile, GenerateInput, Generator, Guard } from "@effx/compiler"
import {
  applicationIR,
  type Edge,
  type HttpMethod,
  indexOf,
  type Node,
  type SchemaFacts,
  type SchemaRef,
  type Shape,
  type StableId,
  type SymbolRef,
  stableId
} from "@effx/ir"
import { extensionFact } from "../../../src/compiler/extension-fact.ts"

export const text: Shape = { _tag: "String" }
export const int: Shape = { _tag: "Number", integer: true }
export const nothing: Shape = { _tag: "Void" }
export const object = (fields: Readonly<Record<string, Shape | { readonly optional: Shape }>>): Shape => ({
  _tag: "Object",
  fields: Object.entries(fields).map(([name, field]) => ({
    name,
    shape: "optional" in field ? field.optional : field,
    optional: "optional" in field
  }))
})
export const list = (items: Shape): Shape => ({ _tag: "Array", items })
export const refTo = (ref: SchemaRef): Shape => ({ _tag: "Ref", id: ref.symbolId })

export const schemaRef = (module: string, exported: string): SchemaRef => ({
  module,
  export: exported,
  symbolId: stableId("schema", `${module.replace(/^(\.\.\/)+/, "")}/${exported}`)
})

export interface OperationSpec {
  readonly name: string
  readonly kind?: "Query" | "Command"
  readonly input?: SchemaRef
  readonly success: SchemaRef
  readonly errors?: ReadonlyArray<SchemaRef>
  readonly handler: SymbolRef
  readonly docs?: { readonly summary?: string; readonly description?: string }
  readonly http?: readonly [HttpMethod, string]
  readonly rpc?: string
  readonly cli?: string
  readonly problems?: {
    readonly registry: SymbolRef
    readonly codes: ReadonlyArray<string>
    readonly map?: Readonly<Record<string, string>>
  }
  readonly middleware?: ReadonlyArray<Guard>
  readonly rpcMiddleware?: ReadonlyArray<SymbolRef>
}

type Parts = readonly [nodes: ReadonlyArray<Node>, edges: ReadonlyArray<Edge>]

const factParts = (extension: string, tag: string, owner: StableId, data: unknown): Parts => {
  const { node, edge } = extensionFact(extension, tag, owner, data as never)
  return [[node], [edge]]
}

export const schemaParts = (ref: SchemaRef, facts: SchemaFacts): Parts => {
  const [nodes, edges] = factParts("core", "schema", ref.symbolId, facts)
  return [[{ _tag: "Schema", id: ref.symbolId, ref }, ...nodes], edges]
}

const exposureParts = (operation: StableId, spec: OperationSpec): ReadonlyArray<Parts> => {
  const expose = (id: StableId, transport: Extract<Node, { _tag: "Exposure" }>["transport"]): Parts => [
    [{ _tag: "Exposure", id, operation, transport }],
    [{ kind: "ExposedAs", from: operation, to: id, qualifier: transport._tag }]
  ]
  const rpcId = stableId("exposure", `${spec.name}/rpc/${spec.rpc}`)
  const parts: Array<Parts> = []
  if (spec.http !== undefined) {
    const [method, path] = spec.http
    parts.push(expose(stableId("exposure", `${spec.name}/http/${method}${path}`), { _tag: "http", method, path }))
  }
  if (spec.rpc !== undefined) parts.push(expose(rpcId, { _tag: "rpc", name: spec.rpc }))
  if (spec.rpcMiddleware !== undefined) {
    parts.push(factParts("rpc", "middleware", rpcId, { middleware: spec.rpcMiddleware }))
  }
  if (spec.cli !== undefined) {
    const words = spec.cli.split(" ")
    parts.push(expose(stableId("exposure", `${spec.name}/cli/${words.join(".")}`), { _tag: "cli", words }))
  }
  return parts
}

export const operationParts = (spec: OperationSpec): Parts => {
  const id = stableId("operation", spec.name)
  const errors = spec.errors ?? []
  const edge = (kind: Edge["kind"], from: StableId): Edge => ({ kind, from, to: id })
  const parts: Array<Parts> = [
    [
      [
        {
          _tag: "Operation",
          id,
          name: spec.name,
          kind: spec.kind ?? "Query",
          ...(spec.input && { input: spec.input }),
          success: spec.success,
          errors: { values: errors.map(({ symbolId }) => symbolId), inferred: false },
          requirements: { values: [], inferred: true },
          handler: spec.handler
        }
      ],
      [
        ...(spec.input ? [edge("InputOf", spec.input.symbolId)] : []),
        edge("SuccessOf", spec.success.symbolId),
        ...errors.map(({ symbolId }) => edge("ErrorOf", symbolId))
      ]
    ],
    ...exposureParts(id, spec)
  ]
  if (spec.docs !== undefined) parts.push(factParts("core", "docs", id, spec.docs))
  if (spec.problems !== undefined) parts.push(factParts("http", "problems", id, spec.problems))
  if (spec.http !== undefined) {
    const middleware = spec.middleware ?? []
    parts.push(
      factParts("http", "access", id, { exposure: middleware.length > 0 ? "protected" : "public", middleware })
    )
  }
  return [parts.flatMap(([nodes]) => nodes), parts.flatMap(([, edges]) => edges)]
}

/** Generator input over parts; modules map to themselves with `.js` unless `options` says otherwise. */
export const generateInput = (
  parts: ReadonlyArray<Parts>,
  options: Partial<Omit<GenerateInput, "ir" | "index">> = {}
): GenerateInput => {
  const index = indexOf(
    applicationIR(
      parts.flatMap(([nodes]) => nodes),
      parts.flatMap(([, edges]) => edges)
    )
  )
  return {
    ir: index.ir,
    index,
    modules: {},
    emit: "all",
    target: "4.1",
    api: { title: "users", version: "1.0.0" },
    importExtension: ".js",
    ...options
  }
}

export const run = (generators: ReadonlyArray<Generator>, input: GenerateInput): ReadonlyArray<GeneratedFile> =>
  generators.flatMap((generator) => generator.generate(input))
