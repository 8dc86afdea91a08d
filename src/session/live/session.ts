/**
 * A session: one project, analysed again whenever something that it depends on has changed, until its scope ends.
 *
 * Guarantees (Spec 0018 §4, §5):
 * - one analysis at a time and one pending token, however many hints there are;
 * - what changed is found by comparing the ledger of what was read with the disk; hints only say when to look, and the session
 *   also looks without any;
 * - `Settled` is told only after a comparison that found everything as it was analysed;
 * - a state that was superseded is not written, and a write that has begun is not interrupted;
 * - an engine that dies is told and replaced.
 *
 * Where its events go, and what a reader sees of them, is left to the shells.
 */
import { CompilerFault, makeMemory } from "@effx/compiler"
import type { Input, Overlays, SourceFrontend } from "@effx/frontend-ts"
import { Clock, Duration, Effect, type FileSystem, Path, Queue, Scope } from "effect"
import { type LaunchCoverage, observeExecutables } from "../coverage/index.ts"
import type { Flags } from "../flags.ts"
import { witnessOf } from "../host.ts"
import { LIMITS } from "../limits.ts"
import type { InvalidProject } from "../load-config.ts"
import type { Misuse } from "../misuse.ts"
import type { OutputBusy } from "../outputs/index.ts"
import { phase } from "../phase.ts"
import { type Prepared, prepare, type RunResult, resultOf } from "../run.ts"
import { type Discovered, discover, select } from "../selection.ts"
import type { Settings } from "../settings.ts"
import { makeBurst, pauseOf } from "./burst.ts"
import { coverageOf, isDependency, isSamePlace, outlookOf } from "./coverage.ts"
import type { CycleReason, NextCycle, SessionEvent } from "./event.ts"
import { makeFollowed } from "./followed.ts"
import { makeLookout } from "./lookout.ts"
import { makeNoise } from "./noise.ts"
import { relevantPaths } from "./relevance.ts"
import { makeSentinel, type StartThread } from "./sentinel.ts"
import { makeWatcher } from "./watcher.ts"
import { makeWriter } from "./writer.ts"

export interface SessionOptions {
  readonly flags: Flags
  /** Absolute. */
  readonly cwd: string
  /** What was found already, where somebody had to decide about it; else it is looked for. */
  readonly found?: Discovered
  /** Whether successful states are written, as `effx build` would. */
  readonly build: boolean
  /** Executable inputs that are declared at the start, besides those of the config. */
  readonly coverage: LaunchCoverage
  /** Whether a project that cannot be analysed at the start is waited for, as it is later on; else `run` fails. */
  readonly patient?: boolean
  /** Takes the events one by one; the session waits for it. */
  readonly emit: (event: SessionEvent) => Effect.Effect<void>
  /** Starts its thread, where that takes more than making it. */
  readonly startThread?: StartThread | undefined
}

export interface Session {
  readonly prepared: Prepared
  /** Analyses again although nothing seems to have changed. */
  readonly recheck: Effect.Effect<void>
  /** Replaces the texts that stand for files; the analysis starts at once, or when a burst of edits pauses. */
  readonly setOverlays: (overlays: Overlays) => Effect.Effect<void>
  /** Runs until it is interrupted, fails at the start, or cannot go on. */
  readonly run: Effect.Effect<
    never,
    CompilerFault | InvalidProject | Misuse | OutputBusy,
    FileSystem.FileSystem | Path.Path | SourceFrontend
  >
}

/** Whether the installation is not what was released: nothing that it says may be used. */
const isOfInstallation = (error: CompilerFault | Misuse): boolean =>
  error._tag === "CompilerFault" && error.stage === "integrity"
/** Why to analyse where nothing differs after a storm: what was a reason before it may have been taken by the one that found nothing. */
const STORM: CycleReason = { _tag: "Asked" }

/** Whether another engine may do what this one did not. */
const isOfEngine = (error: CompilerFault | Misuse): boolean =>
  error._tag === "CompilerFault" && error.stage === "engine"

/** Selects the project and evaluates its config; nothing is watched or analysed before `run`. */
export const openSession = Effect.fnUntraced(function* ({
  build,
  coverage,
  cwd,
  emit,
  flags,
  found,
  patient = false,
  startThread
}: SessionOptions) {
  const path = yield* Path.Path
  const scope = yield* Effect.scope
  const clock = yield* Clock.Clock
  const now = Clock.currentTimeMillis
  const discovered = found ?? (yield* discover(flags, cwd))
  const executables = yield* observeExecutables(discovered, coverage)
  const prepared = yield* prepare(discovered)
  yield* executables.evaluated(prepared, flags.outDir)
  const { selection } = prepared

  // Everything below changes only between two steps of the one fiber that runs the session, except the requests.
  const token = yield* Queue.dropping<void>(1)
  const requests = {
    asked: false,
    died: undefined as string | undefined,
    due: false,
    everywhere: true,
    hints: 0,
    overlays: undefined as Overlays | undefined
  }
  const wake = () => Queue.offerUnsafe(token, undefined)
  const lookout = makeLookout()
  const noise = makeNoise()
  const burst = makeBurst()
  const waiting = yield* Queue.dropping<void>(1)
  const polling = yield* Queue.dropping<void>(1)
  const writer = yield* makeWriter(scope, emit)
  const watcher = yield* makeWatcher({
    onHint: (folder) => {
      requests.hints++
      if (folder === undefined || isDependency(`${folder}/`)) requests.everywhere = true
      if (folder === undefined || noise.hinted(folder, clock.currentTimeMillisUnsafe())) wake()
      else Queue.offerUnsafe(waiting, undefined)
    },
    onBegun: () => {
      requests.due = true
      wake()
    },
    onBlind: (code) => {
      lookout.blind(code)
      wake()
    }
  })

  const memory = makeMemory()
  let cycle = 0
  let overlays: Overlays = new Map()
  /** Those of the last result. */
  let analysed = overlays
  let settings: Settings | undefined
  let result: RunResult | undefined
  let deaths = 0
  let began = 0
  let toldAt = 0
  const looked = { hints: 0 }
  let witness = ""
  let seenHints = 0

  const followed = makeFollowed({
    scope: yield* Scope.fork(scope), // Whatever runs the session ends before the engine does, and takes that for no death.
    tsconfig: selection.tsconfig,
    onDeath: ({ message }) => {
      requests.died = message
      wake()
    }
  })
  const { letGo } = followed

  const sentinel = yield* makeSentinel({
    startThread,
    onHint: (hint) => {
      if (hint === "lost") requests.everywhere = true
      if (hint === "far") requests.due = true
      wake()
    }
  })

  let covered: ReadonlyArray<Input> = []

  /** @returns whether something may have happened unseen */
  const cover = Effect.suspend(() => {
    const inputs = followed.project()?.inputs() ?? []
    covered = inputs
    const { far, names, whole } = outlookOf(selection.folder, inputs)
    sentinel.cover({ whole: [selection.tsconfig, ...whole, ...executables.paths()], names, far })
    const folders = coverageOf(path, selection.folder, inputs, [selection.tsconfig])
    return watcher.cover(new Set([...executables.folders(), ...folders]))
  })

  /**
   * What differs on disk, and what of it is a reason to analyse again.
   *
   * @param isEdited whether somebody edits, so that what is only due for being long ago waits for a pause
   */
  const look = Effect.fnUntraced(function* (isEdited: boolean) {
    const project = followed.project()
    if (project === undefined) return { paths: [] }
    const began = yield* now
    const everywhere =
      requests.everywhere || lookout.everywhere() || ((requests.due || watcher.isBeginning()) && !isEdited)
    if (everywhere) requests.due = false
    const hinted = requests.everywhere || requests.hints !== looked.hints
    requests.everywhere = false
    looked.hints = requests.hints
    const changes = project.outdated(everywhere ? undefined : (file) => !isDependency(file))
    const paths = changes === undefined ? [] : relevantPaths(path, changes, { project, selection, settings })
    const at = yield* now
    lookout.looked({ hinted, found: paths.length > 0, took: at - began })
    noise.looked({ changed: new Set(paths.map((file) => path.dirname(file))), at, took: at - began })
    return { paths, ...(changes !== undefined && { changes }) }
  })

  const fail = Effect.fnUntraced(function* (error: CompilerFault | Misuse) {
    result = undefined
    if ((cycle === 1 && !patient) || isOfInstallation(error)) return yield* Effect.fail(error)
    yield* emit({ _tag: "Failed", cycle, message: error.message })
  })

  /** Fails as a fresh run would where the selection leads to nothing any more. */
  const reselect = Effect.suspend(() =>
    cycle === 1
      ? Effect.void
      : Effect.andThen(discover(flags, cwd), select(discovered, prepared.config?.value.project)).pipe(
          Effect.tapError(() => letGo)
        )
  )

  const takeOverlays = () => {
    overlays = requests.overlays ?? overlays
    requests.overlays = undefined
  }

  const runCycle = Effect.fnUntraced(function* (reason: CycleReason, { changes, isOfOverlays = false }: NextCycle) {
    if (isOfOverlays) yield* pauseOf(burst, toldAt)
    cycle++
    began = yield* now
    // What came since the reason was found is not left for another cycle.
    takeOverlays()
    yield* emit({ _tag: "CycleStarted", cycle, reason })
    const outcome = yield* phase("follow")(
      isOfOverlays ? followed.advance(overlays) : Effect.andThen(reselect, followed.advance(overlays, changes))
    ).pipe(
      Effect.flatMap((project) =>
        Effect.tap(resultOf(prepared, project, { flags, generate: build, memory }), (analysed) =>
          executables.analysed(analysed, project.facts.buildOutputs)
        )
      ),
      Effect.result
    )
    if (outcome._tag === "Success") {
      result = outcome.success
      analysed = overlays
      settings = result.settings ?? settings
    } else if (requests.died !== undefined || isOfEngine(outcome.failure)) {
      requests.died ??= outcome.failure.message
      // What was found before is of an earlier state.
      result = undefined
      return
    } else {
      // A project that could not be loaded is opened anew; one that was loaded and cannot be used keeps its ledger.
      if (outcome.failure._tag === "CompilerFault") yield* letGo
      yield* fail(outcome.failure)
    }
    // What came between the reading and the watching shows in a comparison of everything.
    const isCovered = isOfOverlays && isSamePlace(followed.project()?.inputs() ?? [], covered)
    if (!isCovered && (yield* phase("cover")(cover))) requests.everywhere = true
  })

  /** Tells that code was replaced, and does nothing more. */
  const restart = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
    result = undefined
    yield* emit({ _tag: "RestartRequired", paths })
    yield* letGo
    return yield* Effect.never
  })

  /** Lets go of an engine that died; fails when it dies again and again. */
  const bury = Effect.fnUntraced(function* () {
    const message = requests.died
    requests.died = undefined
    yield* letGo
    deaths++
    if (deaths > LIMITS.engineDeaths)
      return yield* new CompilerFault({ stage: "engine", message: `${message}, again and again` })
    yield* emit({ _tag: "Notice", message: `${message}; starting it again` })
  })

  /** Why to analyse, if at all. */
  const reasonNow = Effect.fnUntraced(function* (before: NextCycle = {}): Effect.fn.Return<NextCycle, CompilerFault> {
    if (requests.died !== undefined) {
      yield* bury()
      return { reason: { _tag: "Engine" } }
    }
    const isOverlaid = requests.overlays !== undefined
    const asked = requests.asked || isOverlaid
    if (requests.asked) requests.everywhere = true
    requests.asked = false
    takeOverlays()
    if (followed.project() === undefined) {
      const seen = `${requests.hints} ${witnessOf([selection.tsconfig])}`
      const moved = seen !== witness
      witness = seen
      return moved || asked ? { reason: { _tag: "Changed", paths: [] } } : {}
    }
    // Where nothing hints at the disk, new overlays are analysed at once; a comparison follows before anything is said to be settled.
    if (isOverlaid && !requests.everywhere && requests.hints === looked.hints) {
      return { reason: { _tag: "Asked" }, isOfOverlays: true }
    }
    const { changes, paths } = yield* phase("look")(look(before.isOfOverlays ?? false))
    const named: CycleReason | undefined =
      paths.length > 0 ? { _tag: "Changed", paths } : asked ? { _tag: "Asked" } : undefined
    return { ...(named !== undefined && { reason: named }), ...(changes !== undefined && { changes }) }
  })

  const isUrgent = (): boolean => requests.overlays !== undefined || requests.asked || requests.died !== undefined

  /** Waits until hints pause, or somebody waits for an answer. */
  const quiet = Effect.fnUntraced(function* (patience: Duration.Duration) {
    const began = yield* now
    let seen = -1
    while (seen !== requests.hints && !isUrgent() && (yield* now) - began < Duration.toMillis(patience)) {
      seen = requests.hints
      yield* Effect.sleep(LIMITS.quiet)
    }
  })

  /** Tells the result of the last cycle, if it has one. What replaced code would say is not told. */
  const tell = Effect.fnUntraced(function* (ended: number) {
    if (result === undefined) return
    const late = yield* executables.changed
    if (late.length > 0) return yield* restart(late)
    toldAt = ended
    const { realpathOf, textOf } = followed.project() ?? {}
    yield* emit({ _tag: "Checked", cycle, result, milliseconds: ended - began, textOf, realpathOf, overlays: analysed })
  })

  /** Cycles until the disk is as it was analysed. */
  const settle = Effect.fnUntraced(function* (first?: CycleReason) {
    let next: NextCycle = first === undefined ? yield* reasonNow() : { reason: first }
    const idle = next.reason === undefined
    while (next.reason !== undefined) {
      const replaced = yield* executables.changed
      if (replaced.length > 0) return yield* restart(replaced)
      yield* runCycle(next.reason, next)
      const ended = yield* now
      // Who edits does not wait for a look at the disk, at which nothing hints.
      const isAwaited = next.isOfOverlays === true && !isUrgent() && requests.hints === looked.hints
      if (isAwaited) yield* tell(ended)
      next = yield* reasonNow(next)
      // A storm that goes on is waited for, so that it costs two cycles rather than one after another.
      if (next.reason?._tag === "Changed" && requests.hints !== looked.hints) {
        yield* quiet(LIMITS.holdBack)
        const { reason = STORM, ...rest } = yield* reasonNow()
        next = { ...rest, reason }
      }
      // A state that is superseded already is told only where the next one would be told too late.
      const isHeldBack = next.reason !== undefined && 2 * ended - began - toldAt < Duration.toMillis(LIMITS.holdBack)
      if (!isAwaited && !isHeldBack) yield* tell(ended)
    }
    // A look without any hint and without work to do may be left out.
    const unasked = idle && requests.hints === seenHints && !writer.isPending()
    seenHints = requests.hints
    const replaced = yield* unasked ? executables.glance : executables.changed
    if (replaced.length > 0) return yield* restart(replaced)
    const late = writer.isPending()
    if (build && result !== undefined && (late || !idle)) yield* writer.write(result, cycle)
    if (idle && !(late && !writer.isPending())) return
    deaths = 0
    yield* emit({
      _tag: "Settled",
      cycle,
      inputs: followed.project()?.inputs().length ?? 0,
      ...(result !== undefined && { result })
    })
  })

  const announce = Effect.suspend(() => {
    const message = lookout.notice()
    if (message === undefined) return Effect.void
    Queue.offerUnsafe(polling, undefined)
    return emit({ _tag: "Notice", message })
  })

  /** Looks at everything again and again, once hints are not to be relied on. */
  const poll = Effect.gen(function* () {
    yield* Queue.take(polling)
    while (true) {
      yield* Effect.sleep(lookout.pause())
      requests.due = true
      wake()
    }
  })

  /** Wakes the session for hints from folders that have hinted at nothing too often. */
  const followLate = Effect.gen(function* () {
    while (true) {
      yield* Queue.take(waiting)
      for (let due = noise.due(); due !== undefined && due > (yield* now); due = noise.due())
        yield* Effect.sleep(Math.min(due - (yield* now), Duration.toMillis(LIMITS.patience)))
      wake()
    }
  })

  const run: Session["run"] = Effect.gen(function* () {
    yield* emit({ _tag: "Started", selection, coverage: executables.summary() })
    yield* cover
    yield* settle({ _tag: "Start" })
    yield* announce
    yield* Effect.forkIn(poll, scope)
    yield* Effect.forkIn(followLate, scope)
    while (true) {
      // A disk that refused to be written may take it later.
      yield* writer.isPending() ? Effect.timeoutOption(Queue.take(token), LIMITS.lookAround) : Queue.take(token)
      if (requests.hints !== looked.hints) yield* quiet(LIMITS.patience)
      yield* settle()
      yield* announce
      // A look that gave way to somebody who waited comes now: the sentinel does not ask for it again.
      if (requests.due && followed.project() !== undefined) wake()
    }
  })

  const session: Session = {
    prepared,
    recheck: Effect.sync(() => {
      requests.asked = true
      requests.everywhere = true
      wake()
    }),
    setOverlays: (next) =>
      Effect.sync(() => {
        requests.overlays = next
        burst.edited(clock.currentTimeMillisUnsafe())
        wake()
      }),
    run
  }
  return session
})
