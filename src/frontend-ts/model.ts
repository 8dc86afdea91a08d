/** Models: a decorated class, or the value of `Model.persistent` (Spec 0002, "Recognition"). */
import type { AnnotationArg, CompilerFault } from "@effx/compiler"
import type { Site } from "@effx/diagnostics"
import { Effect } from "effect"
import type { Expression, Node } from "typescript/ast"
import type { Analysis } from "./analysis.ts"
import type { ClassCandidate } from "./candidates.ts"
import type { EngineSymbol } from "./checker.ts"
import { docsOf } from "./docs.ts"
import { FAILED, type Lowering, lowerArgumentAt, reportArgument, reportPortability } from "./lower.ts"
import type { Declared, Mark } from "./marks.ts"

/** The model of a decorated class. */
export const decoratedModel = (
  analysis: Analysis,
  { node }: ClassCandidate,
  mark: Mark,
  symbol: EngineSymbol,
  exported: string,
  label: string
): Effect.Effect<ReadonlyArray<Declared>, CompilerFault> => {
  const name = node.name ?? node
  return modelOf(analysis, {
    symbol,
    mark,
    options: mark.args[0],
    schemaSite: analysis.siteOf(name),
    export: exported,
    id: label,
    name,
    host: node
  })
}

export interface ModelParts {
  readonly symbol: EngineSymbol | undefined
  readonly mark: Mark
  readonly options: Expression | undefined
  readonly schemaSite: Site
  readonly export: string
  readonly id: string
  readonly name: Node
  readonly host: Node
}

/** The model of a schema; none when it is no exported schema, which is reported. */
export const modelOf = Effect.fnUntraced(function* (
  analysis: Analysis,
  parts: ModelParts
): Effect.fn.Return<ReadonlyArray<Declared>, CompilerFault> {
  const { mark, options, schemaSite, symbol } = parts
  const { inChain, name: annotation } = mark
  const lowering: Lowering = { annotation, inChain, declaration: parts.id, sites: {}, spreads: [] }
  const record = options === undefined ? {} : yield* lowerArgumentAt(analysis, lowering, options, "/0")
  const kind = symbol === undefined ? "other" : yield* analysis.kindOf(symbol)
  const reference = symbol === undefined ? undefined : yield* analysis.references.referenceOf(symbol)
  if (symbol === undefined || kind !== "schema" || reference?._tag !== "Reference") {
    const problem =
      reference?._tag === "NotExported"
        ? `names ${reference.name}, which is not exported; export it, so that generated code can import it`
        : "needs an exported schema class"
    reportArgument(analysis, lowering, { _tag: "Malformed", problem }, schemaSite)
    return []
  }
  if (record === FAILED || typeof record !== "object" || record === null || Array.isArray(record)) return []
  reportPortability(analysis, reference, parts.name)
  const docs = docsOf(parts.host)
  const site = analysis.siteOf(parts.name)
  const arg: AnnotationArg = {
    ...(record as { readonly [key: string]: AnnotationArg }),
    schema: { _tag: "Schema", ref: analysis.named.schema(reference, symbol) }
  }
  return [
    {
      declaration: {
        kind: "model",
        export: parts.export,
        id: parts.id,
        file: site.location.file,
        site,
        annotations: [
          {
            name: mark.name,
            args: [arg],
            site: mark.site,
            sites: { "/0": mark.site, ...lowering.sites, "/0/schema": schemaSite }
          }
        ],
        ...(docs !== undefined && { docs })
      },
      spreads: lowering.spreads
    }
  ]
})
