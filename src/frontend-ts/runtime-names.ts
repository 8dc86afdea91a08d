/**
 * Which expressions name something of `@effx/runtime`, and what: decided by the file that declares the symbol, never by how
 * source spells it (Spec 0002, "Runtime detection").
 */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import { type Expression, isVariableDeclaration, NodeFlags, type SourceFile } from "typescript/ast"
import { type Checker, type EngineSymbol, SymbolFlags } from "./checker.ts"
import { paths } from "./host.ts"
import type { ImportGraph } from "./import-graph.ts"
import { isFollowed } from "./initializer.ts"
import { LIMITS } from "./limits.ts"
import { nearestPackage } from "./package-facts.ts"
import type { WorldSnapshot } from "./snapshot.ts"
import { type Member, type Names, namePathOf } from "./symbols.ts"
import { chained, mapped } from "./wave.ts"

const RUNTIME = "@effx/runtime"

export interface RuntimeNames {
  /** `Http.Get`, `Operation.query`, `Capability.make`, …; `undefined` for everything that is not of the runtime. */
  readonly nameOf: (expression: Expression) => Effect.Effect<string | undefined, CompilerFault>
}

/** The folders of the runtime that files of the program import. */
export const runtimeFolders = (graph: ImportGraph, files: ReadonlyArray<SourceFile>): ReadonlySet<string> => {
  const modules = new Set(files.map(({ fileName }) => graph.get(fileName)?.modules.get(RUNTIME)?.resolvedFileName))
  return new Set(Array.from(modules).flatMap((module) => (module === undefined ? [] : [paths.dirname(module)])))
}

export const makeRuntimeNames = (
  checker: Checker,
  names: Names,
  snapshot: WorldSnapshot,
  folders: ReadonlySet<string>
): RuntimeNames => {
  const known = new Map<string, boolean>()
  const isRuntimeFile = (path: string): boolean => {
    const folder = paths.dirname(path)
    let found = known.get(folder)
    if (found === undefined) {
      found =
        Array.from(folders).some((root) => folder === root || folder.startsWith(`${root}/`)) ||
        // A barrel of another package imports the runtime where no file of the project does.
        nearestPackage(snapshot, folder)?.name === RUNTIME
      known.set(folder, found)
    }
    return found
  }
  const declaredInRuntime = (symbol: EngineSymbol): boolean => {
    const declaration = symbol.valueDeclaration ?? symbol.declarations[0]
    return declaration !== undefined && isRuntimeFile(declaration.path)
  }

  type Name = Effect.Effect<string | undefined, CompilerFault>

  /** Namespaces are looked through: the first thing that is none decides. */
  const nameBelow = (symbol: EngineSymbol | undefined, members: ReadonlyArray<Member>, hops: number): Name => {
    if (symbol === undefined) return NO_NAME
    if ((symbol.flags & SymbolFlags.Module) !== 0) {
      const [head, ...tail] = members
      return head === undefined
        ? NO_NAME
        : chained(names.exportOf(symbol, head), (found) => nameBelow(found, tail, hops))
    }
    const below = members.map(({ name }) => name)
    if (declaredInRuntime(symbol)) return Effect.succeed([symbol.name, ...below].join("."))
    const declaration = symbol.valueDeclaration
    if (declaration === undefined || hops === 0 || !isFollowed(declaration)) return NO_NAME
    // `const Read = Query`: a constant that is only another name.
    return chained(checker.nodeOf(declaration), (node) =>
      node !== undefined &&
      isVariableDeclaration(node) &&
      (node.parent.flags & NodeFlags.Const) !== 0 &&
      node.initializer
        ? mapped(nameOf(node.initializer, hops - 1), (target) => target && [target, ...below].join("."))
        : NO_NAME
    )
  }
  const nameOf = (expression: Expression, hops: number): Name => {
    const path = namePathOf(expression)
    return path === undefined
      ? NO_NAME
      : chained(names.symbolOf(path.root), (symbol) => nameBelow(symbol, path.members, hops))
  }

  return { nameOf: (expression) => nameOf(expression, LIMITS.renames) }
}

const NO_NAME = Effect.succeed(undefined)
