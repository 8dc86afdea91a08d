/**
 * The type checker of one world. Methods have the engine's own names and meaning; each is an Effect, answered once per
 * question (wave.ts). Ask for many things with unbounded concurrency: one turn of the event loop is one message.
 */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import type { Declaration, Node } from "typescript/ast"
import {
  type Checker as EngineChecker,
  type Symbol as EngineSymbol,
  type IndexInfo,
  type IntersectionType,
  type JSDocTagInfo,
  type NodeHandle,
  ObjectFlags,
  type ObjectType,
  type Project,
  type Signature,
  SignatureKind,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
  type UnionType
} from "typescript/async"
import type { Send } from "./engine.ts"
import { asking, askingBy, type EarlyQuestion, type NamedQuestion, type Question, through } from "./wave.ts"

export type { Declaration, EngineSymbol, JSDocTagInfo, Node, NodeHandle, Signature, Type, TypeReference }
export { ObjectFlags, SymbolFlags, TypeFlags }

type Answer<A> = Effect.Effect<A, CompilerFault>

export interface Checker {
  readonly getSymbolAtLocation: Question<Node, EngineSymbol | undefined>
  /** The symbol behind all aliases; `undefined` where an alias leads nowhere (an export or a module that is missing). */
  readonly resolveSymbol: Question<EngineSymbol, EngineSymbol | undefined>
  readonly getShorthandAssignmentValueSymbol: (property: Node) => Answer<EngineSymbol | undefined>
  readonly getSymbolOfSourceFile: (fileName: string) => Answer<EngineSymbol | undefined>
  readonly getExportsOfModule: (module: EngineSymbol) => Answer<ReadonlyArray<EngineSymbol>>
  readonly getParentOfSymbol: (symbol: EngineSymbol) => Answer<EngineSymbol | undefined>
  readonly getImmediateAliasedSymbol: (symbol: EngineSymbol) => Answer<EngineSymbol | undefined>
  readonly getTypeAtLocation: (node: Node) => Answer<Type>
  readonly getTypeOfSymbol: Question<EngineSymbol, Type>
  readonly getDeclaredTypeOfSymbol: (symbol: EngineSymbol) => Answer<Type>
  readonly getPropertyOfType: NamedQuestion<Type, string, EngineSymbol | undefined>
  readonly getTypeOfPropertyOfType: (type: Type, name: string) => Answer<Type | undefined>
  readonly getPropertiesOfType: (type: Type) => Answer<ReadonlyArray<EngineSymbol>>
  readonly getSignatureFromDeclaration: EarlyQuestion<Node, Signature>
  /** The return type of a function's own signature. */
  readonly getReturnTypeOfDeclaration: Question<Node, Type>
  readonly getCallSignatures: (type: Type) => Answer<ReadonlyArray<Signature>>
  readonly getReturnTypeOfSignature: EarlyQuestion<Signature, Type>
  readonly getParameters: (signature: Signature) => Answer<ReadonlyArray<EngineSymbol>>
  readonly getTypeArguments: (reference: TypeReference) => Answer<ReadonlyArray<Type>>
  /** The members of a union, the type itself otherwise; `never` has none. */
  readonly membersOf: (type: Type) => Answer<ReadonlyArray<Type>>
  /** The parts of an intersection. */
  readonly partsOf: (type: Type) => Answer<ReadonlyArray<Type>>
  readonly getIndexInfos: (type: Type) => Answer<ReadonlyArray<IndexInfo>>
  readonly getSymbolOfType: (type: Type) => Answer<EngineSymbol | undefined>
  readonly getAliasSymbolOfType: (type: Type) => Answer<EngineSymbol | undefined>
  readonly isTupleType: (type: Type) => Answer<boolean>
  readonly getTarget: (reference: TypeReference) => Answer<Type>
  /** The type as an author would write it. */
  readonly typeToString: (type: Type) => Answer<string>
  readonly getDocumentationComment: (symbol: EngineSymbol) => Answer<string>
  readonly getJsDocTags: (symbol: EngineSymbol) => Answer<ReadonlyArray<JSDocTagInfo>>
  /** Array forms: one request for many things, whose answers are not kept. */
  readonly getSymbolsAtLocations: (nodes: ReadonlyArray<Node>) => Answer<ReadonlyArray<EngineSymbol | undefined>>
  readonly getTypesOfSymbols: (symbols: ReadonlyArray<EngineSymbol>) => Answer<ReadonlyArray<Type>>
  readonly nodesOf: (handles: ReadonlyArray<NodeHandle>) => Answer<ReadonlyArray<Node | undefined>>
  /** The node of a declaration; `undefined` where its file is not in the program. */
  readonly nodeOf: Question<NodeHandle, Node | undefined>
}

const isAlias = (symbol: EngineSymbol): boolean => (symbol.flags & SymbolFlags.Alias) !== 0

const has = (type: Type, flag: TypeFlags): boolean => (type.flags & flag) !== 0
export const isNever = (type: Type): boolean => has(type, TypeFlags.Never)
export const isAny = (type: Type): boolean => has(type, TypeFlags.Any)
export const isUnknown = (type: Type): boolean => has(type, TypeFlags.Unknown)

/** Whether a type is a reference such as `Effect<A, E, R>`, whose arguments can be asked for. */
export const isReference = (type: Type): type is TypeReference =>
  type.isObjectType() && ((type as ObjectType).objectFlags & ObjectFlags.Reference) !== 0

/**
 * Resolves handles with one request per file: the client fetches a whole file for a node, and would fetch it again for each
 * node that is asked for meanwhile.
 */
const nodeResolver = (): ((handle: NodeHandle) => Promise<Node | undefined>) => {
  const first = new Map<string, Promise<unknown>>()
  return (handle) => {
    const fetched = first.get(handle.path)
    if (fetched !== undefined) return fetched.then(() => handle.resolve())
    const node = handle.resolve()
    first.set(
      handle.path,
      node.catch(() => undefined)
    )
    return node
  }
}

/** Wraps the engine's checker of one project. */
export const makeChecker = (send: Send, project: Project): Checker => {
  const checker: EngineChecker = project.checker
  const resolveNode = nodeResolver()
  const aliased = asking(send, async (symbol: EngineSymbol) => {
    const target = await checker.getAliasedSymbol(symbol)
    return (await checker.isUnknownSymbol(target)) ? undefined : target
  })
  const types = asking(send, async (type: UnionType) => (await type.getTypes()) ?? [])
  const parts = asking(send, async (type: IntersectionType) => (await type.getTypes()) ?? [])
  const signatures = asking(send, (node: Node) => checker.getSignatureFromDeclaration(node))
  const returns = asking(send, (signature: Signature) => checker.getReturnTypeOfSignature(signature))
  const fileSymbol = asking(send, (fileName: string) => checker.getSymbolOfSourceFile(fileName))
  return {
    getSymbolAtLocation: asking(
      send,
      (node: Node) => checker.getSymbolAtLocation(node),
      (nodes) => checker.getSymbolAtLocation(nodes)
    ),
    resolveSymbol: Object.assign(
      (symbol: EngineSymbol) => (isAlias(symbol) ? aliased(symbol) : Effect.succeed(symbol)),
      { ahead: (symbols: Iterable<EngineSymbol>) => aliased.ahead(Array.from(symbols).filter(isAlias)) }
    ),
    getShorthandAssignmentValueSymbol: asking(send, (node: Node) => checker.getShorthandAssignmentValueSymbol(node)),
    getSymbolOfSourceFile: fileSymbol,
    getExportsOfModule: asking(send, (symbol: EngineSymbol) => checker.getExportsOfModule(symbol)),
    getParentOfSymbol: asking(send, (symbol: EngineSymbol) => checker.getParentOfSymbol(symbol)),
    getImmediateAliasedSymbol: asking(send, (symbol: EngineSymbol) => checker.getImmediateAliasedSymbol(symbol)),
    getTypeAtLocation: asking(send, (node: Node) => checker.getTypeAtLocation(node)),
    getTypeOfSymbol: asking(
      send,
      (symbol: EngineSymbol) => checker.getTypeOfSymbol(symbol),
      (symbols) => checker.getTypeOfSymbol(symbols)
    ),
    getDeclaredTypeOfSymbol: asking(send, (symbol: EngineSymbol) => checker.getDeclaredTypeOfSymbol(symbol)),
    getPropertyOfType: askingBy(send, (type: Type, name: string) => checker.getPropertyOfType(type, name)),
    getTypeOfPropertyOfType: askingBy(send, (type: Type, name: string) => checker.getTypeOfPropertyOfType(type, name)),
    getPropertiesOfType: asking(send, (type: Type) => checker.getPropertiesOfType(type)),
    getSignatureFromDeclaration: signatures,
    getReturnTypeOfDeclaration: through(signatures, returns),
    getCallSignatures: asking(send, (type: Type) => checker.getSignaturesOfType(type, SignatureKind.Call)),
    getReturnTypeOfSignature: returns,
    getParameters: asking(send, (signature: Signature) => signature.getParameters()),
    getTypeArguments: asking(send, (type: TypeReference) => checker.getTypeArguments(type)),
    membersOf: (type) =>
      isNever(type) ? Effect.succeed([]) : type.isUnionType() ? types(type) : Effect.succeed([type]),
    partsOf: (type) => (type.isIntersectionType() ? parts(type) : Effect.succeed([type])),
    getIndexInfos: asking(send, (type: Type) => type.getIndexInfos()),
    getSymbolOfType: asking(send, (type: Type) => type.getSymbol()),
    getAliasSymbolOfType: asking(send, (type: Type) => type.getAliasSymbol()),
    isTupleType: asking(send, (type: Type) => checker.isTupleType(type)),
    getTarget: asking(send, (type: TypeReference) => type.getTarget()),
    typeToString: asking(send, (type: Type) => checker.typeToString(type)),
    getDocumentationComment: asking(send, (symbol: EngineSymbol) => checker.getDocumentationCommentOfSymbol(symbol)),
    getJsDocTags: asking(send, (symbol: EngineSymbol) => checker.getJsDocTagsOfSymbol(symbol)),
    getSymbolsAtLocations: (nodes) =>
      nodes.length === 0 ? Effect.succeed([]) : send(() => checker.getSymbolAtLocation(nodes)),
    getTypesOfSymbols: (symbols) =>
      symbols.length === 0 ? Effect.succeed([]) : send(() => checker.getTypeOfSymbol(symbols)),
    nodesOf: (handles) =>
      handles.length === 0 ? Effect.succeed([]) : send(() => Promise.all(handles.map(resolveNode))),
    nodeOf: asking(send, resolveNode)
  }
}
