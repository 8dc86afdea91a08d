/** From an expression to the symbol that it names, however it is qualified, renamed or re-exported. */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import {
  type Expression,
  type Identifier,
  isElementAccessExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isStringLiteral,
  type Node,
  SyntaxKind
} from "typescript/ast"
import { type Checker, type EngineSymbol, SymbolFlags } from "./checker.ts"

export interface Names {
  /** The symbol that an expression names, behind all aliases; `undefined` where it names none. */
  readonly symbolOf: (expression: Expression) => Effect.Effect<EngineSymbol | undefined, CompilerFault>
}

/** `a`, `["b"]` and `.c` of `a["b"].c`, leftmost first; `undefined` for an expression of another form. */
export interface NamePath {
  readonly root: Identifier
  readonly members: ReadonlyArray<{ readonly name: string; readonly node: Node }>
}

/** Splits a qualified name. */
export const namePathOf = (expression: Expression): NamePath | undefined => {
  if (isIdentifier(expression)) return { root: expression, members: [] }
  if (isPropertyAccessExpression(expression) && isIdentifier(expression.name)) {
    const inner = namePathOf(expression.expression)
    return (
      inner && { root: inner.root, members: [...inner.members, { name: expression.name.text, node: expression.name }] }
    )
  }
  if (isElementAccessExpression(expression)) {
    const argument = expression.argumentExpression
    if (argument !== undefined && (isStringLiteral(argument) || isNoSubstitutionTemplateLiteral(argument))) {
      const inner = namePathOf(expression.expression)
      return inner && { root: inner.root, members: [...inner.members, { name: argument.text, node: argument }] }
    }
  }
  return undefined
}

const SCOPES = new Set<SyntaxKind>([
  SyntaxKind.SourceFile,
  SyntaxKind.ModuleBlock,
  SyntaxKind.Block,
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionExpression,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
  SyntaxKind.CaseBlock,
  SyntaxKind.ForStatement,
  SyntaxKind.ForOfStatement,
  SyntaxKind.ForInStatement,
  SyntaxKind.CatchClause
])

/** The nearest node that can give a name another meaning. Decorators are evaluated outside of what they decorate. */
export const scopeOf = (node: Node): Node => {
  let from = node
  for (let at = node.parent; ; from = at, at = at.parent) {
    if (from.kind === SyntaxKind.Decorator) continue
    if (SCOPES.has(at.kind)) return at
  }
}

export const makeNames = (checker: Checker): Names => {
  const scopes = new Map<Node, Map<string, Identifier>>()
  /** One identifier stands for all of its name in its scope, so that the engine is asked once per import. */
  const representative = (identifier: Identifier): Identifier => {
    const scope = scopeOf(identifier)
    let names = scopes.get(scope)
    if (names === undefined) {
      names = new Map()
      scopes.set(scope, names)
    }
    const known = names.get(identifier.text)
    if (known !== undefined) return known
    names.set(identifier.text, identifier)
    return identifier
  }

  const resolved = (symbol: EngineSymbol | undefined) =>
    symbol === undefined ? Effect.succeed(undefined) : checker.resolveSymbol(symbol)

  const member = Effect.fnUntraced(function* (owner: EngineSymbol, name: string) {
    if ((owner.flags & SymbolFlags.Module) !== 0) {
      const exports = yield* checker.getExportsOfModule(owner)
      return yield* resolved(exports.find((symbol) => symbol.name === name))
    }
    const type = yield* checker.getTypeOfSymbol(owner)
    return yield* resolved(yield* checker.getPropertyOfType(type, name))
  })

  return {
    symbolOf: Effect.fnUntraced(function* (expression) {
      const path = namePathOf(expression)
      if (path === undefined) return undefined
      let symbol = yield* resolved(yield* checker.getSymbolAtLocation(representative(path.root)))
      for (const { name } of path.members) {
        if (symbol === undefined) return undefined
        symbol = yield* member(symbol, name)
      }
      return symbol
    })
  }
}
