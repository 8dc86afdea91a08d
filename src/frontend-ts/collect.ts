/**
 * Collects the declarations of one world (Spec 0002): the whole frontend from source files to `Collected`.
 *
 * All declarations are read side by side, so the number of messages to the engine depends on how deep the questions nest, not
 * on how many declarations there are.
 */
import {
  type Collected,
  type CompilerFault,
  orderDiagnostics,
  type SchemaInfo,
  type ServiceInfo,
  shapeRefs
} from "@effx/compiler"
import type { Diagnostic, Site } from "@effx/diagnostics"
import { canonicalJson, type StableId, sortedBy } from "@effx/ir"
import { Effect, Option } from "effect"
import type { Node, SourceFile } from "typescript/ast"
import { type Analysis, makeSites } from "./analysis.ts"
import { type Candidate, candidatesOf } from "./candidates.ts"
import type { EngineSymbol } from "./checker.ts"
import { makeKinds } from "./classify.ts"
import { declarationsOf } from "./declare.ts"
import type { World } from "./engine.ts"
import { lookAhead } from "./foresee.ts"
import { guardOf } from "./guard.ts"
import { importGraph } from "./import-graph.ts"
import { inferredFrom } from "./infer.ts"
import { constantInitializer } from "./initializer.ts"
import { mentionedIn } from "./mentioned.ts"
import { moduleMap } from "./modules.ts"
import { makeNamed } from "./named.ts"
import type { ProjectFacts } from "./project.ts"
import { makeReferences, schemaRef } from "./references.ts"
import { EVERYTHING, isFollowed, type Known, type Latest, type Part, type Retained, scopeOf } from "./reuse.ts"
import { makeRuntimeNames, runtimeFolders } from "./runtime-names.ts"
import { type SchemaReport, schemaFacts } from "./shape/facts.ts"
import { serviceKey } from "./shape/service-key.ts"
import type { WorldSnapshot } from "./snapshot.ts"
import { makeNames } from "./symbols.ts"
import { syntaxFindings } from "./syntax.ts"
import { all, each, sharing } from "./wave.ts"

/** A collection, and what of it the next one may go on with. */
export interface Collection {
  readonly collected: Collected
  readonly retained: Retained | undefined
}

/**
 * @param outDir absolute: where generated code will be, which decides the specifiers in `modules` and nothing else
 * @param before an earlier collection and what was edited since
 */
export const collect = Effect.fnUntraced(function* (
  world: World,
  snapshot: WorldSnapshot,
  facts: ProjectFacts,
  outDir: string,
  before?: Latest
): Effect.fn.Return<Collection, CompilerFault> {
  const { checker, program } = world
  const files = yield* sourcesOf(world, facts)
  const [malformed, graph] = yield* all([
    syntaxFindings(program, snapshot, facts.root, files),
    importGraph(program, before !== undefined && isFollowed(before) ? before.retained.graph : undefined)
  ])
  const folders = runtimeFolders(graph, files)
  const references = makeReferences(checker, graph, snapshot, facts.root, files)
  const naming = JSON.stringify([...references.namedBy, ...folders].map(String).sort())
  const packageModules = new Set(references.namedBy.values())
  const scope =
    before === undefined ? EVERYTHING : scopeOf(before.retained, before.edits, { graph, naming, packageModules })
  const retained = scope._tag === "Files" ? before?.retained : undefined
  const isKept = (home: string | undefined): boolean =>
    scope._tag === "Files" && (home === undefined || !scope.affected.has(home))

  const names = makeNames(checker)
  // What shared answers would report belongs to no file; then nothing can be kept.
  const shared: Array<Diagnostic> = []
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
    report: (diagnostic) => void shared.push(diagnostic)
  }
  const fresh = files.flatMap((file) => {
    const kept = isKept(file.fileName) ? retained?.parts.get(file.fileName) : undefined
    return kept === undefined ? [{ file, candidates: candidatesOf(file) }] : []
  })
  yield* lookAhead(
    analysis,
    kinds,
    fresh.flatMap(({ candidates }) => candidates)
  )
  const parts = new Map(
    yield* each(fresh, ({ candidates, file }) =>
      Effect.map(partOf(analysis, candidates), (part) => [file.fileName, part] as const)
    )
  )
  const contributions = files.flatMap(({ fileName }) => parts.get(fileName) ?? retained?.parts.get(fileName) ?? [])
  const wanted = (kind: "schemas" | "services"): ReadonlySet<StableId> =>
    new Set(contributions.flatMap(({ mentioned }) => [...mentioned[kind]]))
  const known = <A>(all: ReadonlyMap<StableId, Known<A>> | undefined) =>
    new Map(Array.from(all ?? []).filter(([, { home }]) => isKept(home)))
  const [schemas, services] = yield* all([
    schemasOf(analysis, wanted("schemas"), known(retained?.schemas), retained?.schemas),
    servicesOf(analysis, wanted("services"), known(retained?.services))
  ])
  const tables = {
    schemas: byId(schemas, retained?.tables.schemas),
    services: byId(services, retained?.tables.services)
  }
  const relativeModules = new Map([...(retained?.relativeModules ?? []), ...references.relativeModules()])
  const bareModules = new Set([...(retained?.bareModules ?? []), ...references.bareModules()])
  const modules = new Set([
    ...contributions.flatMap(({ mentioned }) => [...mentioned.modules]),
    ...Array.from([...schemas.values(), ...services.values()], ({ info }) => info.ref.module)
  ])
  const declared = contributions.flatMap((part) => part.declared)
  return {
    collected: {
      declarations: declared.map(({ declaration }) => declaration),
      diagnostics: orderDiagnostics([...malformed, ...shared, ...contributions.flatMap((part) => part.diagnostics)]),
      ...tables,
      modules: moduleMap(
        outDir,
        new Map([...relativeModules].filter(([module]) => modules.has(module))),
        new Set([...bareModules].filter((module) => modules.has(module))),
        facts.importExtension
      ),
      spreads: declared.flatMap(({ spreads }) => spreads),
      versions: facts.versions
    },
    retained:
      shared.length > 0
        ? undefined
        : {
            parts: new Map([...(retained?.parts ?? []), ...parts]),
            schemas,
            services,
            tables,
            relativeModules,
            bareModules,
            naming,
            graph
          }
  }
})

/** What the candidates of one file contribute. */
const partOf = Effect.fnUntraced(function* (
  shared: Analysis,
  candidates: ReadonlyArray<Candidate>
): Effect.fn.Return<Part, CompilerFault> {
  const diagnostics: Array<Diagnostic> = []
  const analysis: Analysis = { ...shared, report: (diagnostic) => void diagnostics.push(diagnostic) }
  const declared = (yield* each(candidates, (candidate) => declarationsOf(analysis, candidate))).flat()
  return { declared, diagnostics, mentioned: mentionedIn(declared.map(({ declaration }) => declaration)) }
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

/**
 * The schemas that are wanted and all that their shapes refer to.
 *
 * @param kept what is known of them already
 * @param before what was known of them: what is as it was stays the same object, for who goes on from it
 */
const schemasOf = Effect.fnUntraced(function* (
  analysis: Analysis,
  wanted: ReadonlySet<StableId>,
  kept: ReadonlyMap<StableId, Known<SchemaInfo>>,
  before?: ReadonlyMap<StableId, Known<SchemaInfo>>
): Effect.fn.Return<ReadonlyMap<StableId, Known<SchemaInfo>>, CompilerFault> {
  const { checker, named, references } = analysis
  const items = Array.from(wanted).flatMap((id) => {
    const symbol = kept.has(id) ? undefined : named.schemas.get(id)?.symbol
    return symbol === undefined ? [] : [{ id, symbol }]
  })
  const reports = yield* schemaFacts(checker, items, (symbol) =>
    Effect.map(references.referenceOf(symbol), (resolution) =>
      resolution._tag === "Reference" ? Option.some(schemaRef(resolution)) : Option.none()
    )
  )
  const known = new Map(kept)
  for (const [id, report] of reports) {
    const ref = report.ref ?? named.schemas.get(id)?.ref
    if (ref === undefined) continue
    const [was, is] = [before?.get(id)?.info, schemaInfo(analysis, report, ref)]
    const info = was !== undefined && canonicalJson(was) === canonicalJson(is) ? was : is
    known.set(id, { home: homeOf(report.symbol), info })
  }
  const reached = new Set(wanted)
  for (const id of reached) {
    const shape = known.get(id)?.info.shape
    for (const target of shape === undefined ? [] : shapeRefs(shape)) reached.add(target)
  }
  return onlyThose(known, reached)
})

const homeOf = (symbol: EngineSymbol | undefined): string | undefined =>
  (symbol?.valueDeclaration ?? symbol?.declarations[0])?.path

const onlyThose = <A>(known: ReadonlyMap<StableId, A>, ids: Iterable<StableId>): ReadonlyMap<StableId, A> =>
  new Map(
    Array.from(ids).flatMap((id) => {
      const found = known.get(id)
      return found === undefined ? [] : [[id, found] as const]
    })
  )

const schemaInfo = (analysis: Analysis, report: SchemaReport, ref: SchemaInfo["ref"]): SchemaInfo => {
  const site = siteIn(analysis, report.declaration)
  const { anonymousRecursion: closing } = report
  const recursion = closing && isOwn(analysis, closing) ? analysis.siteOf(closing) : undefined
  return { ...report.facts, ref, ...(site !== undefined && { site }), ...(recursion !== undefined && { recursion }) }
}

const servicesOf = Effect.fnUntraced(function* (
  analysis: Analysis,
  wanted: ReadonlySet<StableId>,
  kept: ReadonlyMap<StableId, Known<ServiceInfo>>
): Effect.fn.Return<ReadonlyMap<StableId, Known<ServiceInfo>>, CompilerFault> {
  const asked = Array.from(analysis.named.services).filter(([id]) => wanted.has(id) && !kept.has(id))
  const entries = yield* each(asked, ([id, { ref, symbol }]) =>
    Effect.map(
      all([serviceKey(analysis.checker, symbol), nodeOf(analysis, symbol)]),
      ([key, declaration]): readonly [StableId, Known<ServiceInfo>] => {
        const site = siteIn(analysis, declaration)
        const info = { ref, ...(key !== undefined && { key }), ...(site !== undefined && { site }) }
        return [id, { home: homeOf(symbol), info }]
      }
    )
  )
  return onlyThose(new Map([...kept, ...entries]), wanted)
})

const nodeOf = ({ checker }: Analysis, { valueDeclaration }: EngineSymbol) =>
  valueDeclaration === undefined ? Effect.undefined : checker.nodeOf(valueDeclaration)

const isOwn = ({ facts }: Analysis, node: Node): boolean => {
  const { fileName } = node.getSourceFile()
  return fileName.startsWith(`${facts.root}/`) && !fileName.includes("/node_modules/")
}

/** The site of a declaration that lies in the project; the name of it where it has one. */
const siteIn = (analysis: Analysis, declaration: Node | undefined): Site | undefined =>
  declaration !== undefined && isOwn(analysis, declaration)
    ? analysis.siteOf((declaration as Node & { readonly name?: Node }).name ?? declaration)
    : undefined

/** A table by stable id; the one before where nothing is another. */
const byId = <A>(
  known: ReadonlyMap<StableId, Known<A>>,
  before: Readonly<Record<string, A>> = {}
): Readonly<Record<string, A>> => {
  const isSame =
    Object.keys(before).length === known.size && known.entries().every(([id, { info }]) => before[id] === info)
  return isSame ? before : Object.fromEntries(sortedBy(known, ([id]) => id).map(([id, { info }]) => [id, info]))
}
