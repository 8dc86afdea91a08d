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

const UNBOUNDED = { concurrency: "unbounded" } as const

/** How many different types one collection may hold: a type that makes new types for ever ends here. */
export const MAX_TYPES = 200_000

const declaration = Effect.fnUntraced(function* (
  checker: Checker,
  symbol: EngineSymbol
): Effect.fn.Return<Declared, CompilerFault> {
  const handle = symbol.valueDeclaration ?? symbol.declarations[0]
  const [node, type] = yield* Effect.all(
    [handle === undefined ? Effect.undefined : checker.nodeOf(handle), checker.getTypeOfSymbol(symbol)],
    UNBOUNDED
  )
  const plain = { node, type, own: type }
  if (node === undefined) return plain
  const heritage = heritageOf(node)
  if (heritage !== undefined) return { ...plain, heritage }
  if (!Is.isVariableDeclaration(node) && !Is.isPropertyDeclaration(node) && !Is.isPropertyAssignment(node)) return plain
  const { initializer } = node
  if (initializer === undefined) return plain
  const annotated = !Is.isPropertyAssignment(node) && node.type !== undefined
  return { node, type, own: annotated ? yield* checker.getTypeAtLocation(initializer) : type, initializer }
})

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

  let nextTypes: Array<Type> = []
  let nextPlain: Array<Type> = []
  let nextSymbols: Array<EngineSymbol> = []
  let nextReferences: Array<Node> = []

  const wantType = (type: Type) => {
    if (asked.has(type) || asked.size > MAX_TYPES) return
    asked.add(type)
    nextTypes.push(type)
  }
  const wantPlain = (type: Type) => {
    if (askedPlain.has(type) || askedPlain.size > MAX_TYPES) return
    askedPlain.add(type)
    nextPlain.push(type)
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

  const onType = (type: Type) =>
    Effect.map(schemaForm(checker, type), (form) => {
      forms.set(type, form)
      for (const schema of schemasOf(form)) wantType(schema)
      if (form._tag === "Opaque") {
        wantPlain(form.encoded)
        wantPlain(form.decoded)
      }
      if (form._tag !== "Struct") return
      if (form.owner !== undefined) wantSymbol(form.owner, undefined)
      for (const field of form.fields) {
        const root = field.declaration === undefined ? undefined : fieldRoot(field.declaration)
        if (root !== undefined) wantExpression(root)
      }
    })
  const onPlain = (type: Type) =>
    Effect.map(plainForm(checker, type), (form) => {
      plain.set(type, form)
      for (const inner of plainTypesOf(form)) wantPlain(inner)
    })
  const onSymbol = (symbol: EngineSymbol) =>
    Effect.map(declaration(checker, symbol), (found) => {
      declared.set(symbol, found)
      if (found.initializer !== undefined) wantExpression(found.initializer)
      if (found.heritage !== undefined) wantExpression(found.heritage)
      wantType(found.type)
      wantType(found.own)
    })
  const onReference = Effect.fnUntraced(function* (reference: Node): Effect.fn.Return<void, CompilerFault> {
    const shorthand = reference.parent !== undefined && Is.isShorthandPropertyAssignment(reference.parent)
    const at = shorthand
      ? yield* checker.getShorthandAssignmentValueSymbol(reference.parent)
      : yield* checker.getSymbolAtLocation(nameNode(reference))
    const symbol = at === undefined ? undefined : yield* checker.resolveSymbol(at)
    if (symbol === undefined) return
    symbols.set(reference, symbol)
    // Functions are not schemas, and Effect's own constants are known by their types.
    if (symbol.valueDeclaration !== undefined && !(isEffects(symbol) && Is.isIdentifier(reference)))
      wantSymbol(symbol, reference)
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
    yield* Effect.all(
      [
        Effect.forEach(types, onType, UNBOUNDED),
        Effect.forEach(plains, onPlain, UNBOUNDED),
        Effect.forEach(wanted, onSymbol, UNBOUNDED),
        Effect.forEach(references, onReference, UNBOUNDED)
      ],
      UNBOUNDED
    )
  }
  return { forms, plain, reading: makeReading(symbols, declared), named }
})
