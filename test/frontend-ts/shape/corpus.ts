/** The corpus as the engine sees it and as Effect evaluates it: every exported schema by its dotted name. */
import { fileURLToPath } from "node:url"
import type { CompilerFault } from "@effx/compiler"
import { type SchemaRef, type StableId, stableId } from "@effx/ir"
import { Effect, Option, type Scope } from "effect"
import type { Checker, EngineSymbol } from "../../../src/frontend-ts/checker.ts"
import { SymbolFlags } from "../../../src/frontend-ts/checker.ts"
import { startEngine } from "../../../src/frontend-ts/engine.ts"
import type { SchemaItem } from "../../../src/frontend-ts/shape/facts.ts"
import { type Overlays, takeSnapshot } from "../../../src/frontend-ts/snapshot.ts"

export const CORPUS = fileURLToPath(new URL("./corpus/", import.meta.url)).replace(/\/$/, "")

export interface Corpus {
  readonly checker: Checker
  /** Every exported name, with static members and namespaces behind dots. */
  readonly items: ReadonlyArray<SchemaItem & { readonly name: string }>
  readonly item: (name: string) => SchemaItem
  readonly nameSchema: (symbol: EngineSymbol) => Effect.Effect<Option.Option<SchemaRef>>
  readonly messages: Effect.Effect<{ readonly count: number; readonly milliseconds: number }, CompilerFault>
}

const UNBOUNDED = { concurrency: "unbounded" } as const

/** The name of a corpus schema as a stable id: `schema:<file>/<export>`. */
export const idOf = (name: string): StableId => stableId("schema", name)

/** Loads a folder of sources with a tsconfig; every file below it is part of the corpus. */
export const loadCorpus = Effect.fnUntraced(function* (
  folder: string = CORPUS,
  overlays: Overlays = new Map()
): Effect.fn.Return<Corpus, CompilerFault, Scope.Scope> {
  const engine = yield* startEngine({ cwd: folder, timing: true })
  const world = yield* Effect.orDie(
    Effect.fromOption(Option.fromUndefinedOr(yield* engine.load(takeSnapshot(overlays), `${folder}/tsconfig.json`)))
  )
  const { checker, program } = world
  const items: Array<SchemaItem & { readonly name: string }> = []
  const add = (symbol: EngineSymbol, name: string): Effect.Effect<unknown, CompilerFault> =>
    Effect.gen(function* () {
      const target = yield* checker.resolveSymbol(symbol)
      if (target?.valueDeclaration === undefined) return
      items.push({ id: idOf(name), name, symbol: target })
      if ((target.flags & SymbolFlags.Namespace) !== 0)
        yield* all(yield* checker.getExportsOfModule(target), `${name}.`)
      else if ((target.flags & SymbolFlags.Class) !== 0)
        yield* all(
          yield* Effect.forEach(
            ["Public", "insert", "json", "update"],
            (member) =>
              Effect.flatMap(checker.getTypeOfSymbol(target), (type) => checker.getPropertyOfType(type, member)),
            UNBOUNDED
          ),
          `${name}.`
        )
    })
  const all = (symbols: ReadonlyArray<EngineSymbol | undefined>, prefix: string) =>
    Effect.forEach(
      symbols,
      (symbol) => (symbol === undefined ? Effect.void : add(symbol, `${prefix}${symbol.name}`)),
      UNBOUNDED
    )
  for (const file of yield* program.fileNames) {
    if (!file.startsWith(`${folder}/`) || file.includes("/node_modules/")) continue
    const module = yield* checker.getSymbolOfSourceFile(file)
    const base = file.slice(folder.length + 1).replace(/\.ts$/, "")
    if (module === undefined) continue
    yield* all(yield* checker.getExportsOfModule(module), `${base}/`)
  }
  const names = new Map<EngineSymbol, string>()
  for (const { symbol, name } of items) if (symbol !== undefined && !names.has(symbol)) names.set(symbol, name)
  return {
    checker,
    items,
    item: (name) => {
      const found = items.find((item) => item.name === name)
      if (found === undefined) throw new Error(`the corpus has no ${name}`)
      return found
    },
    nameSchema: (symbol) =>
      Effect.succeed(
        Option.map(Option.fromUndefinedOr(names.get(symbol)), (name) => ({
          module: `../../${name.slice(0, name.indexOf("/"))}`,
          export: name.slice(name.indexOf("/") + 1),
          symbolId: idOf(name)
        }))
      ),
    messages: engine.messages
  }
})

/** The value of a corpus name, evaluated. */
export const evaluated = (modules: Readonly<Record<string, unknown>>, name: string): unknown => {
  const slash = name.indexOf("/")
  return name
    .slice(slash + 1)
    .split(".")
    .reduce<unknown>(
      (value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key],
      modules[name.slice(0, slash)]
    )
}
