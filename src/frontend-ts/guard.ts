/**
 * What the declaration of an HTTP middleware says of itself: the security schemes that it accepts and the errors with which it
 * refuses, read from `HttpApiMiddleware.Service<Self>()(id, { error, security })`.
 *
 * Nothing is evaluated. Each of the two is read as a whole or not at all: a scheme that is made in another way than by Effect's
 * own constructors from static arguments, or an error that generated code could not name, leaves it unread.
 */
import type { CompilerFault, GuardFacts, NamedScheme, SecurityScheme } from "@effx/compiler"
import type { SchemaRef } from "@effx/ir"
import { Effect } from "effect"
import {
  type CallExpression,
  type Expression,
  isArrayLiteralExpression,
  isCallExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isStringLiteral,
  type ObjectLiteralExpression
} from "typescript/ast"
import type { Analysis } from "./analysis.ts"
import type { EngineSymbol } from "./checker.ts"
import { peel } from "./initializer.ts"
import { LIMITS } from "./limits.ts"
import { schemaRef } from "./references.ts"
import { heritageOf } from "./shape/reading.ts"
import { isEffects } from "./shape/schema-form.ts"
import { propertyName } from "./shape/static-value.ts"
import { namePathOf } from "./symbols.ts"
import { all, chained, each } from "./wave.ts"

type Read<A> = Effect.Effect<A | undefined, CompilerFault>

/** The symbol that an expression names; the name of a shorthand property is a value, too. */
const symbolAt = ({ checker, names }: Analysis, expression: Expression): Read<EngineSymbol> => {
  const value = peel(expression)
  if (namePathOf(value) === undefined) return Effect.undefined
  if (value.parent === undefined || !isShorthandPropertyAssignment(value.parent)) return names.symbolOf(value)
  return chained(checker.getShorthandAssignmentValueSymbol(value.parent), (local) =>
    local === undefined ? Effect.undefined : checker.resolveSymbol(local)
  )
}

/** The expression that a name stands for, through constants; a name of Effect's stays as it is. */
const followed = Effect.fnUntraced(function* (
  analysis: Analysis,
  expression: Expression
): Effect.fn.Return<{ readonly value: Expression; readonly symbol: EngineSymbol | undefined }, CompilerFault> {
  let value = peel(expression)
  for (let steps = 0; steps <= LIMITS.guardDepth; steps++) {
    const symbol = yield* symbolAt(analysis, value)
    if (symbol === undefined || isEffects(symbol)) return { value, symbol }
    const initializer = yield* analysis.initializerOf(symbol)
    if (initializer === undefined) return { value, symbol }
    value = peel(initializer)
  }
  return { value, symbol: undefined }
})

/** The name of Effect's own function or constant that an expression names. */
const effectName = (analysis: Analysis, expression: Expression): Read<string> =>
  Effect.map(symbolAt(analysis, expression), (symbol) =>
    symbol !== undefined && isEffects(symbol) ? symbol.name : undefined
  )

const textOf = (analysis: Analysis, expression: Expression | undefined): Read<string> =>
  expression === undefined
    ? Effect.undefined
    : Effect.map(followed(analysis, expression), ({ value }) =>
        isStringLiteral(value) || isNoSubstitutionTemplateLiteral(value) ? value.text : undefined
      )

type Property = readonly [name: string, value: Expression]

/** The properties of an object literal, in order; `undefined` where one is computed, spread or a method. */
const propertiesOf = (literal: ObjectLiteralExpression): ReadonlyArray<Property> | undefined => {
  const found = literal.properties.map((property): Property | undefined => {
    const name = isPropertyAssignment(property) ? propertyName(property.name) : undefined
    if (isPropertyAssignment(property) && name !== undefined) return [name, property.initializer]
    const shorthand = isShorthandPropertyAssignment(property) ? property.name : undefined
    return shorthand !== undefined && isIdentifier(shorthand) ? [shorthand.text, shorthand] : undefined
  })
  return found.every((property) => property !== undefined) ? found : undefined
}

const recordOf = (analysis: Analysis, expression: Expression | undefined): Read<ReadonlyArray<Property>> =>
  expression === undefined
    ? Effect.undefined
    : Effect.map(followed(analysis, expression), ({ value }) =>
        isObjectLiteralExpression(value) ? propertiesOf(value) : undefined
      )

const valueOf = (record: ReadonlyArray<Property> | undefined, name: string): Expression | undefined =>
  record?.find(([key]) => key === name)?.[1]

/** `HttpApiSecurity.annotate(OpenApi.Description, "…")` applied to a scheme; what OpenAPI does not show changes nothing. */
const annotated = Effect.fnUntraced(function* (
  analysis: Analysis,
  scheme: SecurityScheme | undefined,
  [key, given]: ReadonlyArray<Expression>
): Effect.fn.Return<SecurityScheme | undefined, CompilerFault> {
  const name = key && (yield* effectName(analysis, key))
  if (scheme === undefined || (name !== "Description" && name !== "Format")) return scheme
  const text = yield* textOf(analysis, given)
  if (text === undefined) return undefined
  if (name === "Description") return { ...scheme, description: text }
  return scheme.type === "http" && scheme.scheme.toLowerCase() !== "basic" ? { ...scheme, bearerFormat: text } : scheme
})

const LOCATIONS = ["header", "query", "cookie"] as const

const made = Effect.fnUntraced(function* (
  analysis: Analysis,
  call: CallExpression,
  depth: number
): Effect.fn.Return<SecurityScheme | undefined, CompilerFault> {
  const callee = peel(call.expression)
  if (isPropertyAccessExpression(callee) && callee.name.text === "pipe") {
    let scheme = yield* schemeOf(analysis, callee.expression, depth)
    for (const step of call.arguments) {
      const fn = peel(step)
      if (!isCallExpression(fn) || (yield* effectName(analysis, fn.expression)) !== "annotate") return undefined
      scheme = yield* annotated(analysis, scheme, fn.arguments)
    }
    return scheme
  }
  const [first, ...rest] = call.arguments
  const name = yield* effectName(analysis, callee)
  if (first === undefined) return undefined
  if (name === "annotate") return yield* annotated(analysis, yield* schemeOf(analysis, first, depth), rest)
  const options = yield* recordOf(analysis, first)
  if (options === undefined) return undefined
  if (name === "http") {
    const scheme = yield* textOf(analysis, valueOf(options, "scheme"))
    return scheme === undefined ? undefined : { type: "http", scheme }
  }
  if (name !== "apiKey") return undefined
  const given = valueOf(options, "in")
  const [key, place] = yield* all([textOf(analysis, valueOf(options, "key")), textOf(analysis, given)])
  const location = given === undefined ? "header" : LOCATIONS.find((one) => one === place)
  return key === undefined || location === undefined ? undefined : { type: "apiKey", name: key, in: location }
})

const schemeOf = (
  analysis: Analysis,
  expression: Expression,
  depth = 0
): Effect.Effect<SecurityScheme | undefined, CompilerFault> =>
  depth > LIMITS.guardDepth
    ? Effect.undefined
    : Effect.flatMap(followed(analysis, expression), ({ symbol, value }): Read<SecurityScheme> => {
        if (isCallExpression(value)) return made(analysis, value, depth + 1)
        const constant = symbol !== undefined && isEffects(symbol) ? CONSTANTS[symbol.name] : undefined
        return Effect.succeed(constant)
      })

/** The schemes that Effect has made already. */
const CONSTANTS: Readonly<Record<string, SecurityScheme>> = {
  bearer: { type: "http", scheme: "Bearer" },
  basic: { type: "http", scheme: "basic" }
}

const schemesOf = Effect.fnUntraced(function* (
  analysis: Analysis,
  security: Expression
): Effect.fn.Return<ReadonlyArray<NamedScheme> | undefined, CompilerFault> {
  const record = yield* recordOf(analysis, security)
  if (record === undefined) return undefined
  const schemes = yield* each(record, ([key, value]) =>
    Effect.map(schemeOf(analysis, value), (scheme) => (scheme === undefined ? undefined : { key, scheme }))
  )
  return schemes.every((scheme) => scheme !== undefined) ? schemes : undefined
})

const errorsOf = Effect.fnUntraced(function* (
  analysis: Analysis,
  error: Expression
): Effect.fn.Return<ReadonlyArray<SchemaRef> | undefined, CompilerFault> {
  const { value } = yield* followed(analysis, error)
  const members = isArrayLiteralExpression(value) ? value.elements : [error]
  const refs = yield* each(
    members,
    Effect.fnUntraced(function* (member): Effect.fn.Return<SchemaRef | undefined, CompilerFault> {
      const symbol = yield* symbolAt(analysis, member)
      if (symbol === undefined || (yield* analysis.kindOf(symbol)) !== "schema") return undefined
      const reference = yield* analysis.references.referenceOf(symbol)
      if (reference._tag !== "Reference") return undefined
      analysis.named.schema(reference, symbol)
      return schemaRef(reference)
    })
  )
  return refs.every((ref) => ref !== undefined) ? refs : undefined
})

/**
 * @param symbol an HTTP middleware class
 */
export const guardOf = Effect.fnUntraced(function* (
  analysis: Analysis,
  symbol: EngineSymbol
): Effect.fn.Return<GuardFacts, CompilerFault> {
  const { valueDeclaration } = symbol
  const node = valueDeclaration && (yield* analysis.checker.nodeOf(valueDeclaration))
  const heritage = node && heritageOf(node)
  const call = heritage && peel(heritage)
  const maker = call && isCallExpression(call) ? peel(call.expression) : undefined
  if (call === undefined || !isCallExpression(call) || maker === undefined || !isCallExpression(maker)) return {}
  if ((yield* effectName(analysis, maker.expression)) !== "Service") return {}
  const given = call.arguments[1]
  const options = given === undefined ? [] : yield* recordOf(analysis, given)
  if (options === undefined) return {}
  const [security, error] = [valueOf(options, "security"), valueOf(options, "error")]
  const [schemes, errors] = yield* all([
    security === undefined ? Effect.succeed([]) : schemesOf(analysis, security),
    error === undefined ? Effect.succeed([]) : errorsOf(analysis, error)
  ])
  return { ...(schemes && { schemes }), ...(errors && { errors }) }
})
