/**
 * Collects the declarations of one world (Spec 0002): the whole frontend from source files to `Collected`.
 *
 * All declarations are read side by side, so the number of messages to the engine depends on how deep the questions nest, not
 * on how many declarations there are.
 */
import { type Collected, type CompilerFault, orderDiagnostics, type SchemaInfo, type ServiceInfo } from "@effx/compiler"
import type { Diagnostic, Site } from "@effx/diagnostics"
import { sortedBy } from "@effx/ir"
import { Effect, Option } from "effect"
import type { Node, SourceFile } from "typescript/ast"
import { type Analysis, makeSites } from "./analysis.ts"
import { candidatesOf } from "./candidates.ts"
import type { EngineSymbol } from "./checker.ts"
import { makeKinds } from "./classify.ts"
import { declarationsOf } from "./declare.ts"
import type { World } from "./engine.ts"
import { lookAhead } from "./foresee.ts"
import { guardOf } from "./guard.ts"
import { inferredFrom } from "./infer.ts"
import { constantInitializer } from "./initializer.ts"
import { moduleMap } from "./modules.ts"
import { makeNamed } from "./named.ts"
import type { ProjectFacts } from "./project.ts"
import { makeReferences, schemaRef } from "./references.ts"
import { makeRuntimeNames, runtimeFolders } from "./runtime-names.ts"
import { type SchemaReport, schemaFacts } from "./shape/facts.ts"
import { serviceKey } from "./shape/service-key.ts"
import type { WorldSnapshot } from "./snapshot.ts"
import { makeNames } from "./symbols.ts"
import { syntaxFindings } from "./syntax.ts"
import { all, each, sharing } from "./wave.ts"

/**
 * @param outDir absolute: where generated code will be, which decides the specifiers in `modules` and nothing else
 */
export const collect = Effect.fnUntraced(function* (
  world: World,
  snapshot: WorldSnapshot,
  facts: ProjectFacts,
  outDir: string
): Effect.fn.Return<Collected, CompilerFault> {
  const { checker, program } = world
  const files = yield* sourcesOf(world, facts)
  const [malformed, folders, references] = yield* all([
    syntaxFindings(program, snapshot, facts.root, files),
    runtimeFolders(program, files),
    makeReferences(checker, program, snapshot, facts.root, files)
  ])
  const names = makeNames(checker)
  const diagnostics: Array<Diagnostic> = [...malformed]
  const kinds = makeKinds(checker)
  const told = { checker, snapshot, references, named: makeNamed(), kindOf: kinds.kindOf }
  const analysis: Analysis = {
    ...told,
    program,
    facts,
    names,
    runtime: makeRuntimeNames(checker, names, snapshot, folders),
    initializerOf: sharing((symbol) => constantInitializer(checker, symbol)),
    guardOf: sharing((symbol) => guardOf(analysis, symbol)),
    inferredOf: sharing((type) => inferredFrom(told, [type])),
    ...makeSites(snapshot, facts.root),
    report: (diagnostic) => void diagnostics.push(diagnostic)
  }
  const candidates = files.flatMap(candidatesOf)
  yield* lookAhead(analysis, kinds, candidates)
  const declared = (yield* each(candidates, (candidate) => declarationsOf(analysis, candidate))).flat()
  const [schemas, services] = yield* all([schemasOf(analysis), servicesOf(analysis)])

  return {
    declarations: declared.map(({ declaration }) => declaration),
    diagnostics: orderDiagnostics(diagnostics),
    schemas,
    services,
    modules: moduleMap(outDir, references.relativeModules(), references.bareModules(), facts.importExtension),
    spreads: declared.flatMap(({ spreads }) => spreads),
    versions: facts.versions
  }
})

const DECLARATION_FILE = /\.d\.[cm]?ts$/

/** The files of the project itself, in ordinal order: what it selects, and what that imports from its folder. */
const sourcesOf = Effect.fnUntraced(function* (
  { program }: World,
  facts: ProjectFacts
): Effect.fn.Return<ReadonlyArray<SourceFile>, CompilerFault> {
  const selected = new Set(facts.fileNames)
  const names = (yield* program.fileNames)
    .filter((name) => !DECLARATION_FILE.test(name) && !name.includes("/node_modules/"))
    .filter((name) => selected.has(name) || name.startsWith(`${facts.root}/`))
  const files = yield* each([...names].sort(), (name) => program.sourceFile(name))
  return files.flatMap((file) => file ?? [])
})

const schemasOf = Effect.fnUntraced(function* (
  analysis: Analysis
): Effect.fn.Return<Collected["schemas"], CompilerFault> {
  const { checker, named, references } = analysis
  const reports = yield* schemaFacts(
    checker,
    Array.from(named.schemas, ([id, { symbol }]) => ({ id, symbol })),
    (symbol) =>
      Effect.map(references.referenceOf(symbol), (resolution) =>
        resolution._tag === "Reference" ? Option.some(schemaRef(resolution)) : Option.none()
      )
  )
  return byId(
    Array.from(reports, ([id, report]) => {
      const ref = report.ref ?? named.schemas.get(id)?.ref
      return ref === undefined ? [] : [[id, schemaInfo(analysis, report, ref)] as const]
    }).flat()
  )
})

const schemaInfo = (analysis: Analysis, report: SchemaReport, ref: SchemaInfo["ref"]): SchemaInfo => {
  const site = siteIn(analysis, report.declaration)
  return { ...report.facts, ref, ...(site !== undefined && { site }) }
}

const servicesOf = Effect.fnUntraced(function* (
  analysis: Analysis
): Effect.fn.Return<Collected["services"], CompilerFault> {
  const entries = yield* each(analysis.named.services, ([id, { ref, symbol }]) =>
    Effect.map(
      all([serviceKey(analysis.checker, symbol), nodeOf(analysis, symbol)]),
      ([key, declaration]): readonly [string, ServiceInfo] => {
        const site = siteIn(analysis, declaration)
        return [id, { ref, ...(key !== undefined && { key }), ...(site !== undefined && { site }) }]
      }
    )
  )
  return byId(entries)
})

const nodeOf = ({ checker }: Analysis, { valueDeclaration }: EngineSymbol) =>
  valueDeclaration === undefined ? Effect.undefined : checker.nodeOf(valueDeclaration)

/** The site of a declaration that lies in the project; the name of it where it has one. */
const siteIn = (analysis: Analysis, declaration: Node | undefined): Site | undefined => {
  if (declaration === undefined) return undefined
  const { fileName } = declaration.getSourceFile()
  if (fileName.includes("/node_modules/") || !fileName.startsWith(`${analysis.facts.root}/`)) return undefined
  return analysis.siteOf((declaration as Node & { readonly name?: Node }).name ?? declaration)
}

const byId = <A>(entries: ReadonlyArray<readonly [string, A]>): Readonly<Record<string, A>> =>
  Object.fromEntries(sortedBy(entries, ([id]) => id))
