/** What a session does when several things happen at once. Its sentinel is the test's own, so that hints come when they matter. */
import { join } from "node:path"
import { expect, it, vi } from "@effect/vitest"
import { SourceFrontend } from "@effx/frontend-ts"
import { openSession, type Session, type SessionEvent } from "@effx/session"
import { Deferred, Effect, Layer } from "effect"
import { LIMITS } from "../../src/session/limits.ts"
import { childrenOf } from "../children.ts"
import { platform, project } from "./project.ts"

/** Stands for the thread of the sentinel: it looks at nothing, and hints when it is told to. */
class Thread extends EventTarget {
  static current: Thread | undefined
  onmessage: ((message: { readonly data: "near" | "far" | "lost" }) => void) | undefined
  constructor() {
    super()
    Thread.current = this
  }
  postMessage(): void {}
  terminate(): void {
    this.dispatchEvent(new Event("close"))
  }
}

const stubbed = Effect.acquireRelease(
  Effect.sync(() => vi.stubGlobal("Worker", Thread)),
  () => Effect.sync(() => vi.unstubAllGlobals())
)

const DECLARATION = "export declare const a: 1\n"
const DEPENDENCY = "node_modules/dep/index.d.ts"
const MANIFEST = JSON.stringify({ name: "dep", version: "1.0.0", types: "index.d.ts" })

/** Changes the dependency. What is written to a file in memory is no event of any watch. */
const rewrite = (folder: string): void => {
  Bun.mmap(join(folder, DEPENDENCY), { shared: true })[DECLARATION.indexOf("1")] = "2".charCodeAt(0)
}

interface Opened {
  readonly folder: string
  readonly session: Session
}

/** A session over files, which tells `emit` what it tells. */
const sessionOf = Effect.fnUntraced(function* (
  files: Readonly<Record<string, string>>,
  emit: (event: SessionEvent, opened: Opened) => Effect.Effect<unknown>
) {
  yield* stubbed
  const tsconfig = { compilerOptions: { module: "nodenext", types: [] }, include: ["src"] }
  const folder = yield* project({ "tsconfig.json": JSON.stringify(tsconfig), ...files })
  const session: Session = yield* openSession({
    flags: {},
    cwd: folder,
    build: false,
    coverage: { files: [], folders: [] },
    emit: (event) => Effect.asVoid(emit(event, { folder, session }))
  })
  return { folder, session } satisfies Opened as Opened
})

/** The engine is the only process that this one has started. */
const engines = (): ReadonlyArray<number> => childrenOf(process.pid)

it.live(
  "tells nothing of before when its engine dies in the middle of a cycle",
  () =>
    Effect.gen(function* () {
      const others = new Set(engines())
      const told: Array<SessionEvent> = []
      const again = yield* Deferred.make<void>()
      const { session } = yield* sessionOf(
        { "src/main.ts": "export const a = 1\n" },
        Effect.fnUntraced(function* (event, { folder, session }) {
          told.push(event)
          if (event._tag === "CycleStarted" && event.cycle === 2) {
            for (const engine of engines()) if (!others.has(engine)) process.kill(engine, "SIGKILL")
          }
          if (event._tag !== "Settled") return
          if (event.cycle > 1) return yield* Deferred.succeed(again, undefined).pipe(Effect.asVoid)
          // Long enough ago that a state which is superseded would be told all the same.
          yield* Effect.sleep(LIMITS.holdBack)
          yield* session.setOverlays(new Map([[join(folder, "src/main.ts"), "export const a = (\n"]]))
        })
      )
      yield* Effect.forkScoped(session.run)
      yield* Deferred.await(again)
      expect(told.flatMap((event) => (event._tag === "Checked" ? event.cycle : []))).toEqual([1, 3])
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(platform, SourceFrontend.layer))),
  30_000
)

it.live(
  "looks at a dependency that the sentinel hints at together with an edit",
  () =>
    Effect.gen(function* () {
      let settled = 0
      /** The session waits for whoever takes its events: to it, all of this happens at once. */
      const first = ({ folder, session }: Opened) => {
        rewrite(folder)
        Thread.current?.onmessage?.({ data: "far" })
        return session.setOverlays(new Map([[join(folder, "src/main.ts"), 'export { a } from "dep" // edited\n']]))
      }
      const changed = yield* Deferred.make<void>()
      const { session } = yield* sessionOf(
        {
          "src/main.ts": 'export { a } from "dep"\n',
          "node_modules/dep/package.json": MANIFEST,
          [DEPENDENCY]: DECLARATION
        },
        (event, opened) => {
          if (event._tag === "Settled") return settled++ === 0 ? first(opened) : Effect.void
          const isFound =
            event._tag === "CycleStarted" &&
            event.reason._tag === "Changed" &&
            event.reason.paths.includes(join(opened.folder, DEPENDENCY))
          return isFound ? Deferred.succeed(changed, undefined) : Effect.void
        }
      )
      yield* Effect.forkScoped(session.run)
      yield* Deferred.await(changed)
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(platform, SourceFrontend.layer))),
  30_000
)

it.live(
  "looks at a dependency that changed before a watch has begun, though nothing hints at it",
  () =>
    Effect.gen(function* () {
      let settled = 0
      const changed = yield* Deferred.make<void>()
      const { session } = yield* sessionOf(
        {
          "src/main.ts": 'export { a } from "dep"\n',
          "node_modules/dep/package.json": MANIFEST,
          [DEPENDENCY]: DECLARATION
        },
        (event, { folder }) =>
          Effect.suspend(() => {
            if (event._tag === "Settled" && settled++ === 0) rewrite(folder)
            const isFound =
              event._tag === "CycleStarted" &&
              event.reason._tag === "Changed" &&
              event.reason.paths.includes(join(folder, DEPENDENCY))
            return isFound ? Deferred.succeed(changed, undefined) : Effect.void
          })
      )
      yield* Effect.forkScoped(session.run)
      yield* Deferred.await(changed)
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(platform, SourceFrontend.layer))),
  30_000
)
