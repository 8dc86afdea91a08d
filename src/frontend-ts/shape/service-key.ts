/**
 * The key of a service class: `class Users extends Context.Service<Users, …>()("users/Users")`.
 *
 * Two services with one key are one service at run time, so the key is part of what the compiler compares. A key that is not
 * static, or a service made in another way, has none here.
 */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import type { Expression, Node } from "typescript/ast"
import * as Is from "typescript/ast/is"
import type { Checker, EngineSymbol } from "../checker.ts"
import { heritageOf, nameNode } from "./reading.ts"
import { peel, staticValue } from "./static-value.ts"

const DEPTH = 16

const initializerOf = (node: Node | undefined): Expression | undefined =>
  node !== undefined &&
  (Is.isVariableDeclaration(node) || Is.isPropertyDeclaration(node) || Is.isPropertyAssignment(node))
    ? node.initializer
    : undefined

/** The argument that is the key: the last call that is given a first argument that is not a class option. */
const keyArgument = (node: Node): Expression | undefined => {
  let current = peel(node)
  while (Is.isCallExpression(current)) {
    const [first] = current.arguments
    if (first !== undefined && !Is.isObjectLiteralExpression(peel(first))) return first
    current = peel(current.expression)
  }
  return undefined
}

const declarationOf = (checker: Checker, symbol: EngineSymbol) =>
  symbol.valueDeclaration === undefined ? Effect.undefined : checker.nodeOf(symbol.valueDeclaration)

/** The initializer behind a reference to a constant, through aliases. */
const follow = Effect.fnUntraced(function* (
  checker: Checker,
  reference: Node
): Effect.fn.Return<Expression | undefined, CompilerFault> {
  const at = yield* checker.getSymbolAtLocation(nameNode(reference))
  const symbol = at === undefined ? undefined : yield* checker.resolveSymbol(at)
  return symbol === undefined ? undefined : initializerOf(yield* declarationOf(checker, symbol))
})

/** The static key of the service that a symbol declares. */
export const serviceKey = Effect.fnUntraced(function* (
  checker: Checker,
  symbol: EngineSymbol
): Effect.fn.Return<string | undefined, CompilerFault> {
  const node = yield* declarationOf(checker, symbol)
  if (node === undefined) return undefined
  const made = heritageOf(node) ?? initializerOf(node)
  let argument: Node | undefined = made === undefined ? undefined : keyArgument(made)
  for (let steps = 0; argument !== undefined && steps < DEPTH; steps++) {
    const value = staticValue(argument, () => undefined)
    if (typeof value === "string") return value
    const reference = peel(argument)
    if (!Is.isIdentifier(reference) && !Is.isPropertyAccessExpression(reference)) return undefined
    argument = yield* follow(checker, reference)
  }
  return undefined
})
