/**
 * Looks ahead over all declarations, so that most questions of a project go out together and cost neither a fiber nor a
 * request of their own. It decides nothing: what it does not foresee is asked when it is needed.
 *
 * Return types make the engine check bodies, which takes longest. Wherever they are foreseen they go as soon as there are signatures, and
 * in a message of their own, since answers of one message wait for each other.
 */
import type { CompilerFault } from "@effx/compiler"
import { Effect, Fiber } from "effect"
import { type Expression, isCallExpression, isMethodDeclaration, type Node } from "typescript/ast"
import type { Analysis } from "./analysis.ts"
import { type Candidate, candidatesOf } from "./candidates.ts"
import type { Kinds } from "./classify.ts"
import type { World } from "./engine.ts"
import { hasOneSignature } from "./infer.ts"
import { isFollowed, peel } from "./initializer.ts"
import { namesIn } from "./lower.ts"
import { calleesOf, marksOf, rootAnnotation } from "./marks.ts"
import { all, answered, each, mapped } from "./wave.ts"

/** Asks what the declarations of `candidates` will ask. */
export const lookAhead = Effect.fnUntraced(function* (
  analysis: Analysis,
  kinds: Kinds,
  candidates: ReadonlyArray<Candidate>
): Effect.fn.Return<void, CompilerFault> {
  const { checker, names, references } = analysis
  const returns = yield* Effect.forkChild(checker.getReturnTypeOfDeclaration.ahead(candidates.flatMap(handlersOf)), {
    startImmediately: true
  })
  yield* nextTurn
  // Which calls are annotations shows when their callees are known, a step later.
  yield* all([
    names.ahead(
      candidates.flatMap((candidate) => [...calleesOf(candidate), ...callsOf(candidate).flatMap(argumentsOf)])
    ),
    checker.getSymbolAtLocation.ahead(candidates.flatMap(({ name }) => name ?? []))
  ])
  const expressions = (yield* each(candidates, (candidate) => namesOf(analysis, candidate))).flat()
  const symbols = new Set((yield* each(expressions, names.symbolOf)).flatMap((symbol) => symbol ?? []))
  const declarations = Array.from(symbols).flatMap(({ valueDeclaration }) =>
    valueDeclaration !== undefined && isFollowed(valueDeclaration) ? [valueDeclaration] : []
  )
  yield* all([kinds.ahead(symbols), checker.nodeOf.ahead(declarations), each(symbols, references.referenceOf)])
  yield* Fiber.join(returns)
})

/**
 * Asks what a collection after edits will ask first, together with the facts of the new state, and lets the engine begin with what it
 * needs longest for. What the engine refuses is refused again where it is needed.
 *
 * @param edits absolute paths of the files that differ
 * @returns goes on with that: there is time for something else before
 */
export const foreseeEdits = (
  { checker, program }: World,
  edits: Iterable<string>
): Effect.Effect<Effect.Effect<void>> =>
  Effect.gen(function* () {
    const [sources] = yield* all([
      each(edits, program.sourceFile),
      program.syntacticDiagnostics,
      program.configDiagnostics,
      program.programDiagnostics,
      program.fileNames,
      program.configFileNames
    ])
    const candidates = sources.flatMap((source) => (source === undefined ? [] : candidatesOf(source)))
    const handlers = candidates.flatMap(handlersOf)
    if (handlers.length === 0) return Effect.void
    checker.getSignatureFromDeclaration.begin(handlers)
    yield* sent
    return Effect.gen(function* () {
      checker.getReturnTypeOfSignature.begin(yield* answered(handlers, checker.getSignatureFromDeclaration))
      yield* sent
    }).pipe(Effect.ignore)
  }).pipe(Effect.orElseSucceed(() => Effect.void))

/** The turn of the event loop after the message that is being put together has gone out. */
const nextTurn: Effect.Effect<void> = Effect.promise(() => new Promise((resolve) => void setImmediate(resolve)))

/** In one turn the client puts its message together, in another one it writes it. */
const sent = Effect.andThen(nextTurn, nextTurn)

/** The handlers of what may be an operation. */
const handlersOf = (candidate: Candidate): ReadonlyArray<Node> => {
  if (candidate._tag === "Class") {
    return candidate.members.flatMap(({ node }) => (isMethodDeclaration(node) && hasOneSignature(node) ? [node] : []))
  }
  const handler = candidate.chain.steps.at(-1)?.call.arguments[0]
  return handler !== undefined && hasOneSignature(handler) ? [handler] : []
}

/** The calls that may be annotations. */
const callsOf = (candidate: Candidate): ReadonlyArray<Expression> =>
  candidate._tag === "Class"
    ? candidate.members.flatMap(({ decorators }) => decorators.map(({ expression }) => peel(expression)))
    : [candidate.chain.call, ...candidate.chain.steps.slice(0, -1).map(({ call }) => call)]

const argumentsOf = (call: Expression): ReadonlyArray<Expression> =>
  isCallExpression(call) ? call.arguments.flatMap(namesIn) : []

/** The names in the arguments of what is an annotation; the callees are known by now. */
const namesOf = (analysis: Analysis, candidate: Candidate): Effect.Effect<ReadonlyArray<Expression>, CompilerFault> =>
  candidate._tag === "Class"
    ? mapped(
        each(candidate.members, ({ decorators }) => marksOf(analysis, decorators)),
        (members) => members.flatMap((marks) => marks.flatMap(({ args }) => args.flatMap(namesIn)))
      )
    : mapped(analysis.runtime.nameOf(candidate.chain.callee), (root) =>
        rootAnnotation(root) === undefined ? [] : callsOf(candidate).flatMap(argumentsOf)
      )
