/** What the files of a project and of packages that are linked into it import. */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import { isExportDeclaration, isImportDeclaration, isStringLiteral, type SourceFile } from "typescript/ast"
import { LIBRARY } from "./made-of.ts"
import type { Program, ResolvedModule } from "./program.ts"
import { each } from "./wave.ts"

/** Which file imports which, for every file that is not a dependency's. */
export type ImportGraph = ReadonlyMap<string, ImportNode>

interface ImportNode {
  readonly source: SourceFile
  /** What each specifier leads to. */
  readonly modules: ReadonlyMap<string, ResolvedModule | undefined>
  /** The files of the graph among these. */
  readonly imports: ReadonlyArray<string>
  /** Whether it declares something that others see without importing it. */
  readonly ambient: boolean
}

/** Files of the project and of packages that are linked into it; dependencies never import them. */
const isGraphed = (file: string): boolean => !file.includes("/node_modules/") && !LIBRARY.test(file)

const AMBIENT = /\bdeclare\s+(global|module)\b|^\/\/\/\s*<reference/m
const MODULE = /^\s*(import|export)\b/m

const isAmbient = ({ text }: SourceFile): boolean => AMBIENT.test(text) || !MODULE.test(text)

/** The statements that import, as they are written; with other forms of import the whole text. Where it is the same, it leads to the same. */
const importsOf = ({ imports, text }: SourceFile): string =>
  imports.every(({ parent }) => isImportDeclaration(parent) || isExportDeclaration(parent))
    ? imports.map(({ parent }) => parent.getText()).join("\n")
    : text

/**
 * The import graph of a program.
 *
 * @param before of an earlier program from which only sources differ: what an unchanged file imports is not asked again
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
      if (known !== undefined && importsOf(known.source) === importsOf(source)) {
        return [[file, { ...known, source, ambient: isAmbient(source) }] as const]
      }
      const specifiers = source.imports.filter(isStringLiteral)
      const resolved = yield* each(specifiers, (specifier) => program.resolvedModule(specifier))
      const modules = new Map<string, ResolvedModule | undefined>()
      for (const [index, { text }] of specifiers.entries()) if (!modules.has(text)) modules.set(text, resolved[index])
      const imports = new Set(resolved.flatMap((module) => module?.resolvedFileName ?? []))
      const ambient = isAmbient(source)
      return [[file, { source, modules, ambient, imports: Array.from(imports).filter(isGraphed) }] as const]
    })
  )
  return new Map(nodes.flat())
})

/** The files whose closure of imports holds one of `changed`, those included. */
export const importersOf = (graph: ImportGraph, changed: Iterable<string>): Set<string> => {
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
