/**
 * How generated code names a symbol, and the identity that the symbol has (Spec 0002, "Module specifier" and "StableIds").
 *
 * A symbol of the project is the path of its declaring file and its export there. A symbol of another package is a bare
 * specifier that the project's sources already use and that exports it, else one that the package's manifest offers; never a
 * path into a package. Both depend on the symbol alone, so what is declared and what is inferred have one identity.
 */
import type { CompilerFault } from "@effx/compiler"
import { type SchemaRef, type StableId, type SymbolRef, stableId } from "@effx/ir"
import { Effect } from "effect"
import type { SourceFile } from "typescript/ast"
import { type Checker, type EngineSymbol, type NodeHandle, SymbolFlags } from "./checker.ts"
import { paths } from "./host.ts"
import type { ImportGraph } from "./import-graph.ts"
import { LIMITS } from "./limits.ts"
import { stripExtension, subpathOf } from "./package-exports.ts"
import { nearestPackage, type PackageFacts, packageAt } from "./package-facts.ts"
import type { WorldSnapshot } from "./snapshot.ts"
import { chained, each, sharing } from "./wave.ts"

export interface Reference {
  readonly _tag: "Reference"
  /** As in `SchemaRef.module`. */
  readonly module: string
  /** The export name, static members behind dots. */
  readonly path: string
  /** The module part of a schema id. */
  readonly home: string
  readonly declaration: NodeHandle
  /** Whether the identity is the same in every checkout. */
  readonly portable: boolean
}

export type Resolution =
  | Reference
  /** It has no export by which it could be imported. */
  | { readonly _tag: "NotExported"; readonly name: string }

export interface References {
  readonly referenceOf: (symbol: EngineSymbol) => Effect.Effect<Resolution, CompilerFault>
  /** The export name of something that a file of the project declares. */
  readonly exportNameIn: (file: string, symbol: EngineSymbol) => Effect.Effect<string | undefined, CompilerFault>
  /** `SchemaRef.module` of a file of the project. */
  readonly moduleOf: (file: string) => string
  /** The file behind every relative module that was referred to. */
  readonly relativeModules: () => ReadonlyMap<string, string>
  /** Every bare module that was referred to. */
  readonly bareModules: () => ReadonlySet<string>
  /** The modules by which the project's sources name other packages, with the file that each leads to. */
  readonly namedBy: ReadonlyMap<string, string>
}

export const schemaRef = (reference: Reference): SchemaRef => ({
  module: reference.module,
  export: reference.path,
  symbolId: stableId("schema", `${reference.home}/${reference.path}`)
})

export const symbolRef = (reference: Reference): SymbolRef => {
  const [name = "", ...members] = reference.path.split(".")
  return { module: reference.module, export: name, ...(members.length > 0 && { member: members.join(".") }) }
}

export const serviceId = (reference: Reference): StableId => stableId("service", reference.path)

/** Where generated code is by default, from which `module` is always computed. */
export const DEFAULT_OUT_DIR = ".effx/generated"

type ExportMap = ReadonlyMap<EngineSymbol, ReadonlyArray<string>>

export const makeReferences = (
  checker: Checker,
  graph: ImportGraph,
  snapshot: WorldSnapshot,
  root: string,
  files: ReadonlyArray<SourceFile>
): References => {
  const outDir = paths.join(root, DEFAULT_OUT_DIR)
  const relativeModules = new Map<string, string>()
  const bareModules = new Set<string>()
  const packages = new Map<string, PackageFacts | undefined>()
  const own = nearestPackage(snapshot, root)
  const specifiers = bareSpecifiers(graph, files)

  const packageOf = (file: string): PackageFacts | undefined => {
    const folder = paths.dirname(file)
    if (!packages.has(folder)) packages.set(folder, nearestPackage(snapshot, folder))
    return packages.get(folder)
  }

  const exportsOf = sharing(
    Effect.fnUntraced(function* (file: string): Effect.fn.Return<ExportMap, CompilerFault> {
      const names = new Map<EngineSymbol, Array<string>>()
      const module = yield* checker.getSymbolOfSourceFile(file)
      if (module !== undefined) {
        const exports = yield* checker.getExportsOfModule(module)
        const targets = yield* each(exports, (symbol) => checker.resolveSymbol(symbol))
        exports.forEach((symbol, index) => {
          const target = targets[index]
          if (target === undefined || symbol.name === "export=") return
          const found = names.get(target)
          if (found === undefined) names.set(target, [symbol.name])
          else found.push(symbol.name)
        })
      }
      return names
    })
  )

  /** The exports of the namespaces that a module exports (`export * as Billing from …`), below their names. */
  const namespacesOf = sharing(
    Effect.fnUntraced(function* (file: string): Effect.fn.Return<ExportMap, CompilerFault> {
      const names = new Map<EngineSymbol, Array<string>>()
      let level: ReadonlyMap<EngineSymbol, ReadonlyArray<string>> = yield* exportsOf(file)
      const seen = new Set<EngineSymbol>()
      for (let depth = 0; depth < LIMITS.namespaceDepth; depth++) {
        const modules = Array.from(level).filter(
          ([symbol]) => (symbol.flags & SymbolFlags.ValueModule) !== 0 && !seen.has(symbol)
        )
        const next = new Map<EngineSymbol, Array<string>>()
        for (const [module, prefixes] of modules) {
          seen.add(module)
          const exports = yield* checker.getExportsOfModule(module)
          const targets = yield* each(exports, (symbol) => checker.resolveSymbol(symbol))
          exports.forEach(({ name }, index) => {
            const target = targets[index]
            if (target === undefined) return
            const dotted = prefixes.map((prefix) => `${prefix}.${name}`)
            for (const map of [names, next]) map.set(target, [...(map.get(target) ?? []), ...dotted])
          })
        }
        level = next
      }
      return names
    })
  )

  const pathIn = Effect.fnUntraced(function* (
    exports: ExportMap,
    symbol: EngineSymbol
  ): Effect.fn.Return<string | undefined, CompilerFault> {
    const names = exports.get(symbol)
    if (names !== undefined) return bestName(names, symbol.name)
    const parent = yield* checker.getParentOfSymbol(symbol)
    if (parent === undefined || (symbol.flags & SymbolFlags.ValueModule) !== 0) return undefined
    const owner = yield* pathIn(exports, parent)
    return owner === undefined ? undefined : `${owner}.${symbol.name}`
  })

  const relative = (declaration: NodeHandle, path: string, portable: boolean): Reference => {
    const module = moduleOf(declaration.path)
    return {
      _tag: "Reference",
      module,
      path,
      home: stripExtension(paths.relative(root, declaration.path)),
      declaration,
      portable
    }
  }
  const moduleOf = (file: string): string => {
    const module = dotted(stripExtension(paths.relative(outDir, file)))
    relativeModules.set(module, file)
    return module
  }
  const bare = (module: string, declaration: NodeHandle, path: string, portable: boolean): Reference => {
    bareModules.add(module)
    return { _tag: "Reference", module, path, home: module, declaration, portable }
  }

  /** The usual case needs no walk: a file of the project exports what it declares. */
  const find = (symbol: EngineSymbol): Effect.Effect<Resolution, CompilerFault> => {
    const declaration = symbol.valueDeclaration ?? symbol.declarations[0]
    if (declaration === undefined || !isOwn(declaration.path)) return search(symbol)
    return chained(exportsOf(declaration.path), (exports): Effect.Effect<Resolution, CompilerFault> => {
      const names = exports.get(symbol)
      return names === undefined
        ? search(symbol)
        : Effect.succeed(relative(declaration, bestName(names, symbol.name), true))
    })
  }
  const isInside = (file: string): boolean => file.startsWith(`${root}/`) && !file.includes("/node_modules/")
  const isOwn = (file: string): boolean => isInside(file) && !isOfOtherPackage(packageOf(file))
  const isOfOtherPackage = (owner: PackageFacts | undefined): boolean =>
    owner !== undefined && owner.folder !== own?.folder

  const search = Effect.fnUntraced(function* (symbol: EngineSymbol): Effect.fn.Return<Resolution, CompilerFault> {
    const notExported: Resolution = { _tag: "NotExported", name: symbol.name }
    const declaration = symbol.valueDeclaration ?? symbol.declarations[0]
    if (declaration === undefined) return notExported
    const file: string = declaration.path
    const installed = file.includes("/node_modules/")
    const inside = isInside(file)
    const owner = packageOf(file)
    const ofOtherPackage = isOfOtherPackage(owner)
    if (inside && !ofOtherPackage) {
      const path = yield* pathIn(yield* exportsOf(file), symbol)
      return path === undefined ? notExported : relative(declaration, path, true)
    }
    for (const { file: module, specifier } of candidates(specifiers, owner)) {
      const path = yield* pathIn(yield* exportsOf(module), symbol)
      if (path !== undefined) return bare(specifier, declaration, path, true)
    }
    for (const { file: module, specifier } of candidates(specifiers, owner)) {
      const path = yield* pathIn(yield* namespacesOf(module), symbol)
      if (path !== undefined) return bare(specifier, declaration, path, true)
    }
    const path = yield* pathIn(yield* exportsOf(file), symbol)
    if (path === undefined) return notExported
    if (inside) return relative(declaration, path, true)
    if (owner?.name === undefined || !ofOtherPackage || !reaches(snapshot, root, owner)) {
      return relative(declaration, path, false)
    }
    const within = paths.relative(owner.folder, file)
    const subpath = subpathOf(owner, within)
    if (subpath !== undefined) return bare(`${owner.name}${subpath}`, declaration, path, true)
    return installed
      ? bare(`${owner.name}/${stripExtension(within)}`, declaration, path, false)
      : relative(declaration, path, false)
  })

  return {
    referenceOf: sharing(find),
    exportNameIn: (file, symbol) => Effect.flatMap(exportsOf(file), (exports) => pathIn(exports, symbol)),
    moduleOf,
    relativeModules: () => relativeModules,
    bareModules: () => bareModules,
    namedBy: new Map(specifiers.map(({ file, specifier }) => [specifier, file]))
  }
}

/** Whether the project, by the package's name, gets this very package. */
const reaches = (snapshot: WorldSnapshot, root: string, { folder, name = "" }: PackageFacts): boolean => {
  for (let at = root; ; at = paths.dirname(at)) {
    const link = paths.join(at, "node_modules", name)
    if (packageAt(snapshot, link) !== undefined) return link === folder || snapshot.realpath(link) === folder
    if (at === paths.dirname(at)) return false
  }
}

const dotted = (path: string): string => (path.startsWith(".") ? path : `./${path}`)

/** The declaration's own name where it is exported under it; `default` only where there is nothing else. */
const bestName = (names: ReadonlyArray<string>, own: string): string =>
  names.includes(own) && own !== "default" ? own : (names.filter((name) => name !== "default").sort()[0] ?? "default")

interface Specifier {
  readonly specifier: string
  readonly file: string
  readonly package: string | undefined
}

/** Specifiers by which the project's sources already reach other packages, with the module that each leads to. */
const bareSpecifiers = (graph: ImportGraph, files: ReadonlyArray<SourceFile>): ReadonlyArray<Specifier> => {
  const found = new Map<string, ReadonlyArray<Specifier>>()
  for (const { fileName } of files) {
    for (const [specifier, module] of graph.get(fileName)?.modules ?? []) {
      if (/^[./#]/.test(specifier) || found.has(specifier)) continue
      found.set(
        specifier,
        module === undefined ? [] : [{ specifier, file: module.resolvedFileName, package: module.packageId?.name }]
      )
    }
  }
  return Array.from(found.values()).flat()
}

/** The owner's own specifiers first, then the shortest; so what else the sources import changes no identity needlessly. */
const candidates = (
  specifiers: ReadonlyArray<Specifier>,
  owner: PackageFacts | undefined
): ReadonlyArray<Specifier> => {
  const rank = ({ specifier }: Specifier): number =>
    owner?.name !== undefined && (specifier === owner.name || specifier.startsWith(`${owner.name}/`)) ? 0 : 1
  return [...specifiers].sort(
    (a, b) => rank(a) - rank(b) || a.specifier.length - b.specifier.length || (a.specifier < b.specifier ? -1 : 1)
  )
}
