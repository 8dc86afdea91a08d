/**
 * Which expressions name something of `@effx/runtime`, and what: decided by the file that declares the symbol, never by how
 * source spells it (Spec 0002, "Runtime detection").
 */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import {
  type Expression,
  isStringLiteral,
  isVariableDeclaration,
  type Node,
  NodeFlags,
  type SourceFile,
  type StringLiteral
} from "typescript/ast"
import { type Checker, type EngineSymbol, SymbolFlags } from "./checker.ts"
import { paths } from "./host.ts"
import { nearestPackage } from "./package-facts.ts"
import type { Program } from "./program.ts"
import type { WorldSnapshot } from "./snapshot.ts"
import { type Names, namePathOf, scopeOf } from "./symbols.ts"
import { each } from "./wave.ts"

const RUNTIME = "@effx/runtime"

export interface RuntimeNames {
  /** `Http.Get`, `Operation.query`, `Capability.make`, …; `undefined` for everything that is not of the runtime. */
  readonly nameOf: (expression: Expression) => Effect.Effect<string | undefined, CompilerFault>
  /** Asks about many expressions ahead, each different name of a scope once; `nameOf` then knows them. */
  readonly prepare: (expressions: ReadonlyArray<Expression>) => Effect.Effect<void, CompilerFault>
}

/** The folders of the runtime that files of the program import. */
export const runtimeFolders = Effect.fnUntraced(function* (
  program: Program,
  files: ReadonlyArray<SourceFile>
): Effect.fn.Return<ReadonlySet<string>, CompilerFault> {
  const specifiers = files.flatMap((file) =>
    file.imports.filter((node): node is StringLiteral => isStringLiteral(node) && node.text === RUNTIME).slice(0, 1)
  )
  const modules = yield* each(specifiers, (specifier) => program.resolvedModule(specifier))
  return new Set(modules.flatMap((module) => (module === undefined ? [] : paths.dirname(module.resolvedFileName))))
})

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

  const nameOf = Effect.fnUntraced(function* (
    expression: Expression,
    hops: number
  ): Effect.fn.Return<string | undefined, CompilerFault> {
    const path = namePathOf(expression)
    if (path === undefined) return undefined
    let symbol = yield* names.symbolOf(path.root)
    let rest = path.members
    // Namespaces are looked through: the first thing that is none decides.
    while (symbol !== undefined && (symbol.flags & SymbolFlags.Module) !== 0) {
      const [head, ...tail] = rest
      if (head === undefined) return undefined
      const exports = yield* checker.getExportsOfModule(symbol)
      const next: EngineSymbol | undefined = exports.find(({ name }) => name === head.name)
      symbol = next && (yield* checker.resolveSymbol(next))
      rest = tail
    }
    if (symbol === undefined) return undefined
    const members = rest.map(({ name }) => `.${name}`).join("")
    if (declaredInRuntime(symbol)) return `${symbol.name}${members}`
    // `const Read = Query`: a constant that is only another name.
    const declaration = symbol.valueDeclaration
    if (declaration === undefined || hops === 0 || (symbol.flags & SymbolFlags.BlockScopedVariable) === 0) {
      return undefined
    }
    const node = yield* checker.nodeOf(declaration)
    if (node === undefined || !isVariableDeclaration(node) || (node.parent.flags & NodeFlags.Const) === 0) {
      return undefined
    }
    if (node.initializer === undefined || namePathOf(node.initializer) === undefined) return undefined
    const target = yield* nameOf(node.initializer, hops - 1)
    return target === undefined ? undefined : `${target}${members}`
  })

  const answers = new Map<Node, Map<string, Effect.Effect<string | undefined>>>()
  const answersAround = (expression: Expression): Map<string, Effect.Effect<string | undefined>> => {
    const scope = scopeOf(expression)
    let found = answers.get(scope)
    if (found === undefined) {
      found = new Map()
      answers.set(scope, found)
    }
    return found
  }
  const textOf = (expression: Expression): string | undefined => {
    const path = namePathOf(expression)
    return path && [path.root.text, ...path.members.map(({ name }) => name)].join(".")
  }
  return {
    nameOf: (expression) => {
      const text = textOf(expression)
      if (text === undefined) return NO_NAME
      const around = answersAround(expression)
      return (
        around.get(text) ??
        Effect.tap(nameOf(expression, MOST_HOPS), (name) => Effect.sync(() => around.set(text, Effect.succeed(name))))
      )
    },
    prepare: Effect.fnUntraced(function* (expressions) {
      const different = new Map<Node, Map<string, Expression>>()
      for (const expression of expressions) {
        const text = textOf(expression)
        if (text === undefined) continue
        const scope = scopeOf(expression)
        const texts = different.get(scope) ?? new Map<string, Expression>()
        texts.set(text, expression)
        different.set(scope, texts)
      }
      const asked = Array.from(different, ([scope, texts]) =>
        Array.from(texts, ([text, expression]) => ({ scope, text, expression }))
      ).flat()
      const found = yield* each(asked, ({ expression }) => nameOf(expression, MOST_HOPS))
      asked.forEach(({ expression, text }, index) => {
        answersAround(expression).set(text, Effect.succeed(found[index]))
      })
    })
  }
}

const NO_NAME = Effect.succeed(undefined)

/** How many constants that only rename are followed; a cycle of them is an error of the program anyway. */
const MOST_HOPS = 8
