/**
 * Turns candidates into declarations (Spec 0002, "Recognition"): decides by symbols what is of the runtime, lowers the
 * annotations and infers the handler. A form that generated code could not use is EFFX1104 and skipped.
 */
import type { Annotation, CompilerFault, Docs, Spread } from "@effx/compiler"
import { EFFX1104, EFFX1105, type UnsupportedForm } from "@effx/diagnostics"
import type { SymbolRef } from "@effx/ir"
import { Effect } from "effect"
import {
  type ClassElement,
  isComputedPropertyName,
  isGetAccessorDeclaration,
  isMethodDeclaration,
  isPrivateIdentifier,
  isSetAccessorDeclaration,
  isStringLiteral,
  type Node,
  type PropertyName,
  SyntaxKind
} from "typescript/ast"
import type { Analysis } from "./analysis.ts"
import { type Candidate, type ChainCandidate, type ClassCandidate, decoratorsOf, hasModifier } from "./candidates.ts"
import { docsOf } from "./docs.ts"
import { inferSignature } from "./infer.ts"
import { annotate, chainMarks, type Declared, type Mark, marksOf, rootAnnotation } from "./marks.ts"
import { decoratedModel, modelOf } from "./model.ts"
import { all, each, mapped } from "./wave.ts"

/** The declarations of one candidate; none when it is not of the runtime. */
export const declarationsOf = (
  analysis: Analysis,
  candidate: Candidate
): Effect.Effect<ReadonlyArray<Declared>, CompilerFault> =>
  candidate._tag === "Class" ? ofClass(analysis, candidate) : ofChain(analysis, candidate)

const unsupported = (analysis: Analysis, node: Node, form: UnsupportedForm): void =>
  analysis.report(EFFX1104.make(form, { site: analysis.siteOf(node) }))

const NESTED = "is not declared at the top level of its module, but generated code has to import it"

interface Operation {
  readonly kind: "staticMethod" | "builder"
  readonly export: string
  readonly member?: string
  readonly id: string
  readonly name: Node
  readonly marks: ReadonlyArray<Mark>
  readonly handler: Node
  readonly ref: SymbolRef
  readonly docs: Docs | undefined
}

/** The name that an author gave to an operation, for messages. */
const givenName = (annotations: ReadonlyArray<Annotation | undefined>): string | undefined => {
  for (const annotation of annotations) {
    const options = annotation?.args[0]
    if (typeof options === "object" && options !== null && "name" in options && typeof options.name === "string") {
      return options.name
    }
  }
  return undefined
}

const operation = (
  analysis: Analysis,
  { docs, handler, id, kind, marks, member, name, ref, ...rest }: Operation
): Effect.Effect<Declared, CompilerFault> => {
  const lists = marks.map((): Array<Spread> => [])
  const annotations = each(marks, (mark, index) => annotate(analysis, id, mark, lists[index] ?? []))
  return mapped(all([annotations, inferSignature(analysis, handler)]), ([annotations, inferred]) => {
    const site = analysis.siteOf(name)
    const dropped = marks.flatMap((mark, index) => (annotations[index] === undefined ? mark.name : []))
    if (inferred._tag === "NoEffect") {
      const operation = givenName(annotations) ?? id
      analysis.report(EFFX1105.make({ operation, returned: inferred.returned }, { site }))
    }
    return {
      declaration: {
        kind,
        export: rest.export,
        ...(member !== undefined && { member }),
        id,
        file: site.location.file,
        site,
        annotations: annotations.flatMap((annotation) => annotation ?? []),
        ...(dropped.length > 0 && { dropped }),
        handler: ref,
        ...(inferred._tag === "Signature" && { signature: inferred.signature }),
        ...(docs !== undefined && { docs })
      },
      spreads: lists.flat()
    }
  })
}

const ofClass = Effect.fnUntraced(function* (
  analysis: Analysis,
  candidate: ClassCandidate
): Effect.fn.Return<ReadonlyArray<Declared>, CompilerFault> {
  const { node } = candidate
  const [own, members] = yield* all([
    marksOf(analysis, candidate.decorators),
    each(candidate.members, ({ decorators, node }) =>
      Effect.map(marksOf(analysis, decorators), (marks) => ({ node, decorators, marks }))
    )
  ])
  const marked = members.filter(({ marks }) => marks.length > 0)
  if (own.length === 0 && marked.length === 0) return []

  const named = candidate.name?.getText()
  const shown = named ?? "This class"
  const at = candidate.name ?? node
  if (candidate.nested) {
    unsupported(analysis, at, { _tag: "Other", name: shown, problem: NESTED })
    return []
  }
  const symbol = candidate.name && (yield* analysis.checker.getSymbolAtLocation(candidate.name))
  const exported =
    symbol === undefined
      ? candidate.isDefault
        ? "default"
        : undefined
      : yield* analysis.references.exportNameIn(node.getSourceFile().fileName, symbol)
  if (exported === undefined) {
    unsupported(analysis, at, { _tag: "NotExported", name: shown })
    return []
  }
  // Where a default export has a name of its own, that is what people know it by.
  const label = exported === "default" && named !== undefined ? named : exported

  const model = Effect.suspend(() => {
    const [mark, ...others] = own
    for (const { name } of [...(mark?.name === "PersistentModel" ? [] : own), ...others]) {
      const problem = `is a class, but @${name} is for static methods`
      unsupported(analysis, at, { _tag: "Other", name: label, problem })
    }
    return mark?.name === "PersistentModel" && symbol !== undefined
      ? decoratedModel(analysis, candidate, mark, symbol, exported, label)
      : Effect.succeed([])
  })
  const operations = each(marked, ({ decorators, marks, node }) =>
    ofMember(analysis, node, marks, decorators.length > decoratorsOf(node).length, exported, label)
  )
  const [models, methods] = yield* all([model, operations])
  return [...models, ...methods.flat()]
})

const ofMember = (
  analysis: Analysis,
  node: ClassElement,
  marks: ReadonlyArray<Mark>,
  onParameter: boolean,
  exported: string,
  label: string
): Effect.Effect<ReadonlyArray<Declared>, CompilerFault> => {
  const nameNode = nameOf(node)
  const computed = nameNode !== undefined && isComputedPropertyName(nameNode) && !isStringLiteral(nameNode.expression)
  const member =
    nameNode === undefined
      ? "constructor"
      : isStringLiteral(nameNode)
        ? nameNode.text
        : isComputedPropertyName(nameNode) && isStringLiteral(nameNode.expression)
          ? nameNode.expression.text
          : nameNode.getText()
  const id = `${label}.${member}`
  const at = nameNode ?? node
  const form = formOf(node, computed, id, marks, onParameter)
  if (form !== undefined || !isMethodDeclaration(node)) {
    unsupported(analysis, at, form ?? { _tag: "Other", name: id, problem: NOT_A_METHOD })
    return Effect.succeed([])
  }
  const ref: SymbolRef = {
    module: analysis.references.moduleOf(node.getSourceFile().fileName),
    export: exported,
    member
  }
  const kind = "staticMethod"
  const base = {
    kind,
    export: exported,
    member,
    id,
    name: at,
    marks,
    handler: node,
    ref,
    docs: docsOf(node)
  } as const
  return mapped(operation(analysis, base), (declared) => [declared])
}

const nameOf = (node: ClassElement): PropertyName | undefined =>
  (node as ClassElement & { readonly name?: PropertyName }).name

const NOT_A_METHOD = "is not a static method"

/** What makes a decorated member unusable. */
const formOf = (
  node: ClassElement,
  computed: boolean,
  name: string,
  marks: ReadonlyArray<Mark>,
  onParameter: boolean
): UnsupportedForm | undefined => {
  if (isGetAccessorDeclaration(node) || isSetAccessorDeclaration(node)) return { _tag: "Accessor", name }
  if (!isMethodDeclaration(node)) {
    return nameOf(node) === undefined ? { _tag: "Other", name, problem: NOT_A_METHOD } : { _tag: "Field", name }
  }
  if (computed) return { _tag: "ComputedName", name }
  if (
    isPrivateIdentifier(node.name) ||
    hasModifier(node, SyntaxKind.PrivateKeyword) ||
    hasModifier(node, SyntaxKind.ProtectedKeyword)
  ) {
    return { _tag: "PrivateMethod", name }
  }
  if (!hasModifier(node, SyntaxKind.StaticKeyword)) return { _tag: "InstanceMethod", name }
  if (onParameter)
    return { _tag: "Other", name, problem: "has a decorated parameter, but decorators belong to the method" }
  if (node.body === undefined) return { _tag: "Other", name, problem: "has no body that could be called" }
  const bare = marks.find((mark) => mark.bare)
  if (bare !== undefined) return { _tag: "Other", name, problem: `uses @${bare.name} without calling it` }
  if (marks.some((mark) => mark.name === "PersistentModel")) {
    return { _tag: "Other", name, problem: "is a method, but @PersistentModel is for classes" }
  }
  return undefined
}

const ofChain = Effect.fnUntraced(function* (
  analysis: Analysis,
  candidate: ChainCandidate
): Effect.fn.Return<ReadonlyArray<Declared>, CompilerFault> {
  const { chain, holder, host, name } = candidate
  const root = yield* analysis.runtime.nameOf(chain.callee)
  const first = rootAnnotation(root)
  const isModel = root === "Model.persistent"
  if (first === undefined && !isModel) return []

  const named = name?.getText()
  const shown = named ?? (holder === "default" ? "The default export" : "This operation")
  const at = name ?? chain.whole
  const reject = (form: UnsupportedForm): ReadonlyArray<Declared> => {
    unsupported(analysis, at, form)
    return []
  }
  const tip = chain.steps.at(-1)
  const handler = tip?.words.length === 1 && tip.words[0] === "handler" ? tip.call.arguments[0] : undefined
  if (candidate.nested) return reject({ _tag: "Other", name: shown, problem: NESTED })
  if (!isModel && (handler === undefined || chain.open)) return reject({ _tag: "UnfinishedChain", name: shown })
  if (isModel && (chain.open || chain.steps.length > 0)) {
    return reject({ _tag: "Other", name: shown, problem: "is only a part of what Model.persistent makes" })
  }
  if (holder === "variable") {
    return reject({ _tag: "Other", name: shown, problem: "can be assigned again; declare it with const" })
  }
  const file = chain.whole.getSourceFile().fileName
  const symbol = name && (yield* analysis.checker.getSymbolAtLocation(name))
  const exported = holder === "default" ? "default" : symbol && (yield* analysis.references.exportNameIn(file, symbol))
  if (exported === undefined) return reject({ _tag: "NotExported", name: shown })
  const id = exported === "default" && named !== undefined ? named : exported

  if (isModel) {
    const [schema, options] = chain.call.arguments
    const target = schema && (yield* analysis.names.symbolOf(schema))
    const mark: Mark = {
      name: "PersistentModel",
      args: [],
      site: analysis.siteOf(chain.call),
      bare: false,
      inChain: true
    }
    const schemaSite = analysis.siteOf(schema ?? chain.call)
    return yield* modelOf(analysis, { symbol: target, mark, options, schemaSite, export: exported, id, name: at, host })
  }
  if (handler === undefined || first === undefined) return []
  const marks = chainMarks(analysis, chain, first)
  const ref: SymbolRef = { module: analysis.references.moduleOf(file), export: exported, member: "handler" }
  const docs = docsOf(host)
  return [yield* operation(analysis, { kind: "builder", export: exported, id, name: at, marks, handler, ref, docs })]
})
