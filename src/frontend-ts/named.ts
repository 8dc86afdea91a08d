/** The schemas and services that declarations and signatures name, gathered while they are read. */
import type { SchemaRef, StableId, SymbolRef } from "@effx/ir"
import type { EngineSymbol } from "./checker.ts"
import { type Reference, schemaRef, serviceId, symbolRef } from "./references.ts"

export interface Named {
  readonly schemas: ReadonlyMap<StableId, { readonly ref: SchemaRef; readonly symbol: EngineSymbol }>
  readonly services: ReadonlyMap<StableId, { readonly ref: SymbolRef; readonly symbol: EngineSymbol }>
  readonly schema: (reference: Reference, symbol: EngineSymbol) => SchemaRef
  readonly service: (reference: Reference, symbol: EngineSymbol) => { readonly id: StableId; readonly ref: SymbolRef }
}

export const makeNamed = (): Named => {
  const schemas = new Map<StableId, { readonly ref: SchemaRef; readonly symbol: EngineSymbol }>()
  const services = new Map<StableId, { readonly ref: SymbolRef; readonly symbol: EngineSymbol }>()
  return {
    schemas,
    services,
    schema: (reference, symbol) => {
      const ref = schemaRef(reference)
      schemas.set(ref.symbolId, { ref, symbol })
      return ref
    },
    service: (reference, symbol) => {
      const id = serviceId(reference)
      const ref = symbolRef(reference)
      if (!services.has(id)) services.set(id, { ref, symbol })
      return { id, ref }
    }
  }
}
