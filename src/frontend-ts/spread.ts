/**
 * The values of an array that `Http.Problems.codes` spreads (Spec 0002, "Argument lowering").
 *
 * The walk through initializers owns the values; the checker's tuple type must agree in elements and order at every name and
 * at every assertion on the way. So an array that may change, and one that an assertion only claims to be constant, have no
 * static values.
 */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import {
  type Expression,
  isArrayLiteralExpression,
  isAsExpression,
  isNoSubstitutionTemplateLiteral,
  isParenthesizedExpression,
  isSatisfiesExpression,
  isSpreadElement,
  isStringLiteral,
  isTypeAssertion
} from "typescript/ast"
import type { Analysis } from "./analysis.ts"
import { type EngineSymbol, isReference } from "./checker.ts"
import { namePathOf } from "./symbols.ts"
import { each } from "./wave.ts"

type Values = ReadonlyArray<string> | undefined

/** The values of the operand of a spread; `undefined` where they are not static. */
export const spreadValues = (analysis: Analysis, operand: Expression): Effect.Effect<Values, CompilerFault> =>
  walk(analysis, operand, [])

const walk = Effect.fnUntraced(function* (
  analysis: Analysis,
  expression: Expression,
  behind: ReadonlyArray<EngineSymbol>
): Effect.fn.Return<Values, CompilerFault> {
  if (isParenthesizedExpression(expression)) return yield* walk(analysis, expression.expression, behind)
  if (isAsExpression(expression) || isTypeAssertion(expression)) {
    const inner = expression.expression
    const literal = unparenthesized(inner)
    const values =
      expression.type.getText() === "const" && isArrayLiteralExpression(literal)
        ? yield* elements(analysis, literal.elements, behind)
        : yield* walk(analysis, inner, behind)
    return yield* agreed(analysis, expression, values)
  }
  if (isSatisfiesExpression(expression)) {
    return yield* agreed(analysis, expression, yield* walk(analysis, expression.expression, behind))
  }
  if (namePathOf(expression) === undefined) return undefined
  const symbol = yield* analysis.names.symbolOf(expression)
  if (symbol === undefined || behind.includes(symbol)) return undefined
  const initializer = yield* analysis.initializerOf(symbol)
  if (initializer === undefined) return undefined
  return yield* agreed(analysis, expression, yield* walk(analysis, initializer, [...behind, symbol]))
})

const unparenthesized = (expression: Expression): Expression =>
  isParenthesizedExpression(expression) ? unparenthesized(expression.expression) : expression

const elements = Effect.fnUntraced(function* (
  analysis: Analysis,
  list: ReadonlyArray<Expression>,
  behind: ReadonlyArray<EngineSymbol>
): Effect.fn.Return<Values, CompilerFault> {
  const parts = yield* each(list, (element) =>
    isSpreadElement(element)
      ? walk(analysis, element.expression, behind)
      : Effect.succeed(
          isStringLiteral(element) || isNoSubstitutionTemplateLiteral(element) ? [element.text] : undefined
        )
  )
  return parts.some((part) => part === undefined) ? undefined : parts.flatMap((part) => part ?? [])
})

const REQUIRED = 1

/** `values`, if the type at `expression` is the readonly tuple of exactly these literals. */
const agreed = Effect.fnUntraced(function* (
  analysis: Analysis,
  expression: Expression,
  values: Values
): Effect.fn.Return<Values, CompilerFault> {
  if (values === undefined) return undefined
  const { checker } = analysis
  const type = yield* checker.getTypeAtLocation(expression)
  if (!isReference(type) || !(yield* checker.isTupleType(type))) return undefined
  const target = yield* checker.getTarget(type)
  if (!target.isTupleTypeTarget() || !target.readonly) return undefined
  if (target.elementFlags.some((flag) => flag !== REQUIRED)) return undefined
  const members = yield* checker.getTypeArguments(type)
  return members.length === values.length &&
    members.every((member, index) => member.isStringLiteralType() && member.value === values[index])
    ? values
    : undefined
})
