/**
 * What analyses of single nodes say, after each step of the merged graph.
 *
 * Guarantees: after any sequence of steps it is what they say of the graph as it is. What was said of a node stands as long as every
 * answer that it was said by is the same; so a step takes time by what it changed.
 */
import type { Diagnostic, Site } from "@effx/diagnostics"
import type { StableId } from "@effx/ir"
import { Option, Result } from "effect"
import type { AnalysisOptions, AnyNodeAnalysis, JudgeInput, Verdict } from "../extension.ts"
import type { Supervisor } from "./extension-contract.ts"
import type { Merged, Step } from "./merged.ts"
import { facetKey } from "./site-table.ts"

/** Something that was said by asking the graph; it is void when an answer changes. */
interface Judgement {
  /** The sets in which it is kept as one that asked. */
  readonly asked: Set<Set<Judgement>>
}

type Asked<K> = Map<K, Set<Judgement>>

/** Writes down who asked for what. */
const makeRecorder = (merged: Merged, options: AnalysisOptions) => {
  const nodes: Asked<StableId> = new Map()
  const edges: Asked<StableId> = new Map()
  const sites: Asked<string> = new Map()
  let current: Judgement = { asked: new Set() }
  const note = <K>(asked: Asked<K>, key: K): void => {
    let those = asked.get(key)
    if (those === undefined) {
      those = new Set()
      asked.set(key, those)
    }
    those.add(current)
    current.asked.add(those)
  }
  const input: JudgeInput = {
    options,
    index: {
      node: (id) => {
        note(nodes, id)
        return Option.fromUndefinedOr(merged.vertex(id)?.merged[0]?.value)
      },
      outgoing: (id) => {
        note(edges, id)
        return merged.outgoing(id)
      }
    },
    siteOf: (id, facet): Site | undefined => {
      const key = facetKey(id, facet)
      note(sites, key)
      return merged.siteOf(key)
    }
  }
  return {
    /** Lets a judgement ask; what it asked before does not count any more. */
    judge: <A>(judgement: Judgement, say: (input: JudgeInput) => A): A => {
      for (const those of judgement.asked) those.delete(judgement)
      judgement.asked.clear()
      current = judgement
      return say(input)
    },
    forget: (judgement: Judgement): void => {
      for (const those of judgement.asked) those.delete(judgement)
    },
    /** Those for which an answer changed. */
    stale: (step: Step): ReadonlySet<Judgement> => {
      const found = new Set<Judgement>()
      const add = <K>(asked: Asked<K>, keys: ReadonlySet<K>) => {
        for (const key of keys) for (const judgement of asked.get(key) ?? []) found.add(judgement)
      }
      add(nodes, step.nodes)
      add(edges, step.edges)
      add(sites, step.sites)
      return found
    }
  }
}

interface Analyst extends Judgement {
  readonly supervisor: Supervisor
  readonly analysis: AnyNodeAnalysis
  /** What nodes claim, by key and then by the node's id. */
  readonly claims: Map<string, Map<StableId, ReadonlyArray<unknown>>>
  settled: ReadonlyArray<Diagnostic>
}

/** What is said of one id, by all analyses of its nodes. */
interface Opinion extends Judgement {
  readonly id: StableId
  claims: ReadonlyArray<readonly [analyst: Analyst, key: string]>
  diagnostics: ReadonlyArray<Diagnostic>
}

export const makeJudgements = (
  merged: Merged,
  supervisors: ReadonlyArray<Supervisor>,
  options: AnalysisOptions
): ((step: Step) => ReadonlyArray<Diagnostic>) => {
  const recorder = makeRecorder(merged, options)
  const analysts = supervisors.flatMap((supervisor) =>
    supervisor.extension.analyses.flatMap(
      (analysis): ReadonlyArray<Analyst> =>
        "judge" in analysis ? [{ supervisor, analysis, claims: new Map(), settled: [], asked: new Set() }] : []
    )
  )
  const byTag = Map.groupBy(analysts, ({ analysis }) => analysis.of)
  const opinions = new Map<StableId, Opinion>()
  const unsettled = new Set(analysts)

  const supervised = <A extends { readonly diagnostics?: ReadonlyArray<Diagnostic> }>(
    { analysis, supervisor }: Analyst,
    say: () => A
  ): A | { readonly diagnostics: ReadonlyArray<Diagnostic> } => {
    const callback = `the analysis ${analysis.name}`
    const said = supervisor.run(callback, undefined, say)
    if (Result.isFailure(said)) return { diagnostics: said.failure }
    return { ...said.success, diagnostics: supervisor.admit(callback, said.success.diagnostics) }
  }

  const withdraw = ({ claims, id }: Opinion): void => {
    for (const [analyst, key] of claims) {
      const claimants = analyst.claims.get(key)
      claimants?.delete(id)
      if (claimants?.size === 0) analyst.claims.delete(key)
      unsettled.add(analyst)
    }
  }

  const claim = (analyst: Analyst, key: string, id: StableId, value: unknown): void => {
    let claimants = analyst.claims.get(key)
    if (claimants === undefined) {
      claimants = new Map()
      analyst.claims.set(key, claimants)
    }
    claimants.set(id, [...(claimants.get(id) ?? []), value])
    unsettled.add(analyst)
  }

  const form = (id: StableId): void => {
    const before = opinions.get(id)
    if (before !== undefined) withdraw(before)
    const nodes = (merged.vertex(id)?.merged ?? []).filter(({ value }) => byTag.has(value._tag))
    if (nodes.length === 0) {
      if (before !== undefined) recorder.forget(before)
      opinions.delete(id)
      return
    }
    const opinion: Opinion = before ?? { id, asked: new Set(), claims: [], diagnostics: [] }
    const claims: Array<readonly [Analyst, string]> = []
    recorder.judge(opinion, (input) => {
      opinion.diagnostics = nodes.flatMap(({ value }) =>
        (byTag.get(value._tag) ?? []).flatMap((analyst) => {
          const said = supervised(analyst, (): Verdict<unknown> => analyst.analysis.judge(value as never, input))
          for (const [key, what] of ("claims" in said && said.claims) || []) {
            claim(analyst, key, id, what)
            claims.push([analyst, key])
          }
          return said.diagnostics ?? []
        })
      )
    })
    opinion.claims = claims
    opinions.set(id, opinion)
  }

  const settle = (analyst: Analyst): void => {
    const { settle } = analyst.analysis
    if (settle === undefined) return
    const inOrder = (claimants: ReadonlyMap<StableId, ReadonlyArray<unknown>>): ReadonlyArray<unknown> =>
      claimants.size < 2
        ? Array.from(claimants.values()).flat()
        : Array.from(claimants.keys())
            .sort()
            .flatMap((id) => claimants.get(id) ?? [])
    const claims = new Map(Array.from(analyst.claims, ([key, claimants]) => [key, inOrder(claimants)]))
    analyst.settled = recorder.judge(
      analyst,
      (input) => supervised(analyst, () => ({ diagnostics: settle(claims, input) })).diagnostics
    )
  }

  return (step) => {
    const again = new Set(step.nodes)
    for (const judgement of recorder.stale(step)) {
      if ("analysis" in judgement) unsettled.add(judgement as Analyst)
      else again.add((judgement as Opinion).id)
    }
    for (const id of again) form(id)
    for (const analyst of unsettled) settle(analyst)
    unsettled.clear()
    return [
      ...Array.from(opinions.values(), ({ diagnostics }) => diagnostics).flat(),
      ...analysts.flatMap(({ settled }) => settled)
    ]
  }
}
