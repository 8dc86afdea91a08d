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
  isTypeAssertion,
  isVariableDeclaration,
  NodeFlags,
  SyntaxKind
} from "typescript/ast"
import { type Checker, type EngineSymbol, type NodeHandle, TypeFlags } from "./checker.ts"
import { chained, mapped } from "./wave.ts"

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
export const constantInitializer = (
  checker: Checker,
  symbol: EngineSymbol
): Effect.Effect<Expression | undefined, CompilerFault> => {
  const declaration = symbol.valueDeclaration
  if (declaration === undefined || !mayInitialize(declaration)) return NOTHING
  if (!DECLARATION_FILE.test(declaration.path)) return initializerAt(checker, symbol, declaration)
  // Declaration files initialize only with literals; their trees are large and fetched for nothing else.
  return chained(checker.getTypeOfSymbol(symbol), (type) =>
    (type.flags & TypeFlags.Literal) === 0 ? NOTHING : initializerAt(checker, symbol, declaration)
  )
}

/** Whether a declaration is of a kind that has an initializer worth following. */
const mayInitialize = (declaration: NodeHandle): boolean => INITIALIZED.has(declaration.kind)

/** Whether an initializer is looked for right in the tree, rather than after a look at the type. */
export const isFollowed = (declaration: NodeHandle): boolean =>
  mayInitialize(declaration) && !DECLARATION_FILE.test(declaration.path)

const initializerAt = (
  checker: Checker,
  symbol: EngineSymbol,
  declaration: NodeHandle
): Effect.Effect<Expression | undefined, CompilerFault> =>
  chained(checker.nodeOf(declaration), (node) => {
    if (node === undefined) return NOTHING
    if (isVariableDeclaration(node)) {
      const constant = isIdentifier(node.name) && (node.parent.flags & NodeFlags.Const) !== 0
      return Effect.succeed(constant ? node.initializer : undefined)
    }
    // A property of a constant object is as constant as its literal type says.
    return isPropertyAssignment(node)
      ? mapped(checker.getTypeOfSymbol(symbol), (type) =>
          (type.flags & TypeFlags.Literal) === 0 ? undefined : node.initializer
        )
      : NOTHING
  })

const DECLARATION_FILE = /\.d\.[cm]?ts$/
const NOTHING = Effect.succeed(undefined)
const INITIALIZED = new Set<SyntaxKind>([SyntaxKind.VariableDeclaration, SyntaxKind.PropertyAssignment])
