/**
 * The TypeScript engine: one owned compiler process and the only module that talks to it.
 *
 * Guarantees: the process lives exactly as long as the scope; its death, a start that takes too long and a request that it
 * refuses are `CompilerFault{stage: "engine"}`, also for every request that was pending; one update runs at a time over one
 * immutable view. Requests made in one turn of the event loop are one message, so callers ask with unbounded concurrency
 * and pay per wave, not per request; equal questions about one world are asked once.
 *
 * It leaves to others what to ask. Every node, symbol and type belongs to the world that it came from and is never used with
 * another one: the engine would answer wrongly without an error.
 */
import { CompilerFault } from "@effx/compiler"
import { Deferred, Duration, Effect, type Scope } from "effect"
import { version } from "typescript"
import { API, type Snapshot } from "typescript/async"
import { serverFS } from "typescript/fs"
import { type Checker, makeChecker } from "./checker.ts"
import { unsetTimingDirectory } from "./host.ts"
import { LIMITS } from "./limits.ts"
import { makeProgram, type Program } from "./program.ts"

/** The engine's version, which is what analyses. */
export const ENGINE_VERSION: string = version

/**
 * What the engine sees of the file system. Every function is total, synchronous and fast: one that throws kills the process.
 */
export interface View {
  /**
   * Whether the engine may read a file by itself: its text is the disk's and nobody asks for positions in it. Declarations of
   * dependencies are most of what is read, and need not travel through two processes.
   */
  readonly isPlain: (path: string) => boolean
  readonly readFile: (path: string) => string | undefined
  readonly fileExists: (path: string) => boolean
  readonly directoryExists: (path: string) => boolean
  readonly entries: (path: string) => {
    readonly files: ReadonlyArray<string>
    readonly directories: ReadonlyArray<string>
    readonly symlinks: ReadonlyArray<string>
  }
  readonly realpath: (path: string) => string
}

/** What differs between two views, by absolute path. A folder stands for everything below it. */
export interface Changes {
  readonly changed: ReadonlyArray<string>
  readonly created: ReadonlyArray<string>
  readonly deleted: ReadonlyArray<string>
  /** Ask everything again: lost events, a retargeted link. */
  readonly everything?: boolean
}

/** One state of one project in the engine. */
export interface World {
  readonly program: Program
  readonly checker: Checker
  /** Gives the engine's memory back; handles of this world are void afterwards. */
  readonly release: Effect.Effect<void>
  /** @internal */
  readonly snapshot: Snapshot
}

export interface Engine {
  /**
   * Loads a project as the view shows it.
   *
   * @returns `undefined` when there is no such tsconfig in the view
   */
  readonly load: (view: View, tsconfig: string) => Effect.Effect<World | undefined, CompilerFault>
  /** The world after `changes`; `base` stays valid until it is released. */
  readonly update: (
    base: World,
    view: View,
    tsconfig: string,
    changes: Changes
  ) => Effect.Effect<World | undefined, CompilerFault>
  /** The same files and options with other roots. */
  readonly narrow: (
    base: World,
    view: View,
    roots: ReadonlyArray<string>
  ) => Effect.Effect<World | undefined, CompilerFault>
  /** Requests and messages so far; all zero unless the engine was started with `timing`. */
  readonly messages: Effect.Effect<{ readonly count: number; readonly milliseconds: number }, CompilerFault>
  /** Succeeds when the process ends before its scope does. */
  readonly died: Effect.Effect<CompilerFault>
  /** The process id, for tests of its death. */
  readonly pid: number | undefined
}

export interface EngineOptions {
  /** The working directory of the process: it must exist. */
  readonly cwd: string
  /** Another executable than the one that the package brings. */
  readonly executable?: string
  readonly timing?: boolean
}

/** Sends a request; fails when the engine refuses it or dies. */
export type Send = <A>(request: () => Promise<A>) => Effect.Effect<A, CompilerFault>

interface EngineProcess {
  readonly pid?: number
  readonly exitCode?: number | null
  readonly signalCode?: string | null
  readonly once: (event: "exit", listener: () => void) => unknown
  readonly kill: (signal: "SIGKILL") => unknown
}

interface EngineClient {
  readonly process?: EngineProcess
  readonly close?: () => Promise<void>
}

/** The client behind the API. It is not part of what the API declares, so its absence is a case of its own. */
const clientOf = (api: API): EngineClient | undefined => (api as unknown as { readonly client?: EngineClient }).client

const processOf = (api: API): EngineProcess | undefined => clientOf(api)?.process

/**
 * Lets a released snapshot hold nothing. The client's functions of each snapshot hold the one that it was made from, so that the last one
 * would hold all that ever were.
 */
const sever = (snapshot: Snapshot): void => {
  const nothing = (): undefined => undefined
  Object.assign(snapshot, { updateSnapshot: nothing, onDispose: nothing, projectDataMap: new Map(), operation: {} })
}

const fault = (message: string, cause?: unknown): CompilerFault =>
  new CompilerFault({ stage: "engine", message, cause })

const DIED = "The TypeScript engine ended unexpectedly"

/** Starts the engine process; it ends with the scope. */
export const startEngine = Effect.fnUntraced(function* (
  options: EngineOptions
): Effect.fn.Return<Engine, CompilerFault, Scope.Scope> {
  let view: View = NOTHING
  let death: CompilerFault | undefined
  const died = yield* Deferred.make<CompilerFault>()
  let closing = false
  const pending = new Set<(fault: CompilerFault) => void>()
  const die = (how?: string) => {
    if (death !== undefined || closing) return
    death = fault(how === undefined ? DIED : `${DIED} (${how})`)
    Deferred.doneUnsafe(died, Effect.succeed(death))
    for (const fail of pending) fail(death)
    pending.clear()
  }

  const send: Send = (request) =>
    Effect.callback((resume) => {
      if (death !== undefined) return resume(Effect.fail(death))
      const fail = (reason: CompilerFault) => resume(Effect.fail(reason))
      pending.add(fail)
      request().then(
        (value) => {
          pending.delete(fail)
          resume(Effect.succeed(value))
        },
        (error: unknown) => {
          pending.delete(fail)
          resume(Effect.fail(death ?? fault(`The TypeScript engine refused a request: ${messageOf(error)}`, error)))
        }
      )
      return Effect.sync(() => {
        pending.delete(fail)
      })
    })

  unsetTimingDirectory()
  const api = yield* Effect.acquireRelease(
    Effect.try({
      try: () =>
        new API({
          cwd: options.cwd,
          ...(options.executable !== undefined && { tsserverPath: options.executable }),
          collectTiming: options.timing ?? false,
          fs: {
            readFile: (path) => (view.isPlain(path) ? serverFS.useOS : view.readFile(path)),
            fileExists: (path) => view.fileExists(path),
            directoryExists: (path) => view.directoryExists(path),
            getAccessibleEntries: (path) => {
              const { directories, files, symlinks } = view.entries(path)
              return { directories: [...directories], files: [...files], symlinks: [...symlinks] }
            },
            realpath: (path) => view.realpath(path),
            stat: serverFS.fakeStat,
            writeFile: serverFS.error,
            removeFile: serverFS.error
          }
        }),
      catch: (error) => fault(`The TypeScript engine could not be set up: ${messageOf(error)}`, error)
    }),
    (api) =>
      Effect.suspend(() => {
        closing = true
        const child = processOf(api)
        // It has nothing to save, and an orderly end in the middle of a question would be a panic on standard error.
        child?.kill("SIGKILL")
        // The API's own close would first ask the dead process to forget each state, and wait for its answers for ever.
        const client = clientOf(api)
        const closed = Effect.promise(() => (client?.close?.() ?? api.close()).catch(() => undefined))
        return Effect.all([closed, child === undefined ? Effect.void : ended(child)], {
          concurrency: "unbounded"
        }).pipe(Effect.timeoutOption(LIMITS.engineClose))
      })
  )

  const [, child] = yield* Effect.all([send(() => api.parseCommandLine([])), watch(api, die)], {
    concurrency: "unbounded"
  }).pipe(
    Effect.timeoutOrElse({
      duration: LIMITS.engineStart,
      orElse: () => Effect.fail(fault("The TypeScript engine did not start in time"))
    })
  )
  if (child === undefined) yield* Effect.forkScoped(probe(api, pending, die))

  // Updates wait for each other, also for one whose caller lost interest: it must not see the view of the next.
  let last: Promise<unknown> = Promise.resolve()
  const exclusively = (next: View, snapshot: () => Promise<Snapshot>): Effect.Effect<Snapshot, CompilerFault> =>
    Effect.suspend(() => {
      let wanted = true
      const turn = (): Promise<Snapshot> => {
        if (!wanted) return Promise.reject(new Error("nobody waits for it any more"))
        view = next
        return snapshot()
      }
      return send(() => {
        const own = last.then(turn)
        last = own.catch(() => undefined)
        return own
      }).pipe(
        Effect.onInterrupt(() =>
          Effect.sync(() => {
            wanted = false
          })
        )
      )
    }).pipe(
      Effect.timeoutOrElse({
        duration: LIMITS.engineUpdate,
        orElse: () => Effect.fail(fault("The TypeScript engine did not load the project in time"))
      })
    )

  const worldOf = (snapshot: Snapshot, tsconfig: string): World | undefined => {
    const project = snapshot.getConfiguredProject(tsconfig)
    if (project === undefined) return undefined
    return {
      snapshot,
      program: makeProgram(send, project.program, project.parsedCommandLine),
      checker: makeChecker(send, project),
      release: release(snapshot)
    }
  }
  const release = (snapshot: Snapshot): Effect.Effect<void> =>
    Effect.suspend(() =>
      snapshot.isDisposed()
        ? Effect.void
        : Effect.ensuring(
            Effect.ignore(send(() => snapshot.dispose())),
            Effect.sync(() => sever(snapshot))
          )
    )

  return {
    pid: child?.pid,
    died: Deferred.await(died),
    load: (view, tsconfig) =>
      exclusively(view, () => api.createSnapshot({ openProjects: [tsconfig] })).pipe(
        Effect.map((snapshot) => worldOf(snapshot, tsconfig))
      ),
    update: (base, view, tsconfig, { changed, created, deleted, everything }) =>
      exclusively(view, () =>
        everything
          ? // What an update keeps, even one that is told to ask everything again, is which files a tsconfig selects.
            api.createSnapshot({ openProjects: [tsconfig] })
          : base.snapshot.update({
              openProjects: [tsconfig],
              fileNotifications: { changed: [...changed], created: [...created], deleted: [...deleted] }
            })
      ).pipe(Effect.map((snapshot) => worldOf(snapshot, tsconfig))),
    narrow: (base, view, roots) =>
      exclusively(view, () =>
        base.snapshot.update({
          createPrograms: [{ rootFiles: [...roots], compilerOptions: base.program.commandLine.options }]
        })
      ).pipe(
        Effect.map((snapshot) => {
          const program = snapshot.operation.createdPrograms?.[0]
          if (program === undefined) return undefined
          const project = program.getProject()
          return {
            snapshot,
            program: makeProgram(send, program, base.program.commandLine),
            checker: makeChecker(send, project),
            release: release(snapshot)
          }
        })
      ),
    messages: send(() => api.getTimingInfo()).pipe(
      Effect.map((info) => ({ count: info.totals.requestCount, milliseconds: info.totals.roundTripMs }))
    )
  }
})

const NOTHING: View = {
  isPlain: () => false,
  readFile: () => undefined,
  fileExists: () => false,
  directoryExists: () => false,
  entries: () => ({ files: [], directories: [], symlinks: [] }),
  realpath: (path) => path
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? ""

/** Watches the process from the moment it appears; `undefined` where it cannot be seen. */
const watch = Effect.fnUntraced(function* (api: API, die: (how?: string) => void) {
  for (let turn = 0; turn < LIMITS.engineTurns; turn++) {
    const child = processOf(api)
    if (child !== undefined) {
      const tell = () => die(child.signalCode ?? (child.exitCode == null ? undefined : `exit code ${child.exitCode}`))
      child.once("exit", tell)
      if (hasEnded(child)) tell()
      return child
    }
    yield* Effect.yieldNow
  }
  return undefined
})

/** A process that was never there has no id. */
const hasEnded = (child: EngineProcess): boolean =>
  child.pid === undefined || child.exitCode != null || child.signalCode != null

/** Waits until the process is gone. */
const ended = (child: EngineProcess): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (hasEnded(child)) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
  })

/** Sees the death of a process that cannot be watched: while something is pending, a cheap request must be answered. */
const probe = (api: API, pending: ReadonlySet<unknown>, die: () => void): Effect.Effect<void> =>
  Effect.suspend(() =>
    pending.size === 0
      ? Effect.void
      : Effect.promise(() =>
          api.parseCommandLine([]).then(
            () => undefined,
            () => die()
          )
        ).pipe(Effect.timeoutOrElse({ duration: LIMITS.engineStart, orElse: () => Effect.sync(die) }))
  ).pipe(Effect.delay(Duration.millis(250)), Effect.forever)
