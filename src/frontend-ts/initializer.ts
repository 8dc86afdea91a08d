/** What a constant is initialised with, and what is left of an expression without its type assertions. */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import {
  type Expression,
  isAsExpression,
  isIdentifier,
  isNonNullExpression,
  isParenthesizedExpression,
  isPropertyAssignment,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isTypeAssertion,
  isVariableDeclaration,
  NodeFlags
} from "typescript/ast"
import { type Checker, type EngineSymbol, TypeFlags } from "./checker.ts"

/** Removes parentheses, assertions, `satisfies` and `!`, none of which change a value. */
export const peel = (expression: Expression): Expression => {
  let inner = expression
  while (
    isParenthesizedExpression(inner) ||
    isAsExpression(inner) ||
    isSatisfiesExpression(inner) ||
    isNonNullExpression(inner) ||
    isTypeAssertion(inner)
  ) {
    inner = inner.expression
  }
  return inner
}

/** The initializer of a `const` that binds one name; `undefined` for everything else. */
export const constantInitializer = Effect.fnUntraced(function* (
  checker: Checker,
  symbol: EngineSymbol
): Effect.fn.Return<Expression | undefined, CompilerFault> {
  const declaration = symbol.valueDeclaration
  if (declaration === undefined) return undefined
  const node = yield* checker.nodeOf(declaration)
  if (node === undefined) return undefined
  if (isVariableDeclaration(node)) {
    return isIdentifier(node.name) && (node.parent.flags & NodeFlags.Const) !== 0 ? node.initializer : undefined
  }
  // A property of a constant object is as constant as its literal type says.
  if (isPropertyAssignment(node) || isShorthandPropertyAssignment(node)) {
    const type = yield* checker.getTypeOfSymbol(symbol)
    if ((type.flags & TypeFlags.Literal) === 0) return undefined
    return isPropertyAssignment(node) ? node.initializer : undefined
  }
  return undefined
})
