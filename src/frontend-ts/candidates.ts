/**
 * Finds by syntax alone what may be a declaration; whether it is one, the symbols decide (declare.ts).
 *
 * The top level of a module is searched first. Only where a text shows more decorators or chains than that is its whole tree
 * walked, to say that they stand where generated code cannot reach them.
 */
import {
  type CallExpression,
  type ClassDeclaration,
  type ClassElement,
  type ClassExpression,
  type Decorator,
  type Expression,
  isCallExpression,
  isClassDeclaration,
  isClassExpression,
  isDecorator,
  isExportAssignment,
  isExpressionStatement,
  isIdentifier,
  isPropertyAccessExpression,
  isVariableDeclaration,
  isVariableStatement,
  type Node,
  NodeFlags,
  type SourceFile,
  SyntaxKind
} from "typescript/ast"
import { peel } from "./initializer.ts"

export interface ClassCandidate {
  readonly _tag: "Class"
  readonly node: ClassDeclaration | ClassExpression
  /** The identifier that names the class, or the constant that holds it. */
  readonly name: Node | undefined
  readonly decorators: ReadonlyArray<Decorator>
  readonly members: ReadonlyArray<{ readonly node: ClassElement; readonly decorators: ReadonlyArray<Decorator> }>
  readonly nested: boolean
  /** `export default class`. */
  readonly isDefault: boolean
}

export interface ChainCandidate {
  readonly _tag: "Chain"
  readonly chain: Chain
  /** The constant's name; absent for `export default` and for a chain that nothing holds. */
  readonly name: Node | undefined
  /** What carries the comment. */
  readonly host: Node
  readonly holder: "const" | "variable" | "default" | "none"
  readonly nested: boolean
}

export type Candidate = ClassCandidate | ChainCandidate

/** `root(...).a(...).b.c(...)`: the call of the root, then each step with its words. */
export interface Chain {
  readonly whole: Expression
  readonly callee: Expression
  readonly call: CallExpression
  readonly steps: ReadonlyArray<Step>
  /** Whether something other than a call ends it. */
  readonly open: boolean
}

export interface Step {
  /** `["http", "get"]`. */
  readonly words: ReadonlyArray<string>
  /** The first of the words in source. */
  readonly from: Node
  readonly call: CallExpression
}

export const decoratorsOf = (node: Node): ReadonlyArray<Decorator> => {
  const { modifiers } = node as Node & { readonly modifiers?: ReadonlyArray<Node> }
  return modifiers?.filter(isDecorator) ?? []
}

export const hasModifier = (node: Node, kind: SyntaxKind): boolean => {
  const { modifiers } = node as Node & { readonly modifiers?: ReadonlyArray<Node> }
  return modifiers?.some((modifier) => modifier.kind === kind) ?? false
}

/** Reads a chain from its tip to its root. */
const chainOf = (whole: Expression): Chain | undefined => {
  const steps: Array<Step> = []
  let at = peel(whole)
  const open = !isCallExpression(at)
  while (isPropertyAccessExpression(at)) at = peel(at.expression)
  while (isCallExpression(at)) {
    const call: CallExpression = at
    const words: Array<string> = []
    let callee = peel(call.expression)
    let from: Node = callee
    while (isPropertyAccessExpression(callee)) {
      words.unshift(callee.name.text)
      from = callee.name
      callee = peel(callee.expression)
    }
    if (!isCallExpression(callee)) return { whole, callee: call.expression, call, steps, open }
    steps.unshift({ words, from, call })
    at = callee
  }
  return undefined
}

/** What decorators stand on a class, its members and their parameters. */
const classCandidate = (
  node: ClassDeclaration | ClassExpression,
  name: Node | undefined,
  nested: boolean
): ClassCandidate | undefined => {
  const members = node.members.flatMap((member) => {
    const decorators = [...decoratorsOf(member), ...parametersOf(member).flatMap(decoratorsOf)]
    return decorators.length > 0 ? [{ node: member, decorators }] : []
  })
  const decorators = decoratorsOf(node)
  if (members.length === 0 && decorators.length === 0) return undefined
  const isDefault = hasModifier(node, SyntaxKind.DefaultKeyword)
  return { _tag: "Class", node, name, decorators, members, nested, isDefault }
}

const parametersOf = (member: Node): ReadonlyArray<Node> =>
  (member as Node & { readonly parameters?: ReadonlyArray<Node> }).parameters ?? []

const ofExpression = (
  expression: Expression,
  place: Pick<ChainCandidate, "name" | "host" | "holder" | "nested">
): Candidate | undefined => {
  const value = peel(expression)
  if (isClassExpression(value)) return classCandidate(value, place.name ?? value.name, place.nested)
  const chain = chainOf(expression)
  return chain && { _tag: "Chain", chain, ...place }
}

const DECORATOR_LINE = /^[ \t]*@[\p{ID_Start}_$]/gmu
const HANDLER_CALL = /\.\s*handler\s*\(/g
const ROOT_CALL = /\.\s*(?:query|command)\s*\(/g

const isFinished = ({ steps }: Chain): boolean => steps.at(-1)?.words[0] === "handler"

/** Whether a chain begins as those of the runtime do; whether it is one, its symbol decides. */
const isRooted = ({ callee }: Chain): boolean => {
  const root = peel(callee)
  return isPropertyAccessExpression(root) && (root.name.text === "query" || root.name.text === "command")
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** The candidates of a file, in source order. */
export const candidatesOf = (file: SourceFile): ReadonlyArray<Candidate> => {
  const found: Array<Candidate> = []
  const add = (candidate: Candidate | undefined) => {
    if (candidate !== undefined) found.push(candidate)
  }
  for (const statement of file.statements) {
    if (isClassDeclaration(statement)) add(classCandidate(statement, statement.name, false))
    else if (isVariableStatement(statement)) {
      const { declarations, flags } = statement.declarationList
      const holder = (flags & NodeFlags.Const) !== 0 ? "const" : "variable"
      for (const { initializer, name } of declarations) {
        if (initializer === undefined || !isIdentifier(name)) continue
        add(ofExpression(initializer, { name, host: statement, holder, nested: false }))
      }
    } else if (isExportAssignment(statement) && !statement.isExportEquals) {
      add(ofExpression(statement.expression, { name: undefined, host: statement, holder: "default", nested: false }))
    } else if (isExpressionStatement(statement) && !isClassExpression(peel(statement.expression))) {
      add(ofExpression(statement.expression, { name: undefined, host: statement, holder: "none", nested: false }))
    }
  }
  const decorators = found.flatMap((each) =>
    each._tag === "Class" ? [...each.decorators, ...each.members.flatMap((member) => member.decorators)] : []
  )
  const chains = found.flatMap((each) => (each._tag === "Chain" ? each.chain : []))
  const { text } = file
  if (
    count(text, DECORATOR_LINE) > decorators.length ||
    count(text, HANDLER_CALL) > chains.filter(isFinished).length ||
    count(text, ROOT_CALL) > chains.filter(isRooted).length
  ) {
    const known = new Set<Node>(found.flatMap((each) => (each._tag === "Class" ? each.node : callsOf(each.chain))))
    walk(file, known, add)
  }
  return found
}

const callsOf = ({ call, steps }: Chain): ReadonlyArray<Node> => [call, ...steps.map((step) => step.call)]

/** @param known classes and calls that are of a candidate already */
const walk = (node: Node, known: Set<Node>, add: (candidate: Candidate | undefined) => void): void => {
  node.forEachChild((child) => {
    if (!known.has(child)) {
      if (isClassDeclaration(child) || isClassExpression(child)) add(classCandidate(child, child.name, true))
      else if (isCallExpression(child) && isPropertyAccessExpression(child.expression)) {
        // The last call of a chain comes before those that it goes on from.
        const chain = chainOf(child)
        if (chain !== undefined && (isFinished(chain) || isRooted(chain))) {
          for (const call of callsOf(chain)) known.add(call)
          const holder = child.parent
          const name = isVariableDeclaration(holder) ? holder.name : undefined
          add({ _tag: "Chain", chain, name, host: holder, holder: "none", nested: true })
        }
      }
    }
    walk(child, known, add)
    return undefined
  })
}
