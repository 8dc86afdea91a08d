/**
 * Writes the results of a session under custody of its outputs, which it holds from the first one to its end.
 *
 * Guarantees: a write that has begun is not interrupted; a disk that refuses is told once, however often it is tried again; only a
 * competing owner at the start is a failure. Which result is worth writing is left to the session.
 */
import { Effect, Exit, Path, Scope } from "effect"
import { isBuildable } from "../build.ts"
import { identityOf } from "../host.ts"
import { artifactsOf, takeCustody } from "../outputs/index.ts"
import { LOCK } from "../outputs/output-set.ts"
import type { RunResult } from "../run.ts"
import type { Settings } from "../settings.ts"
import type { SessionEvent } from "./event.ts"

interface Held {
  readonly of: Effect.Success<ReturnType<typeof takeCustody>>
  readonly outDir: string
  /** The lock's path, and which file it is. */
  readonly file: string
  readonly lock: string | undefined
  readonly scope: Scope.Closeable
}

/**
 * @param scope ends custody
 */
export const makeWriter = Effect.fnUntraced(function* (
  scope: Scope.Scope,
  emit: (event: SessionEvent) => Effect.Effect<void>
) {
  const path = yield* Path.Path
  let held: Held | undefined
  let pending = false
  let complained: string | undefined

  const custody = Effect.fnUntraced(function* (settings: Settings) {
    // A lock that is gone, with the project's folder perhaps, proves no custody.
    if (held?.outDir === settings.outDir && held.lock === identityOf(held.file)) return held.of
    if (held !== undefined) yield* Scope.close(held.scope, Exit.void)
    held = undefined
    const own = yield* Scope.fork(scope)
    const of = yield* takeCustody(settings).pipe(
      Scope.provide(own),
      Effect.onError(() => Scope.close(own, Exit.void))
    )
    const file = path.join(of.set.folder, LOCK)
    held = { of, outDir: settings.outDir, file, lock: identityOf(file), scope: own }
    return of
  })

  const commit = Effect.fnUntraced(function* (result: RunResult, cycle: number) {
    if (result.settings === undefined) return
    pending = true
    const { commit, set } = yield* custody(result.settings)
    if (isBuildable(result)) {
      const committed = yield* commit(artifactsOf(set, result.compiled, result.diagnostics), { overwrite: false })
      complained = undefined
      if (committed.written.length + committed.removed.length > 0) yield* emit({ _tag: "Written", cycle, committed })
    }
    pending = false
  })

  const complain = Effect.fnUntraced(function* (message: string, cycle: number) {
    if (message === complained) return
    complained = message
    yield* emit({ _tag: "Unwritten", cycle, message })
  })

  return {
    /** Whether a result waits for a disk or an owner that refuses. */
    isPending: () => pending,
    write: (result: RunResult, cycle: number) =>
      commit(result, cycle).pipe(
        Effect.catchTags({
          OutputConflict: ({ conflicts }) => {
            pending = false
            return emit({ _tag: "Refused", cycle, conflicts })
          },
          OutputUnwritable: ({ message }) => complain(message, cycle)
        }),
        Effect.catchTag("OutputBusy", (busy) => (cycle === 1 ? Effect.fail(busy) : complain(busy.message, cycle))),
        Effect.uninterruptible
      )
  }
})
