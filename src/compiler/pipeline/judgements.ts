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
import { type Ballot, makeBallot } from "./ballot.ts"
import type { Supervisor } from "./extension-contract.ts"
import type { Merged, Step } from "./merged.ts"
import { facetKey } from "./site-table.ts"

/** Something that was said by asking the graph; it is void when an answer changes. */
interface Judgement {
  readonly asked: Set<Answer>
}

/** An answer, with all that was said by it. */
interface Answer {
  readonly judgements: Set<Judgement>
  /** Forgets it once nothing is said by it any more. */
  readonly drop: () => void
}

type Asked<K> = Map<K, Answer>

/** Writes down who asked for what. */
const makeRecorder = (merged: Merged, options: AnalysisOptions) => {
  const nodes: Asked<StableId> = new Map()
  const edges: Asked<StableId> = new Map()
  const sites: Asked<string> = new Map()
  let current: Judgement = { asked: new Set() }
  const note = <K>(asked: Asked<K>, key: K): void => {
    let answer = asked.get(key)
    if (answer === undefined) {
      answer = { judgements: new Set(), drop: () => void asked.delete(key) }
      asked.set(key, answer)
    }
    answer.judgements.add(current)
    current.asked.add(answer)
  }
  const forget = (judgement: Judgement): void => {
    for (const { drop, judgements } of judgement.asked) {
      judgements.delete(judgement)
      if (judgements.size === 0) drop()
    }
    judgement.asked.clear()
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
      forget(judgement)
      current = judgement
      return say(input)
    },
    forget,
    /** Those for which an answer changed. */
    stale: (step: Step): ReadonlySet<Judgement> => {
      const found = new Set<Judgement>()
      const add = <K>(asked: Asked<K>, keys: ReadonlySet<K>) => {
        for (const key of keys) for (const judgement of asked.get(key)?.judgements ?? []) found.add(judgement)
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
  readonly ballot: Ballot
  settled: ReadonlyArray<Diagnostic>
}

/** What is said of one id, by all analyses of its nodes. */
interface Opinion extends Judgement {
  readonly id: StableId
  claims: ReadonlyArray<readonly [ballot: Ballot, key: string]>
  diagnostics: ReadonlyArray<Diagnostic>
}

const isAnalyst = (judgement: Judgement): judgement is Analyst => "analysis" in judgement

export const makeJudgements = (
  merged: Merged,
  supervisors: ReadonlyArray<Supervisor>,
  options: AnalysisOptions
): ((step: Step) => ReadonlyArray<Diagnostic>) => {
  const recorder = makeRecorder(merged, options)
  const analysts = supervisors.flatMap((supervisor) =>
    supervisor.extension.analyses.flatMap(
      (analysis): ReadonlyArray<Analyst> =>
        "judge" in analysis ? [{ supervisor, analysis, ballot: makeBallot(), settled: [], asked: new Set() }] : []
    )
  )
  const byTag = Map.groupBy(analysts, ({ analysis }) => analysis.of)
  const opinions = new Map<StableId, Opinion>()
  const adverse = new Set<Opinion>()
  let isFirst = true

  const supervised = (
    { analysis, supervisor }: Analyst,
    say: () => Verdict<unknown>
  ): Verdict<unknown> & { readonly diagnostics: ReadonlyArray<Diagnostic> } => {
    const callback = `the analysis ${analysis.name}`
    const said = supervisor.run(callback, undefined, say)
    return Result.isFailure(said)
      ? { diagnostics: said.failure }
      : { ...said.success, diagnostics: supervisor.admit(callback, said.success.diagnostics) }
  }

  const form = (id: StableId): void => {
    const before = opinions.get(id)
    for (const [ballot, key] of before?.claims ?? []) ballot.withdraw(key, id)
    const nodes = (merged.vertex(id)?.merged ?? []).filter(({ value }) => byTag.has(value._tag))
    if (nodes.length === 0) {
      if (before === undefined) return
      recorder.forget(before)
      adverse.delete(before)
      opinions.delete(id)
      return
    }
    const opinion: Opinion = before ?? { id, asked: new Set(), claims: [], diagnostics: [] }
    const claims: Array<readonly [Ballot, string]> = []
    opinion.diagnostics = recorder.judge(opinion, (input) =>
      nodes.flatMap(({ value }) =>
        (byTag.get(value._tag) ?? []).flatMap((analyst) => {
          const { claims: made = [], diagnostics } = supervised(analyst, () =>
            analyst.analysis.judge(value as never, input)
          )
          for (const [key, what] of made) {
            analyst.ballot.claim(key, id, what)
            claims.push([analyst.ballot, key])
          }
          return diagnostics
        })
      )
    )
    opinion.claims = claims
    if (opinion.diagnostics.length > 0) adverse.add(opinion)
    else adverse.delete(opinion)
    opinions.set(id, opinion)
  }

  const settle = (analyst: Analyst): void => {
    const { analysis, ballot } = analyst
    analyst.settled = recorder.judge(analyst, (input) =>
      ballot.read((claims) => supervised(analyst, () => ({ diagnostics: analysis.settle?.(claims, input) ?? [] })))
    ).diagnostics
  }

  return (step) => {
    const stale = recorder.stale(step)
    const again = new Set(step.nodes)
    for (const judgement of stale) if (!isAnalyst(judgement)) again.add((judgement as Opinion).id)
    for (const id of again) form(id)
    for (const analyst of analysts) {
      if (isFirst || stale.has(analyst) || analyst.ballot.isOutdated()) settle(analyst)
    }
    isFirst = false
    return [
      ...Array.from(adverse, ({ diagnostics }) => diagnostics).flat(),
      ...analysts.flatMap(({ settled }) => settled)
    ]
  }
}
