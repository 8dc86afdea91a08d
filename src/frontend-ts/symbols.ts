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
import { chained, each } from "./wave.ts"

export interface Names {
  /** What a module exports under a name, behind all aliases, where an expression names it. */
  readonly exportOf: (module: EngineSymbol, member: Member) => Effect.Effect<EngineSymbol | undefined, CompilerFault>
  /** The symbol that an expression names, behind all aliases; `undefined` where it names none. */
  readonly symbolOf: (expression: Expression) => Effect.Effect<EngineSymbol | undefined, CompilerFault>
  /** Asks about many names as few steps; `symbolOf` then knows at least what their leftmost identifiers name. */
  readonly ahead: (expressions: ReadonlyArray<Expression>) => Effect.Effect<void, CompilerFault>
}

/** One step of a qualified name. */
export interface Member {
  readonly name: string
  readonly node: Node
}

/** `a`, `["b"]` and `.c` of `a["b"].c`, leftmost first; `undefined` for an expression of another form. */
export interface NamePath {
  readonly root: Identifier
  readonly members: ReadonlyArray<Member>
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
const scopeOf = (node: Node): Node => {
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

  const exported = new Map<EngineSymbol, Map<string, Node>>()
  /** One name stands for all of its name in its module. The list of all exports of a module can be thousands of symbols. */
  const exportOf: Names["exportOf"] = (module, { name, node }) => {
    const listed = chained(checker.getExportsOfModule(module), (exports) =>
      resolved(exports.find((symbol) => symbol.name === name))
    )
    if (!isIdentifier(node)) return listed
    let names = exported.get(module)
    if (names === undefined) {
      names = new Map()
      exported.set(module, names)
    }
    const known = names.get(name) ?? node
    names.set(name, known)
    // A name that is not exported has a symbol of another name, or none.
    return chained(checker.getSymbolAtLocation(known), (symbol) => (symbol?.name === name ? resolved(symbol) : listed))
  }

  const member = (owner: EngineSymbol, step: Member): Effect.Effect<EngineSymbol | undefined, CompilerFault> =>
    (owner.flags & SymbolFlags.Module) !== 0
      ? exportOf(owner, step)
      : chained(checker.getTypeOfSymbol(owner), (type) => chained(checker.getPropertyOfType(type, step.name), resolved))

  return {
    exportOf,
    symbolOf: (expression) => {
      const path = namePathOf(expression)
      if (path === undefined) return Effect.succeed(undefined)
      const root = chained(checker.getSymbolAtLocation(representative(path.root)), resolved)
      return path.members.reduce(
        (owner, step) => chained(owner, (symbol) => (symbol === undefined ? owner : member(symbol, step))),
        root
      )
    },
    ahead: Effect.fnUntraced(function* (expressions) {
      const roots = new Set(
        expressions.flatMap((expression) => {
          const path = namePathOf(expression)
          return path === undefined ? [] : [representative(path.root)]
        })
      )
      yield* checker.getSymbolAtLocation.ahead(roots)
      const symbols = yield* each(roots, (root) => checker.getSymbolAtLocation(root))
      yield* checker.resolveSymbol.ahead(symbols.flatMap((symbol) => symbol ?? []))
    })
  }
}
