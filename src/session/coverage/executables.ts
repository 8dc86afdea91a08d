/**
 * Code that this process has loaded, or would load instead if it were started now: the config, what it imports, and what the
 * caller declares. When any of it may have been replaced, only a new process can go on (Spec 0018 §3, amendment A).
 *
 * Guarantees:
 * - what is known before the config is evaluated is observed before, and compared once after it; what the config declares and
 *   what evaluating it loaded is observed from then on, and assumed stable until then;
 * - what was seen to differ once stays replaced, also when it is put back;
 * - coverage is whole or refused with `Misuse`; nothing is evaluated again, and no other resolver is asked.
 *
 * It does not know by which links and names a module was found, nor what else the code reads: the caller declares that, and what
 * is not declared can change unseen.
 */
import { Clock, Effect, Path } from "effect"
import { loadedFiles, runtimeCache } from "../host.ts"
import { LIMITS } from "../limits.ts"
import { Misuse } from "../misuse.ts"
import type { Prepared, RunResult } from "../run.ts"
import { type Discovered, displayPath } from "../selection.ts"
import { configRoutes, type LaunchCoverage, launchRoutes, loadedRoutes, selectionRoutes } from "./declarations.ts"
import { makeLedger } from "./ledger.ts"
import { overlapOf, ownedFolders } from "./owned.ts"
import type { CoverageProblem } from "./problem.ts"

/** What is covered, in numbers. */
export interface CoverageSummary {
  /** How many files and folders the caller declares, in the config and at the start. */
  readonly declared: number
  /** How many files the config is known to have loaded. */
  readonly loaded: number
  /** How many paths are observed for all that. */
  readonly inputs: number
}

export interface Executables {
  /** Folders whose hints matter. */
  readonly folders: () => ReadonlySet<string>
  /** Everything that is observed. */
  readonly paths: () => Iterable<string>
  /** What differs from the first observation, as absolute paths. */
  readonly changed: Effect.Effect<ReadonlyArray<string>>
  /** As `changed`, but takes a bounded share of the time: it tells what it last knew when it is asked too soon. */
  readonly glance: Effect.Effect<ReadonlyArray<string>>
  /** Takes what is known once the config was evaluated; called before anything is analysed. */
  readonly evaluated: (prepared: Prepared, outDirFlag: string | undefined) => Effect.Effect<void, Misuse>
  /** Takes what is known after an analysis: where outputs go, and what its extensions loaded meanwhile. */
  readonly analysed: (
    result: Pick<RunResult, "settings">,
    buildOutputs: ReadonlyArray<string>
  ) => Effect.Effect<void, Misuse>
  readonly summary: () => CoverageSummary
}

/** Observes what is known before the config is evaluated. */
export const observeExecutables = Effect.fnUntraced(function* (discovered: Discovered, launch: LaunchCoverage) {
  const path = yield* Path.Path
  const { cwd } = discovered
  const ledger = makeLedger(path)
  const before = new Set(loadedFiles())
  const known = new Set<string>()
  let replaced: ReadonlyArray<string> = []
  let prepared: Prepared | undefined
  let declared = launch.files.length + launch.folders.length
  let rested = 0
  let disowned = ""

  const misuse = ({ path: at, reason, route }: CoverageProblem) => {
    const what = at === undefined ? route.named : `${route.named} covers ${displayPath(path, cwd, at)}, which`
    return new Misuse({ message: `${what} ${reason}` })
  }
  const add = (routes: Parameters<typeof ledger.add>[0]) => Effect.mapError(ledger.add(routes), misuse)

  const changed = Effect.gen(function* () {
    if (replaced.length > 0) return replaced
    const began = yield* Clock.currentTimeMillis
    replaced = yield* ledger.changed
    const ended = yield* Clock.currentTimeMillis
    rested = ended + (ended - began) * LIMITS.glancePause
    return replaced
  })

  /** Covers the files that were loaded since they were last asked for. */
  const addLoaded = Effect.suspend(() => {
    const config = prepared?.config
    if (config === undefined) return Effect.void
    const loaded = loadedFiles().filter((file) => !before.has(file) && !known.has(file))
    for (const file of loaded) known.add(file)
    return add(loadedRoutes(path, config.path, loaded))
  })

  /** Leaves owned folders out, and refuses routes that lead into one. */
  const disown = Effect.fnUntraced(function* (owned: ReadonlyArray<string>) {
    const state = [ledger.covered().length, ...owned].join("\0")
    if (state === disowned) return
    ledger.exclude(owned)
    const overlap = overlapOf(path, ledger.covered(), owned)
    if (overlap !== undefined) return yield* misuse(overlap)
    disowned = state
  })

  if (runtimeCache !== undefined) ledger.exclude([runtimeCache])
  yield* add([...selectionRoutes(path, discovered), ...launchRoutes(path, cwd, launch)])

  const executables: Executables = {
    folders: ledger.folders,
    paths: ledger.paths,
    changed,
    glance: Effect.flatMap(Clock.currentTimeMillis, (now) => (now < rested ? Effect.succeed(replaced) : changed)),
    evaluated: Effect.fnUntraced(function* (of, outDirFlag) {
      prepared = of
      const { config, selection } = of
      const outDir =
        outDirFlag !== undefined
          ? path.resolve(cwd, outDirFlag)
          : config?.value.outDir === undefined
            ? undefined
            : path.resolve(path.dirname(config.path), config.value.outDir)
      const owned = ownedFolders(path, selection, outDir)
      ledger.exclude(owned)
      if ((yield* changed).length > 0) return
      if (config !== undefined) {
        const routes = configRoutes(path, config.path, config.value.executableCoverage ?? {})
        declared += routes.length
        yield* add(routes)
        yield* addLoaded
      }
      yield* disown(owned)
    }),
    analysed: Effect.fnUntraced(function* ({ settings }, buildOutputs) {
      if (prepared === undefined) return
      const { selection } = prepared
      ledger.exclude(buildOutputs.filter((output) => output !== selection.folder))
      yield* addLoaded
      yield* disown(ownedFolders(path, selection, settings?.outDir))
    }),
    summary: () => ({ declared, loaded: known.size, inputs: ledger.size() })
  }
  return executables
})
