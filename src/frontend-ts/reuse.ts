/**
 * What of a collection stays true after an edit, so that only the rest is collected again.
 *
 * The unit is the file. What its declarations were lowered and inferred to depends on the file and on what it imports, directly or
 * not; so a file is affected when a changed one lies in that closure. Whatever else could reach further makes everything affected:
 * files that come, go or are not sources, ambient declarations, `<reference>` directives, and modules by which packages are named.
 *
 * Guarantees: a collection with what was kept equals one without (a property test and the session's holds it to that).
 */
import type { CompilerFault, SchemaInfo, ServiceInfo } from "@effx/compiler"
import type { Diagnostic } from "@effx/diagnostics"
import type { StableId } from "@effx/ir"
import { Effect } from "effect"
import { isStringLiteral, type SourceFile } from "typescript/ast"
import type { Changes } from "./engine.ts"
import type { Declared } from "./marks.ts"
import type { Mentioned } from "./mentioned.ts"
import { isPlanted } from "./planted-fault.ts"
import type { Program } from "./program.ts"
import { each } from "./wave.ts"

/** What one file contributes. */
export interface Part {
  readonly declared: ReadonlyArray<Declared>
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly mentioned: Mentioned
}

/** What is known about a name, and the file whose declaration it is about. */
export interface Known<A> {
  readonly home: string | undefined
  readonly info: A
}

/** One complete collection, in parts. */
export interface Retained {
  readonly parts: ReadonlyMap<string, Part>
  readonly schemas: ReadonlyMap<StableId, Known<SchemaInfo>>
  readonly services: ReadonlyMap<StableId, Known<ServiceInfo>>
  readonly relativeModules: ReadonlyMap<string, string>
  readonly bareModules: ReadonlySet<string>
  /** By which modules the project names other packages; see `namedBy` of references.ts. */
  readonly naming: string
  readonly graph: ImportGraph
}

/** Which file imports which, for every file that is not a dependency's. */
export type ImportGraph = ReadonlyMap<string, ImportNode>

interface ImportNode {
  readonly source: SourceFile
  readonly imports: ReadonlyArray<string>
  /** Whether it declares something that others see without importing it. */
  readonly ambient: boolean
}

/** Files of the project and of packages that are linked into it; dependencies never import them. */
const isGraphed = (file: string): boolean => !file.includes("/node_modules/") && !LIBRARY.test(file)

/** TypeScript's own declarations. */
const LIBRARY = /\/lib\.[a-z0-9.]*d\.ts$/

const AMBIENT = /\bdeclare\s+(global|module)\b|^\/\/\/\s*<reference/m
const MODULE = /^\s*(import|export)\b/m

/**
 * The import graph of a program.
 *
 * @param before of an earlier program: what an unchanged file imports is not asked again
 */
export const importGraph = Effect.fnUntraced(function* (
  program: Program,
  before: ImportGraph | undefined
): Effect.fn.Return<ImportGraph, CompilerFault> {
  const files = (yield* program.fileNames).filter(isGraphed)
  const nodes = yield* each(files, (file) =>
    Effect.gen(function* () {
      const source = yield* program.sourceFile(file)
      if (source === undefined) return []
      const known = before?.get(file)
      if (known?.source === source) return [[file, known] as const]
      const specifiers = source.imports.filter(isStringLiteral)
      const modules = yield* each(specifiers, (specifier) => program.resolvedModule(specifier))
      const imports = new Set(modules.flatMap((module) => module?.resolvedFileName ?? []))
      const ambient = AMBIENT.test(source.text) || !MODULE.test(source.text)
      return [[file, { source, ambient, imports: Array.from(imports).filter(isGraphed) }] as const]
    })
  )
  return new Map(nodes.flat())
})

/** The files whose closure of imports holds one of `changed`, those included. */
const importersOf = (graph: ImportGraph, changed: Iterable<string>): Set<string> => {
  const importers = new Map<string, Array<string>>()
  for (const [file, { imports }] of graph) {
    for (const target of imports) {
      const found = importers.get(target)
      if (found === undefined) importers.set(target, [file])
      else found.push(file)
    }
  }
  const reached = new Set(changed)
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer)
  return reached
}

/** What a collection must do: everything, or what these files declare. */
export type Scope = { readonly _tag: "Everything" } | { readonly _tag: "Files"; readonly affected: ReadonlySet<string> }

export const EVERYTHING: Scope = { _tag: "Everything" }

/** Changes that one edit after another made since a collection, or none that could be followed. */
export type Edits = ReadonlySet<string> | undefined

/** Adds what happened to what had happened before. */
export const following = (edits: Edits, { changed, created, deleted, everything }: Changes): Edits =>
  edits === undefined || everything === true || created.length > 0 || deleted.length > 0
    ? undefined
    : new Set([...edits, ...changed])

/**
 * Which files to collect again.
 *
 * @param packageModules the files of modules by which packages are named: a change there can rename anything
 */
export const scopeOf = (
  before: Retained,
  edits: Edits,
  now: { readonly graph: ImportGraph; readonly naming: string; readonly packageModules: ReadonlySet<string> }
): Scope => {
  if (edits === undefined || now.naming !== before.naming) return EVERYTHING
  for (const file of edits) if (!before.graph.has(file) || !now.graph.has(file)) return EVERYTHING
  const affected = isPlanted("stale-reuse")
    ? new Set(edits)
    : new Set([...importersOf(before.graph, edits), ...importersOf(now.graph, edits)])
  for (const file of now.graph.keys()) if (!before.graph.has(file)) affected.add(file)
  for (const file of affected) {
    if (packageModules(now, file) || before.graph.get(file)?.ambient || now.graph.get(file)?.ambient) return EVERYTHING
  }
  return { _tag: "Files", affected }
}

const packageModules = (now: { readonly packageModules: ReadonlySet<string> }, file: string): boolean =>
  now.packageModules.has(file)
