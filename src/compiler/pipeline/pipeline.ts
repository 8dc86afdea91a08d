/**
 * The stages from declarations to findings, which follow one collection after another.
 *
 * Guarantees: what it says of a collection depends on that collection alone (a property test holds it to that); what it takes time
 * for is what differs from the one before.
 */
import type { Diagnostic } from "@effx/diagnostics"
import { applicationIR, type GraphIndex, indexOf } from "@effx/ir"
import { builtins } from "../builtins.ts"
import type { Collected } from "../collected.ts"
import type { AnalysisOptions, Extension } from "../extension.ts"
import { lazily } from "../lazily.ts"
import { analyze } from "./analyze.ts"
import { checkExtensions, type Supervisor, supervise } from "./extension-contract.ts"
import { makeGraphFindings } from "./graph-findings.ts"
import type { Interpretation } from "./interpret.ts"
import { makeInterpretations } from "./interpretations.ts"
import { makeJudgements } from "./judgements.ts"
import { type Merged, makeMerged } from "./merged.ts"
import { facetKey, sitesOfNodes } from "./site-table.ts"

/** What the stages made of one collection. It stays as it is when they go on to the next. */
export interface Stage {
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** The merged graph in normal form, made when it is first asked for. */
  readonly index: () => GraphIndex
  readonly sites: () => ReturnType<typeof sitesOfNodes>
}

export interface Pipeline {
  readonly extensions: ReadonlyArray<Extension>
  readonly options: AnalysisOptions
  readonly supervisors: ReadonlyArray<Supervisor>
  readonly next: (collected: Collected) => Stage
}

/** The graph of interpretations. They share objects; what is one object is encoded once. */
const graphOf = (interpretations: ReadonlySet<Interpretation>, merged: Merged): GraphIndex => {
  const all = Array.from(interpretations)
  const values = <A>(of: (interpretation: Interpretation) => ReadonlyArray<{ readonly value: A }>): ReadonlyArray<A> =>
    Array.from(new Set(all.flatMap(of).map(({ value }) => value)))
  const ir = applicationIR(
    values(({ nodes }) => nodes),
    values(({ edges }) => edges)
  )
  return indexOf(merged.normalize(ir, interpretations))
}

export const makePipeline = (extensions: ReadonlyArray<Extension>, options: AnalysisOptions): Pipeline => {
  const contract = checkExtensions(extensions, builtins)
  const supervisors = extensions.map((extension) => supervise(extension, builtins.includes(extension)))
  const interpretationsOf = makeInterpretations(supervisors)
  const merged = makeMerged()
  const graphFindings = makeGraphFindings(merged)
  const judgements = makeJudgements(merged, supervisors, options)
  return {
    extensions,
    options,
    supervisors,
    next: (collected) => {
      const interpretations = interpretationsOf(collected)
      const index = lazily(() => graphOf(interpretations, merged))
      const step = merged.step(interpretations)
      return {
        index,
        sites: lazily(() => sitesOfNodes(Array.from(interpretations).flatMap(({ sites }) => sites))),
        diagnostics: [
          ...collected.diagnostics,
          ...contract,
          ...Array.from(interpretations).flatMap(({ diagnostics }) => diagnostics),
          ...graphFindings(step),
          ...judgements(step),
          ...analyze(
            {
              get ir() {
                return index().ir
              },
              get index() {
                return index()
              },
              options,
              siteOf: (id, facet) => merged.siteOf(facetKey(id, facet))
            },
            supervisors
          )
        ]
      }
    }
  }
}
