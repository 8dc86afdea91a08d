/**
 * Reads schema expressions: which of Effect's functions an expression calls, on what, and which declarations it names.
 *
 * Effect's functions are recognised by where they come from (an import of `effect`, or a symbol that the package declares),
 * never by how they are written; methods of schemas (`check`, `annotate`, `pipe`) by their name, since their receiver is a
 * schema already. An expression that is anything else is `Unknown`: then only the type speaks.
 */
import { type Expression, type Node, type SourceFile, SyntaxKind } from "typescript/ast"
import * as Is from "typescript/ast/is"
import { type EngineSymbol, SymbolFlags, type Type } from "../checker.ts"
import { isEffects } from "./schema-form.ts"
import { peel } from "./static-value.ts"

/** An expression as written, or a function applied to one by `pipe`. */
export type Expr =
  | { readonly _tag: "Node"; readonly node: Node }
  | { readonly _tag: "Applied"; readonly fn: Node; readonly self: Expr }

export type View =
  /** A name of the project or of another package. */
  | { readonly _tag: "Reference"; readonly symbol: EngineSymbol; readonly node: Node }
  /** A constant that Effect exports. */
  | { readonly _tag: "Effect"; readonly name: string }
  /** One of Effect's functions, or a method, applied to a schema. */
  | {
      readonly _tag: "Call"
      readonly name: string
      readonly self: Expr | undefined
      readonly args: ReadonlyArray<Node>
    }
  | { readonly _tag: "Unknown" }

/** What a symbol declares: a constant or static member with its initializer, or a class with what it extends. */
export interface Declared {
  readonly node: Node | undefined
  /** The type of the symbol as anyone sees it. */
  readonly type: Type
  /** The type of the initializer, which an annotation on the constant may hide. */
  readonly own: Type
  readonly initializer?: Expression
  readonly heritage?: Expression
}

export const expr = (node: Node): Expr => ({ _tag: "Node", node })

/** Methods of schemas that take no schema as receiver's part: what they are called on stays the subject. */
export const METHODS = new Set(["check", "annotate", "annotateKey", "annotateEncoded", "rebuild"])

interface Import {
  /** The name that Effect exports; `undefined` for a namespace. */
  readonly name: string | undefined
}

const EFFECT_MODULE = /^effect(?:\/|$)/
const importsOf = new WeakMap<SourceFile, ReadonlyMap<string, Import>>()

const effectImports = (file: SourceFile): ReadonlyMap<string, Import> => {
  const known = importsOf.get(file)
  if (known !== undefined) return known
  const found = new Map<string, Import>()
  for (const statement of file.statements) {
    if (!Is.isImportDeclaration(statement)) continue
    const { importClause, moduleSpecifier } = statement
    if (importClause === undefined || !Is.isStringLiteral(moduleSpecifier) || !EFFECT_MODULE.test(moduleSpecifier.text))
      continue
    const bindings = importClause.namedBindings
    if (bindings === undefined) continue
    if (Is.isNamespaceImport(bindings)) found.set(bindings.name.text, { name: undefined })
    else
      for (const element of bindings.elements)
        found.set(element.name.text, { name: (element.propertyName ?? element.name).text })
  }
  importsOf.set(file, found)
  return found
}

const fileOf = (node: Node): SourceFile | undefined => {
  let current: Node | undefined = node
  while (current !== undefined && !Is.isSourceFile(current)) current = current.parent
  return current
}

const leftmost = (node: Node): Node => {
  let current = node
  while (Is.isPropertyAccessExpression(current)) current = peel(current.expression)
  return current
}

/** The name of Effect's export behind a reference, where the file's own imports tell. */
const importedName = (node: Node): string | undefined => {
  const root = leftmost(node)
  if (!Is.isIdentifier(root)) return undefined
  const file = fileOf(root)
  const found = file === undefined ? undefined : effectImports(file).get(root.text)
  if (found === undefined) return undefined
  return Is.isPropertyAccessExpression(node) ? node.name.text : found.name
}

/** The node whose symbol a reference has. */
export const nameNode = (reference: Node): Node =>
  Is.isPropertyAccessExpression(reference) ? reference.name : reference

/** What a function without parameters of its own interest returns: the body of `() => X`. */
export const returned = (node: Node): Expression | undefined => {
  const fn = peel(node)
  if (!Is.isArrowFunction(fn) && !Is.isFunctionExpression(fn)) return undefined
  const { body } = fn
  if (body === undefined) return undefined
  if (!Is.isBlock(body)) return body
  const [only] = body.statements
  return only !== undefined && Is.isReturnStatement(only) ? only.expression : undefined
}

/** What a class extends. */
export const heritageOf = (node: Node): Expression | undefined => {
  if (!Is.isClassDeclaration(node) && !Is.isClassExpression(node)) return undefined
  const base = node.heritageClauses?.find((clause) => clause.token === SyntaxKind.ExtendsKeyword)?.types[0]
  return base !== undefined && Is.isExpressionWithTypeArguments(base) ? base.expression : undefined
}

/** The references below an expression whose symbols are needed to read it. */
export const referencesIn = (root: Node): ReadonlyArray<Node> => {
  const references: Array<Node> = []
  const visit = (node: Node): void => {
    const value = peel(node)
    if (Is.isIdentifier(value) || Is.isPropertyAccessExpression(value)) {
      if (importedName(value) === undefined) references.push(value)
    } else if (Is.isCallExpression(value)) {
      const callee = peel(value.expression)
      const method = Is.isPropertyAccessExpression(callee) ? callee.name.text : undefined
      if (Is.isPropertyAccessExpression(callee) && method !== undefined && (METHODS.has(method) || method === "pipe")) {
        if (importedName(callee) === undefined) visit(callee.expression)
      } else visit(callee)
      const called = nameNode(callee)
      const suspended = Is.isIdentifier(called) && called.text === "suspend"
      for (const argument of value.arguments) {
        const body = suspended ? returned(argument) : undefined
        visit(body ?? argument)
      }
    } else if (Is.isObjectLiteralExpression(value)) {
      for (const property of value.properties) {
        if (Is.isPropertyAssignment(property)) visit(property.initializer)
        else if (Is.isShorthandPropertyAssignment(property)) references.push(property.name)
      }
    } else if (Is.isArrayLiteralExpression(value)) for (const element of value.elements) visit(element)
  }
  visit(root)
  return references
}

export interface Reading {
  readonly symbolOf: (reference: Node) => EngineSymbol | undefined
  readonly declared: (symbol: EngineSymbol) => Declared | undefined
  /** The name of Effect's export that a reference names. */
  readonly effectName: (reference: Node) => string | undefined
  readonly view: (expression: Expr) => View
  /** The initializer of the constant that a reference names. */
  readonly follow: (reference: Node) => Expression | undefined
}

const UNKNOWN: View = { _tag: "Unknown" }

export const makeReading = (
  symbols: ReadonlyMap<Node, EngineSymbol>,
  declarations: ReadonlyMap<EngineSymbol, Declared>
): Reading => {
  const symbolOf = (reference: Node): EngineSymbol | undefined => symbols.get(peel(reference))
  const declared = (symbol: EngineSymbol): Declared | undefined => declarations.get(symbol)

  const effectName = (reference: Node): string | undefined => {
    const node = peel(reference)
    if (!Is.isIdentifier(node) && !Is.isPropertyAccessExpression(node)) return undefined
    const imported = importedName(node)
    if (imported !== undefined) return imported
    const symbol = symbolOf(node)
    const member = SymbolFlags.Property | SymbolFlags.Method | SymbolFlags.Accessor
    return symbol !== undefined && (symbol.flags & member) === 0 && isEffects(symbol) ? symbol.name : undefined
  }

  const piped = (self: Expr, fns: ReadonlyArray<Node>): Expr =>
    fns.reduce<Expr>((inner, fn) => ({ _tag: "Applied", fn, self: inner }), self)

  const applied = (fn: Node, self: Expr): View => {
    const node = peel(fn)
    if (Is.isCallExpression(node)) {
      const name = effectName(node.expression)
      return name === undefined ? UNKNOWN : { _tag: "Call", name, self, args: node.arguments }
    }
    const name = effectName(node)
    return name === undefined ? UNKNOWN : { _tag: "Call", name, self, args: [] }
  }

  const call = (callee: Node, args: ReadonlyArray<Expression>): View => {
    const [first] = args
    const name = effectName(callee)
    if (name === "pipe" && first !== undefined) return view(piped(expr(first), args.slice(1)))
    if (name !== undefined) return { _tag: "Call", name, self: first === undefined ? undefined : expr(first), args }
    if (Is.isPropertyAccessExpression(callee)) {
      const receiver = expr(callee.expression)
      if (callee.name.text === "pipe") return view(piped(receiver, args))
      return METHODS.has(callee.name.text) ? { _tag: "Call", name: callee.name.text, self: receiver, args } : UNKNOWN
    }
    return Is.isCallExpression(callee) && first !== undefined && args.length === 1
      ? applied(callee, expr(first))
      : UNKNOWN
  }

  const view = (expression: Expr): View => {
    if (expression._tag === "Applied") return applied(expression.fn, expression.self)
    const node = peel(expression.node)
    if (Is.isCallExpression(node)) return call(peel(node.expression), node.arguments)
    const name = effectName(node)
    if (name !== undefined) return { _tag: "Effect", name }
    const symbol = symbolOf(node)
    return symbol === undefined ? UNKNOWN : { _tag: "Reference", symbol, node }
  }

  return {
    symbolOf,
    declared,
    effectName,
    view,
    follow: (reference) => {
      const symbol = symbolOf(reference)
      return symbol === undefined ? undefined : declared(symbol)?.initializer
    }
  }
}
