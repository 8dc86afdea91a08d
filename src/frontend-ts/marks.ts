/** Decorators and steps of chains that are of the runtime, and the annotations that they become. */
import type { Annotation, AnnotationArg, CompilerFault, Declaration, Spread } from "@effx/compiler"
import type { Site } from "@effx/diagnostics"
import type { Effect } from "effect"
import { type Decorator, type Expression, isCallExpression } from "typescript/ast"
import type { Analysis } from "./analysis.ts"
import type { Candidate, Chain } from "./candidates.ts"
import { peel } from "./initializer.ts"
import { FAILED, type Lowering, lowerArgument } from "./lower.ts"
import { each, mapped } from "./wave.ts"

/** A declaration, with the provenance of what it spreads. */
export interface Declared {
  readonly declaration: Declaration
  readonly spreads: ReadonlyArray<Spread>
}

/** A decorator or a step of a chain that is of the runtime. */
export interface Mark {
  readonly name: string
  readonly args: ReadonlyArray<Expression>
  readonly site: Site
  /** Not written as a call, so there is nothing to read. */
  readonly bare: boolean
  /** A call of a chain, not a decorator. */
  readonly inChain: boolean
}

const calleeOf = (decorator: Decorator): Expression => {
  const expression = peel(decorator.expression)
  return isCallExpression(expression) ? expression.expression : expression
}

/** The expressions of a candidate that decide whether it is of the runtime. */
export const calleesOf = (candidate: Candidate): ReadonlyArray<Expression> =>
  candidate._tag === "Class"
    ? [...candidate.decorators, ...candidate.members.flatMap(({ decorators }) => decorators)].map(calleeOf)
    : [candidate.chain.callee]

/** What of some decorators is of the runtime, top to bottom. */
export const marksOf = (
  analysis: Analysis,
  decorators: ReadonlyArray<Decorator>
): Effect.Effect<ReadonlyArray<Mark>, CompilerFault> =>
  mapped(
    each(decorators, (decorator) => {
      const expression = peel(decorator.expression)
      const args = isCallExpression(expression) ? expression.arguments : undefined
      return mapped(
        analysis.runtime.nameOf(calleeOf(decorator)),
        (name): ReadonlyArray<Mark> =>
          name === undefined
            ? []
            : [{ name, args: args ?? [], site: analysis.siteOf(decorator), bare: args === undefined, inChain: false }]
      )
    }),
    (marks) => marks.flat()
  )

/**
 * Lowers a mark.
 *
 * @returns `undefined` when an argument is not static: it has been reported, and the annotation is dropped
 */
export const annotate = (
  analysis: Analysis,
  declaration: string,
  mark: Mark,
  spreads: Array<Spread>
): Effect.Effect<Annotation | undefined, CompilerFault> => {
  const lowering: Lowering = { annotation: mark.name, inChain: mark.inChain, declaration, sites: {}, spreads }
  return mapped(
    each(mark.args, (argument, index) => lowerArgument(analysis, lowering, argument, index)),
    (args) =>
      args.some((argument) => argument === FAILED)
        ? undefined
        : { name: mark.name, args: args as ReadonlyArray<AnnotationArg>, site: mark.site, sites: lowering.sites }
  )
}

/** `http.get` of a chain is `Http.Get` of the decorators. */
const annotationName = (words: ReadonlyArray<string>): string =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(".")

/** The calls that begin an operation. */
const ROOTS = new Map([
  ["Operation.query", "Query"],
  ["Operation.command", "Command"]
])

/** The annotation that the root of a chain stands for, by its runtime name. */
export const rootAnnotation = (root: string | undefined): string | undefined =>
  root === undefined ? undefined : ROOTS.get(root)

/** The marks of an operation's chain, root to tip, without the handler. */
export const chainMarks = (analysis: Analysis, chain: Chain, root: string): ReadonlyArray<Mark> => [
  { name: root, args: chain.call.arguments, site: analysis.siteOf(chain.call), bare: false, inChain: true },
  ...chain.steps.slice(0, -1).map(
    ({ call, from, words }): Mark => ({
      name: annotationName(words),
      args: call.arguments,
      site: analysis.siteOf(call, from),
      bare: false,
      inChain: true
    })
  )
]
