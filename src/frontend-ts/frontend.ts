/**
 * The TypeScript frontend as a service: opens a project and collects what it declares, without running it.
 *
 * An open project is one immutable state; `update` gives the next one. The engine process lives as long as the scope in which
 * the project was opened. Deciding about settings, between `open` and `collect`, is the session's work.
 */
import { type Collected, CompilerFault } from "@effx/compiler"
import { Context, Effect, Layer, type Scope } from "effect"
import { aliased } from "./aliased.ts"
import { type Collection, collect } from "./collect.ts"
import { type Changes, type Engine, type EngineOptions, startEngine, type World } from "./engine.ts"
import { foreseeEdits } from "./foresee.ts"
import { disk, paths } from "./host.ts"
import type { Input } from "./ledger.ts"
import { type ProjectFacts, projectFacts } from "./project.ts"
import { following, type Latest } from "./reuse.ts"
import { type Overlays, takeSnapshot, type WorldSnapshot } from "./snapshot.ts"
import type { TrustedEngine } from "./trusted-engine.ts"

export interface OpenOptions {
  /** Absolute. */
  readonly tsconfigPath: string
  readonly overlays?: Overlays
  readonly engine?: Pick<EngineOptions, "executable" | "timing">
}

export interface CollectOptions {
  /** Absolute: where generated code will be. */
  readonly outDir: string
  /** Absolute paths that replace the files which the tsconfig selects. */
  readonly entry?: ReadonlyArray<string>
}

/** What happened since the last state; overlays are given as a whole. */
export interface UpdateOptions extends Partial<Changes> {
  readonly overlays: Overlays
}

export interface OpenProject {
  readonly facts: ProjectFacts
  readonly collect: (options: CollectOptions) => Effect.Effect<Collected, CompilerFault>
  /** The hash of a file's bytes as they were analysed; undefined where there are none. */
  readonly hashOf: (path: string) => string | undefined
  /** The ledger so far: call it after `collect`. */
  readonly inputs: () => ReadonlyArray<Input>
  /** The text of a file as it was analysed, without byte-order mark. */
  readonly textOf: (path: string) => string | undefined
  /** The path of a file with all links resolved, as it was analysed. */
  readonly realpathOf: (path: string) => string
  /**
   * What the disk would answer differently now; undefined when this state is still the disk's.
   *
   * @param concerns which paths to compare; all unless given
   */
  readonly outdated: (concerns?: (path: string) => boolean) => Changes | undefined
  /**
   * The state after `changes`. This one is void afterwards, once its own collections have ended.
   */
  readonly update: (options: UpdateOptions) => Effect.Effect<OpenProject, CompilerFault>
  /** Messages to the engine so far, when it was started with `timing`. */
  readonly messages: Engine["messages"]
  /** Succeeds when the engine's process ends by itself; this state and all after it are void then. */
  readonly engineDied: Effect.Effect<CompilerFault>
  /** The engine's process. */
  readonly enginePid: number | undefined
}

export class SourceFrontend extends Context.Service<
  SourceFrontend,
  {
    /** Opens the project of a tsconfig; fails when there is no such file. */
    readonly open: (options: OpenOptions) => Effect.Effect<OpenProject, CompilerFault, Scope.Scope>
  }
>()("@effx/frontend-ts/SourceFrontend") {
  static readonly layer = Layer.sync(SourceFrontend, () => SourceFrontend.of({ open: (options) => open(options) }))

  /**
   * Opens projects with an engine that is proved first.
   *
   * @param trusted `undefined` for the engine that the package brings, which nobody proves
   */
  static readonly layerWith = (
    trusted: Effect.Effect<TrustedEngine | undefined, CompilerFault>
  ): Layer.Layer<SourceFrontend> =>
    Layer.succeed(
      SourceFrontend,
      SourceFrontend.of({ open: (options) => Effect.flatMap(trusted, (engine) => open(options, engine)) })
    )
}

const open = Effect.fnUntraced(function* (
  { engine: engineOptions, overlays, tsconfigPath }: OpenOptions,
  trusted?: TrustedEngine
): Effect.fn.Return<OpenProject, CompilerFault, Scope.Scope> {
  const root = paths.dirname(tsconfigPath)
  const cwd = disk.kind(root) === "directory" ? root : "/"
  const engine = yield* startEngine({
    cwd,
    ...(trusted !== undefined && { executable: trusted.executable }),
    ...engineOptions
  })
  yield* refuse(trusted?.objection())
  const snapshot = takeSnapshot(overlays, trusted)
  const world = yield* engine.load(snapshot, tsconfigPath)
  const named = yield* underAllNames(engine, tsconfigPath, overlays ?? NO_OVERLAYS, { snapshot, world, changes: [] })
  return yield* present(engine, tsconfigPath, named.snapshot, named.world, makeOutlived(yield* Effect.scope))
})

const NO_OVERLAYS: Overlays = new Map()

/** A state of the world, and what made it of the one before. */
interface State {
  readonly snapshot: WorldSnapshot
  readonly world: World | undefined
  readonly changes: ReadonlyArray<Changes>
}

/** The state in which overlays stand for their files under every name by which the engine came to those. */
const underAllNames = Effect.fnUntraced(function* (
  engine: Engine,
  tsconfigPath: string,
  overlays: Overlays,
  reached: State
): Effect.fn.Return<State, CompilerFault> {
  const { changes, snapshot, world } = reached
  if (world === undefined) return reached
  const named = aliased(overlays, snapshot.links())
  if ([...named.keys()].every((path) => snapshot.overlays.has(path))) return reached
  const more = widened(changesOf(snapshot, { overlays: named }), false)
  const next = snapshot.next(more, named)
  const updated = yield* engine.update(world, next, tsconfigPath, more)
  yield* world.release
  return yield* underAllNames(engine, tsconfigPath, overlays, {
    snapshot: next,
    world: updated,
    changes: [...changes, more]
  })
})

/**
 * What the engine holds of states that are over. It is busy for a while when it gives back memory, so that this waits until the state
 * after them is collected, or is over too.
 */
interface Outlived {
  readonly add: (release: Effect.Effect<void>) => void
  /** Nobody waits for it. */
  readonly release: Effect.Effect<void>
}

const makeOutlived = (scope: Scope.Scope): Outlived => {
  let held: Array<Effect.Effect<void>> = []
  return {
    add: (release) => void held.push(release),
    release: Effect.suspend(() => {
      const all = held
      held = []
      return Effect.asVoid(Effect.forkIn(Effect.all(all, { discard: true }), scope))
    })
  }
}

const present = Effect.fnUntraced(function* (
  engine: Engine,
  tsconfigPath: string,
  snapshot: WorldSnapshot,
  world: World | undefined,
  outlived: Outlived,
  before?: Latest
): Effect.fn.Return<OpenProject, CompilerFault> {
  yield* usable(snapshot)
  if (world === undefined) {
    return yield* new CompilerFault({ stage: "collect", message: `There is no project at ${tsconfigPath}` })
  }
  const goOn = before?.edits === undefined ? Effect.void : yield* foreseeEdits(world, before.edits)
  const facts = yield* projectFacts(world, snapshot, tsconfigPath)
  yield* goOn
  // What the last complete collection of this state, else of an earlier one, found.
  let latest = before
  const keep = ({ collected, retained }: Collection): Collected => {
    latest = retained && { retained, edits: new Set() }
    return collected
  }
  // Collections under way keep their world: a released one would answer them with faults.
  let users = 0
  let superseded = false
  const releaseIfUnused = Effect.suspend(() => (superseded && users === 0 ? world.release : Effect.void))
  const using = <A>(effect: Effect.Effect<A, CompilerFault>): Effect.Effect<A, CompilerFault> =>
    Effect.acquireUseRelease(
      Effect.sync(() => void users++),
      () => effect,
      () => Effect.sync(() => void users--).pipe(Effect.andThen(releaseIfUnused), Effect.andThen(outlived.release))
    )
  return {
    facts,
    collect: ({ entry, outDir }) =>
      using(
        entry === undefined
          ? Effect.map(collect(world, snapshot, facts, outDir, latest), keep)
          : Effect.flatMap(engine.narrow(world, snapshot, entry), (narrowed) =>
              narrowed === undefined
                ? new CompilerFault({ stage: "collect", message: "The entry files could not be loaded" })
                : Effect.ensuring(
                    Effect.andThen(
                      usable(snapshot),
                      Effect.map(
                        collect(narrowed, snapshot, { ...facts, fileNames: entry }, outDir),
                        ({ collected }) => collected
                      )
                    ),
                    narrowed.release
                  )
            )
      ),
    hashOf: snapshot.hashOf,
    inputs: snapshot.inputs,
    textOf: snapshot.readFile,
    realpathOf: snapshot.realpath,
    outdated: snapshot.outdated,
    update: Effect.fnUntraced(function* (options) {
      const overlays = aliased(options.overlays, snapshot.links())
      const changes = widened(changesOf(snapshot, { ...options, overlays }), facts.unreadable.length > 0)
      const next = snapshot.next(changes, overlays)
      const updated = yield* engine.update(world, next, tsconfigPath, changes)
      const state = yield* underAllNames(engine, tsconfigPath, options.overlays, {
        snapshot: next,
        world: updated,
        changes: [changes]
      })
      const edits = latest && state.changes.reduce(following, latest.edits)
      yield* outlived.release
      const project = yield* present(
        engine,
        tsconfigPath,
        state.snapshot,
        state.world,
        outlived,
        latest && { retained: latest.retained, edits }
      )
      superseded = true
      outlived.add(releaseIfUnused)
      return project
    }),
    messages: engine.messages,
    engineDied: engine.died,
    enginePid: engine.pid
  }
})

/** Fails when the engine was refused one of its own files: what it says about the rest is worth nothing. */
const usable = (snapshot: WorldSnapshot): Effect.Effect<void, CompilerFault> =>
  Effect.suspend(() => refuse(snapshot.refusal()))

const refuse = (message: string | undefined): Effect.Effect<void, CompilerFault> =>
  message === undefined ? Effect.void : Effect.fail(new CompilerFault({ stage: "integrity", message }))

/** The named changes, and those that the overlays make by differing from the last ones. */
const changesOf = (before: WorldSnapshot, options: UpdateOptions): Changes => {
  const changed = new Set(options.changed)
  const created = new Set(options.created)
  const deleted = new Set(options.deleted)
  for (const path of new Set([...before.overlays.keys(), ...options.overlays.keys()])) {
    if (before.overlays.has(path) === options.overlays.has(path)) {
      if (before.overlays.get(path) === options.overlays.get(path)) continue
    }
    const existed = before.fileExists(path)
    const exists = options.overlays.has(path) ? options.overlays.get(path) !== undefined : disk.kind(path) === "file"
    if (existed && exists) changed.add(path)
    else if (exists) created.add(path)
    else if (existed) deleted.add(path)
  }
  return {
    changed: [...changed],
    created: [...created],
    deleted: [...deleted],
    ...(options.everything !== undefined && { everything: options.everything })
  }
}

/** Files that can belong to a program or decide what does; without an extension it may have been a folder. */
const MATTERS = /\.([cm]?[jt]sx?|json)$|\/[^./]+$/

/**
 * What the engine is told. It follows changed texts; after files have come or gone it keeps lists of files and failed look-ups that are
 * no longer true, so that everything is asked again then. So it is after a state in which something could not be read: whether that
 * still matters shows when it is asked for again, or not.
 */
const widened = (changes: Changes, unreadable: boolean): Changes =>
  unreadable || [...changes.created, ...changes.deleted].some((path) => MATTERS.test(path))
    ? { ...changes, everything: true }
    : changes
