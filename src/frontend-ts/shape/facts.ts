/**
 * What source tells about schemas: shape, public identifier, HTTP status and description of each, for the schemas that a
 * caller names and for all named schemas that those refer to.
 *
 * Guarantees: nothing is evaluated; the engine is asked in waves whose number depends on how deep schemas nest, not on how
 * many there are; the result depends on neither order. Which symbols have a name is the caller's to say.
 */
import type { CompilerFault } from "@effx/compiler"
import type { SchemaFacts, SchemaRef, StableId } from "@effx/ir"
import { Effect, Option } from "effect"
import type { Node } from "typescript/ast"
import type { Checker, EngineSymbol, Type } from "../checker.ts"
import { each } from "../wave.ts"
import { annotationsOf, jsDocOf } from "./annotations.ts"
import { collect } from "./collect.ts"
import { effectHttpStatus } from "./effect-http-errors.ts"
import { project } from "./project.ts"
import { expr } from "./reading.ts"

/** A schema to describe: by the symbol that declares it, behind all aliases, or only by its type. */
export interface SchemaItem {
  readonly id: StableId
  readonly symbol: EngineSymbol | undefined
  /** The type of the schema value; without it, the symbol's type. */
  readonly type?: Type
}

export interface SchemaReport {
  readonly id: StableId
  readonly facts: SchemaFacts
  /** How generated code refers to it; absent for what the caller named by id only. */
  readonly ref?: SchemaRef
  readonly symbol: EngineSymbol | undefined
  /** The node that declares the schema. */
  readonly declaration?: Node
  /**
   * The reference by which a schema without a name contains itself (EFFX2403). Recursion through named schemas shows as a
   * `Ref` in the shapes instead.
   */
  readonly anonymousRecursion?: Node
}

/** The name of a schema that another one refers to, `None` when it is not exported. */
export type NameSchema = (
  symbol: EngineSymbol,
  reference: Node | undefined
) => Effect.Effect<Option.Option<SchemaRef>, CompilerFault>

/** Describes `items` and everything that their shapes refer to, by id. */
export const schemaFacts = Effect.fnUntraced(function* (
  checker: Checker,
  items: ReadonlyArray<SchemaItem>,
  nameSchema: NameSchema
): Effect.fn.Return<ReadonlyMap<StableId, SchemaReport>, CompilerFault> {
  const collection = yield* collect(checker, {
    symbols: items.flatMap((item) => (item.symbol === undefined ? [] : [item.symbol])),
    types: items.flatMap((item) => (item.type === undefined ? [] : [item.type]))
  })
  const names = yield* each(collection.named, ([symbol, reference]) =>
    Effect.map(nameSchema(symbol, reference), (ref) => [symbol, Option.getOrUndefined(ref)] as const)
  )
  const refs = new Map(names)
  const bySymbol = new Map<EngineSymbol, StableId>()
  const byId = new Map<StableId, EngineSymbol>()
  for (const [symbol, ref] of names) {
    if (ref === undefined) continue
    bySymbol.set(symbol, ref.symbolId)
    byId.set(ref.symbolId, symbol)
  }
  for (const item of items) if (item.symbol !== undefined) bySymbol.set(item.symbol, item.id)

  const describe = (item: SchemaItem): { readonly report: SchemaReport; readonly targets: Iterable<StableId> } => {
    const declared = item.symbol === undefined ? undefined : collection.reading.declared(item.symbol)
    const type = declared?.own ?? item.type
    const ref = item.symbol === undefined ? undefined : refs.get(item.symbol)
    const base = { id: item.id, symbol: item.symbol, ...(ref === undefined ? {} : { ref }) }
    if (type === undefined) return { report: { ...base, facts: { shape: { _tag: "Any" } } }, targets: [] }
    const projection = project(collection, (symbol) => bySymbol.get(symbol), {
      type,
      expression: declared?.initializer === undefined ? undefined : expr(declared.initializer),
      symbol: item.symbol
    })
    const {
      description,
      identifier,
      status: declaredStatus
    } = declared === undefined ? ({} as ReturnType<typeof annotationsOf>) : annotationsOf(collection.reading, declared)
    const status = declaredStatus ?? (item.symbol && effectHttpStatus(item.symbol))
    const text = description ?? (declared?.node === undefined ? undefined : jsDocOf(declared.node))
    return {
      report: {
        ...base,
        facts: {
          shape: projection.shape,
          ...(identifier === undefined ? {} : { identifier }),
          ...(status === undefined ? {} : { status }),
          ...(text === undefined ? {} : { description: text })
        },
        ...(declared?.node === undefined ? {} : { declaration: declared.node }),
        ...(projection.anonymousRecursion === undefined ? {} : { anonymousRecursion: projection.anonymousRecursion })
      },
      targets: projection.refs
    }
  }

  const reports = new Map<StableId, SchemaReport>()
  let queue = items
  while (queue.length > 0) {
    const next: Array<SchemaItem> = []
    for (const item of queue) {
      if (reports.has(item.id)) continue
      const { report, targets } = describe(item)
      reports.set(item.id, report)
      for (const id of targets) next.push({ id, symbol: byId.get(id) })
    }
    queue = next
  }
  return reports
})
