/**
 * The nodes of the application graph. Every node is plain data; ordered fields are `path`, `words` and `data`, all other
 * lists are sets that `normalize` sorts.
 */
import { Schema } from "effect"
import { SchemaRef, SymbolRef } from "./ref.ts"
import { StableId } from "./stable-id.ts"

export const HTTP_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const
export const HttpMethod = Schema.Literals(HTTP_METHODS)
export type HttpMethod = typeof HttpMethod.Type

/** How an operation is reached: the closed union of transports. */
export const Transport = Schema.Union([
  Schema.TaggedStruct("http", { method: HttpMethod, path: Schema.String }),
  Schema.TaggedStruct("rpc", { name: Schema.String }),
  Schema.TaggedStruct("cli", { words: Schema.Array(Schema.String) })
])
export type Transport = typeof Transport.Type

export const SchemaNode = Schema.TaggedStruct("Schema", { id: StableId, ref: SchemaRef })

export const ModelNode = Schema.TaggedStruct("Model", {
  id: StableId,
  name: Schema.String,
  schema: SchemaRef,
  table: Schema.optionalKey(Schema.String),
  /** A set; each view is a named schema of the model. */
  views: Schema.Array(Schema.Struct({ name: Schema.String, schema: SchemaRef }))
})

export const ServiceNode = Schema.TaggedStruct("Service", { id: StableId, name: Schema.String, symbol: SymbolRef })

/** The members of a channel: what source declares or inference found. `inferred` is false when an author declared it. */
const Channel = Schema.Struct({ values: Schema.Array(StableId), inferred: Schema.Boolean })

export const OperationNode = Schema.TaggedStruct("Operation", {
  id: StableId,
  name: Schema.String,
  kind: Schema.Literals(["Query", "Command"]),
  /** Absent: the operation takes no input (`Schema.Void`). */
  input: Schema.optionalKey(SchemaRef),
  success: SchemaRef,
  errors: Channel,
  requirements: Channel,
  handler: SymbolRef
})

export const CapabilityNode = Schema.TaggedStruct("Capability", {
  id: StableId,
  name: Schema.String,
  resource: StableId,
  focus: Schema.optionalKey(StableId)
})

export const FocusNode = Schema.TaggedStruct("Focus", {
  id: StableId,
  root: StableId,
  path: Schema.Array(Schema.String)
})

export const ExposureNode = Schema.TaggedStruct("Exposure", { id: StableId, operation: StableId, transport: Transport })

/** A concept of an extension (also of a built-in one). It survives every projection of the IR. */
export const ExtensionNode = Schema.TaggedStruct("Extension", {
  id: StableId,
  extension: Schema.String,
  tag: Schema.String,
  data: Schema.Json
})

export const Node = Schema.Union([
  SchemaNode,
  ModelNode,
  ServiceNode,
  OperationNode,
  CapabilityNode,
  FocusNode,
  ExposureNode,
  ExtensionNode
])
export type Node = typeof Node.Type
export type SchemaNode = typeof SchemaNode.Type
export type ModelNode = typeof ModelNode.Type
export type ServiceNode = typeof ServiceNode.Type
export type OperationNode = typeof OperationNode.Type
export type CapabilityNode = typeof CapabilityNode.Type
export type FocusNode = typeof FocusNode.Type
export type ExposureNode = typeof ExposureNode.Type
export type ExtensionNode = typeof ExtensionNode.Type
