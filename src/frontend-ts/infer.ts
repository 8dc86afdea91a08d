/**
 * What a handler can fail with and what it requires, as the checker infers it (Spec 0002, "E/R inference").
 *
 * A return type that is a union of Effects has the union of their channels; subtypes of Effect are read through their
 * `~effect/Effect` member. `any`, `unknown` and free type parameters are never an empty set: as a return type they are no
 * Effect, in a channel they make it unknowable.
 */
import type { Channel, CompilerFault, Constituent, HandlerSignature } from "@effx/compiler"
import { Effect } from "effect"
import {
  isArrowFunction,
  isFunctionExpression,
  isMethodDeclaration,
  type Node,
  type SignatureDeclaration
} from "typescript/ast"
import type { Analysis } from "./analysis.ts"
import { type EngineSymbol, isAny, isReference, isUnknown, type Signature, type Type } from "./checker.ts"
import { paths } from "./host.ts"
import { nearestPackage } from "./package-facts.ts"
import { isEffects } from "./shape/schema-form.ts"
import { all, chained, each, mapped } from "./wave.ts"

/** Either the signature, or the return type as TypeScript prints it when it is no Effect. */
export type Inferred =
  | { readonly _tag: "Signature"; readonly signature: HandlerSignature }
  | { readonly _tag: "NoEffect"; readonly returned: string }

type Inference = Pick<Analysis, "checker" | "kindOf" | "named" | "references" | "snapshot">

interface Channels {
  readonly success: Type
  readonly errors: Type
  readonly requirements: Type
}

/**
 * Infers a handler's channels.
 *
 * @param handler a method declaration, or the expression that is given to `.handler`
 */
export const inferSignature = (analysis: Analysis, handler: Node): Effect.Effect<Inferred, CompilerFault> =>
  // Handlers of one file mostly return few different types.
  hasOneSignature(handler)
    ? mapped(chained(analysis.checker.getReturnTypeOfDeclaration(handler), analysis.inferredOf), (inferred) =>
        hasParameter(handler) ? inferred : withoutInput(inferred)
      )
    : inferOverloaded(analysis, handler)

const hasParameter = (handler: Node): boolean =>
  (handler as SignatureDeclaration).parameters.some(({ name }) => name.getText() !== "this")

const withoutInput = (inferred: Inferred): Inferred =>
  inferred._tag === "Signature" ? { ...inferred, signature: { ...inferred.signature, ignoresInput: true } } : inferred

const inferOverloaded = Effect.fnUntraced(function* (
  analysis: Analysis,
  handler: Node
): Effect.fn.Return<Inferred, CompilerFault> {
  const { checker } = analysis
  const type = yield* checker.getTypeAtLocation(isMethodDeclaration(handler) ? handler.name : handler)
  const signatures = yield* checker.getCallSignatures(type)
  const returned = yield* each(signatures, (signature) => checker.getReturnTypeOfSignature(signature))
  const inferred = yield* inferredFrom(analysis, returned.length > 0 ? returned : [type])
  const takes = yield* each(signatures, (signature) => takesArgument(analysis, signature))
  return takes.includes(true) ? inferred : withoutInput(inferred)
})

/** Whether a signature has a parameter; `...args: []`, as `Effect.fn` writes it, is none. */
const takesArgument = Effect.fnUntraced(function* (
  { checker }: Analysis,
  signature: Signature
): Effect.fn.Return<boolean, CompilerFault> {
  if (signature.parameters.length !== 1 || !signature.hasRestParameter) return signature.parameters.length > 0
  const [rest] = yield* checker.getParameters(signature)
  const type = rest && (yield* checker.getTypeOfSymbol(rest))
  if (type === undefined || !isReference(type) || !(yield* checker.isTupleType(type))) return true
  return (yield* checker.getTypeArguments(type)).length > 0
})

/** What a handler does that returns one of these types. */
export const inferredFrom = Effect.fnUntraced(function* (
  analysis: Inference,
  returned: ReadonlyArray<Type>
): Effect.fn.Return<Inferred, CompilerFault> {
  const effects = yield* each(returned, (type) => channelsOf(analysis, type))
  if (effects.some((channels) => channels === undefined)) {
    return { _tag: "NoEffect", returned: yield* printed(analysis, returned) }
  }
  const channels = effects.flatMap((found) => found ?? [])
  const of = (name: keyof Channels): ReadonlyArray<Type> => channels.map((channel) => channel[name])
  const [success, errors, requirements] = yield* all([
    printed(analysis, of("success")),
    channelOf(analysis, of("errors")),
    channelOf(analysis, of("requirements"))
  ])
  return { _tag: "Signature", signature: { success, errors, requirements } }
})

/** Whether a handler is called by what it declares; the implementation of an overloaded method is not. */
export const hasOneSignature = (handler: Node): boolean =>
  isMethodDeclaration(handler) ? !isOverloaded(handler) : isArrowFunction(handler) || isFunctionExpression(handler)

const isOverloaded = (method: Node & { readonly name: Node }): boolean => {
  const name = method.name.getText()
  const { members } = method.parent as Node & { readonly members?: ReadonlyArray<Node> }
  return (members ?? []).some(
    (member) => isMethodDeclaration(member) && member.body === undefined && member.name.getText() === name
  )
}

/** The channels of every Effect that a type may be; `undefined` when it may be something else. */
const channelsOf = Effect.fnUntraced(function* (
  analysis: Inference,
  type: Type
): Effect.fn.Return<ReadonlyArray<Channels> | undefined, CompilerFault> {
  const members = yield* analysis.checker.membersOf(type)
  const found = yield* each(members, (member) => channelsOfOne(analysis, member))
  return found.length === 0 || found.some((channels) => channels === undefined)
    ? undefined
    : found.flatMap((channels) => channels ?? [])
})

const channelsOfOne = Effect.fnUntraced(function* (
  analysis: Inference,
  type: Type
): Effect.fn.Return<Channels | undefined, CompilerFault> {
  const { checker } = analysis
  if (isReference(type)) {
    const symbol = yield* checker.getSymbolOfType(type)
    if (symbol?.name === "Effect" && isDeclaredByEffect(analysis, symbol)) {
      const [success, errors, requirements] = yield* checker.getTypeArguments(type)
      return success !== undefined && errors !== undefined && requirements !== undefined
        ? { success, errors, requirements }
        : undefined
    }
  }
  if (!type.isObjectType() && !type.isIntersectionType()) return undefined
  const variance = yield* checker.getTypeOfPropertyOfType(type, "~effect/Effect")
  if (variance === undefined) return undefined
  const [success, errors, requirements] = yield* all([
    covariant(analysis, variance, "_A"),
    covariant(analysis, variance, "_E"),
    covariant(analysis, variance, "_R")
  ])
  return success !== undefined && errors !== undefined && requirements !== undefined
    ? { success, errors, requirements }
    : undefined
})

const isDeclaredByEffect = (analysis: Inference, symbol: EngineSymbol): boolean => {
  const path = symbol.declarations[0]?.path
  return path !== undefined && nearestPackage(analysis.snapshot, paths.dirname(path))?.name === "effect"
}

/** A channel of a variance struct: the return type of its covariant function. */
const covariant = Effect.fnUntraced(function* (
  { checker }: Inference,
  variance: Type,
  name: string
): Effect.fn.Return<Type | undefined, CompilerFault> {
  const phantom = yield* checker.getTypeOfPropertyOfType(variance, name)
  const signature = phantom && (yield* checker.getCallSignatures(phantom))[0]
  return signature && (yield* checker.getReturnTypeOfSignature(signature))
})

const channelOf = Effect.fnUntraced(function* (
  analysis: Inference,
  types: ReadonlyArray<Type>
): Effect.fn.Return<Channel, CompilerFault> {
  const members = (yield* each(types, (type) => analysis.checker.membersOf(type))).flat()
  for (const member of members) {
    const reason = unknowable(member)
    if (reason !== undefined) {
      return { _tag: "Unknowable", reason, display: yield* printed(analysis, types) }
    }
  }
  const constituents = yield* each(new Set(members), (member) => constituentOf(analysis, member))
  const byKey = new Map(withBoolean(constituents).map((each) => [keyOf(each), each]))
  return { _tag: "Known", members: [...byKey].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, each]) => each) }
})

const unknowable = (type: Type): "any" | "unknown" | "type parameter" | undefined =>
  isAny(type)
    ? "any"
    : isUnknown(type)
      ? "unknown"
      : type.isTypeParameter() || type.isIndexedAccessType() || type.isConditionalType()
        ? "type parameter"
        : undefined

const keyOf = (constituent: Constituent): string => {
  switch (constituent._tag) {
    case "Schema":
      return constituent.ref.symbolId
    case "Service":
      return constituent.id
    case "Opaque":
      return `~${constituent.display}`
  }
}

/** `boolean` is a union of its literals to the checker, and one type to an author. */
const withBoolean = (members: ReadonlyArray<Constituent>): ReadonlyArray<Constituent> => {
  const literal = (display: string) => (each: Constituent) => each._tag === "Opaque" && each.display === display
  return members.some(literal("true")) && members.some(literal("false"))
    ? [
        ...members.filter((each) => !literal("true")(each) && !literal("false")(each)),
        { _tag: "Opaque", display: "boolean" }
      ]
    : members
}

const constituentOf = Effect.fnUntraced(function* (
  analysis: Inference,
  type: Type
): Effect.fn.Return<Constituent, CompilerFault> {
  const { checker } = analysis
  const symbol = type.isObjectType() ? yield* checker.getSymbolOfType(type) : undefined
  if (symbol !== undefined && symbol.valueDeclaration !== undefined) {
    const kind = yield* analysis.kindOf(symbol)
    if (kind === "schema" || kind === "service") {
      const reference = yield* analysis.references.referenceOf(symbol)
      if (reference._tag === "Reference") {
        if (kind === "schema") {
          return { _tag: "Schema", ref: analysis.named.schema(reference, symbol), display: reference.path }
        }
        return { _tag: "Service", ...analysis.named.service(reference, symbol), display: reference.path }
      }
    }
  }
  const [display, tag] = yield* all([
    checker.typeToString(type),
    symbol !== undefined && isEffects(symbol) ? checker.getTypeOfPropertyOfType(type, "_tag") : Effect.undefined
  ])
  return { _tag: "Opaque", display, ...(tag?.isStringLiteralType() && { tag: tag.value }) }
})

/** Types as one union, each alternative once. */
const printed = (analysis: Inference, types: ReadonlyArray<Type>): Effect.Effect<string, CompilerFault> =>
  Effect.map(
    each(new Set(types), (type) => analysis.checker.typeToString(type)),
    (texts) => [...new Set(texts)].sort().join(" | ")
  )
