/**
 * Asks the engine for everything that the shapes of some schemas need, in waves: forms of all types that they reach, the
 * declarations that their expressions name, and nothing twice.
 *
 * The result is closed: project.ts walks it without another question.
 */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import type { Node } from "typescript/ast"
import * as Is from "typescript/ast/is"
import type { Checker, EngineSymbol, Type } from "../checker.ts"
import { LIMITS } from "../limits.ts"
import { all, each } from "../wave.ts"
import { type Form, type PlainForm, plainTypesOf, schemasOf } from "./form.ts"
import { plainForm } from "./plain-form.ts"
import { type Declared, heritageOf, makeReading, nameNode, type Reading, referencesIn } from "./reading.ts"
import { isEffects, schemaForm } from "./schema-form.ts"

export interface Collection {
  readonly forms: ReadonlyMap<Type, Form>
  readonly plain: ReadonlyMap<Type, PlainForm>
  readonly reading: Reading
  /** Every symbol that a schema expression names or that owns fields, with the reference that named it first. */
  readonly named: ReadonlyMap<EngineSymbol, Node | undefined>
}

const declaration = (checker: Checker, node: Node | undefined, type: Type): Effect.Effect<Declared, CompilerFault> => {
  const plain = { node, type, own: type }
  if (node === undefined) return Effect.succeed(plain)
  const heritage = heritageOf(node)
  if (heritage !== undefined) return Effect.succeed({ ...plain, heritage })
  if (!Is.isVariableDeclaration(node) && !Is.isPropertyDeclaration(node) && !Is.isPropertyAssignment(node))
    return Effect.succeed(plain)
  const { initializer } = node
  if (initializer === undefined) return Effect.succeed(plain)
  const annotated = !Is.isPropertyAssignment(node) && node.type !== undefined
  return annotated
    ? Effect.map(checker.getTypeAtLocation(initializer), (own) => ({ node, type, own, initializer }))
    : Effect.succeed({ ...plain, initializer })
}

interface Deep {
  readonly type: Type
  readonly depth: number
}

/** The expressions of a field's declaration. */
const fieldRoot = (node: Node): Node | undefined =>
  Is.isPropertyAssignment(node) ? node.initializer : Is.isShorthandPropertyAssignment(node) ? node.name : undefined

/**
 * @param roots the symbols to begin with, and types without a symbol
 */
export const collect = Effect.fnUntraced(function* (
  checker: Checker,
  roots: { readonly symbols: ReadonlyArray<EngineSymbol>; readonly types: ReadonlyArray<Type> }
): Effect.fn.Return<Collection, CompilerFault> {
  const forms = new Map<Type, Form>()
  const plain = new Map<Type, PlainForm>()
  const symbols = new Map<Node, EngineSymbol>()
  const declared = new Map<EngineSymbol, Declared>()
  const named = new Map<EngineSymbol, Node | undefined>()
  const read = new Set<Node>()
  const askedReferences = new Set<Node>()
  const asked = new Set<Type | EngineSymbol>()
  const askedPlain = new Set<Type>()

  let nextTypes: Array<Deep> = []
  let nextPlain: Array<Deep> = []
  let nextSymbols: Array<EngineSymbol> = []
  let nextReferences: Array<Node> = []

  const wantType = (type: Type, depth = 0) => {
    if (asked.has(type) || depth > LIMITS.shapeDepth) return
    asked.add(type)
    nextTypes.push({ type, depth })
  }
  const wantPlain = (type: Type, depth: number) => {
    if (askedPlain.has(type) || depth > LIMITS.shapeDepth) return
    askedPlain.add(type)
    nextPlain.push({ type, depth })
  }
  const wantSymbol = (symbol: EngineSymbol, reference: Node | undefined) => {
    if (!named.has(symbol)) named.set(symbol, reference)
    if (asked.has(symbol)) return
    asked.add(symbol)
    nextSymbols.push(symbol)
  }
  const wantExpression = (root: Node) => {
    if (read.has(root)) return
    read.add(root)
    for (const reference of referencesIn(root)) {
      if (askedReferences.has(reference)) continue
      askedReferences.add(reference)
      nextReferences.push(reference)
    }
  }

  const onType = ({ depth, type }: Deep) =>
    Effect.map(schemaForm(checker, type), (form) => {
      forms.set(type, form)
      for (const schema of schemasOf(form)) wantType(schema, depth + 1)
      if (form._tag === "Opaque") {
        wantPlain(form.encoded, depth + 1)
        wantPlain(form.decoded, depth + 1)
      }
      if (form._tag !== "Struct") return
      if (form.owner !== undefined) wantSymbol(form.owner, undefined)
      for (const field of form.fields) {
        const root = field.declaration === undefined ? undefined : fieldRoot(field.declaration)
        if (root !== undefined) wantExpression(root)
      }
    })
  const onPlain = ({ depth, type }: Deep) =>
    Effect.map(plainForm(checker, type), (form) => {
      plain.set(type, form)
      for (const inner of plainTypesOf(form)) wantPlain(inner, depth + 1)
    })
  const onSymbols = Effect.fnUntraced(function* (
    wanted: ReadonlyArray<EngineSymbol>
  ): Effect.fn.Return<void, CompilerFault> {
    const handles = wanted.map((symbol) =>
      isEffects(symbol) ? undefined : (symbol.valueDeclaration ?? symbol.declarations[0])
    )
    const [types, nodes] = yield* all([
      checker.getTypesOfSymbols(wanted),
      checker.nodesOf(handles.filter((handle) => handle !== undefined))
    ])
    let next = 0
    const found = wanted.flatMap((symbol, index) => {
      const node = handles[index] === undefined ? undefined : nodes[next++]
      const type = types[index]
      return type === undefined ? [] : [{ symbol, node, type }]
    })
    const known = yield* each(found, ({ node, type }) => declaration(checker, node, type))
    for (const [index, result] of known.entries()) {
      const symbol = found[index]?.symbol
      if (symbol === undefined) continue
      declared.set(symbol, result)
      if (result.initializer !== undefined) wantExpression(result.initializer)
      if (result.heritage !== undefined) wantExpression(result.heritage)
      wantType(result.type)
      wantType(result.own)
    }
  })
  const onReferences = Effect.fnUntraced(function* (
    references: ReadonlyArray<Node>
  ): Effect.fn.Return<void, CompilerFault> {
    const shorthand = (node: Node) => node.parent !== undefined && Is.isShorthandPropertyAssignment(node.parent)
    const [found, short] = yield* all([
      checker.getSymbolsAtLocations(references.filter((node) => !shorthand(node)).map(nameNode)),
      each(references.filter(shorthand), (node) => checker.getShorthandAssignmentValueSymbol(node.parent))
    ])
    const ordered = [...references.filter((node) => !shorthand(node)), ...references.filter(shorthand)]
    const targets = yield* each([...found, ...short], (symbol) =>
      symbol === undefined ? Effect.undefined : checker.resolveSymbol(symbol)
    )
    for (const [index, symbol] of targets.entries()) {
      const reference = ordered[index]
      if (symbol === undefined || reference === undefined) continue
      symbols.set(reference, symbol)
      // Functions are not schemas, and Effect's own constants are known by their types.
      if (symbol.valueDeclaration !== undefined && !(isEffects(symbol) && Is.isIdentifier(reference)))
        wantSymbol(symbol, reference)
    }
  })

  for (const symbol of roots.symbols) wantSymbol(symbol, undefined)
  for (const type of roots.types) wantType(type)
  while (nextTypes.length + nextPlain.length + nextSymbols.length + nextReferences.length > 0) {
    const types = nextTypes
    const plains = nextPlain
    const wanted = nextSymbols
    const references = nextReferences
    nextTypes = []
    nextPlain = []
    nextSymbols = []
    nextReferences = []
    yield* all([each(types, onType), each(plains, onPlain), onSymbols(wanted), onReferences(references)])
  }
  return { forms, plain, reading: makeReading(symbols, declared), named }
})
