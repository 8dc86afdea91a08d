/**
 * Looks at paths every few seconds where no hint need come, in a thread of its own: a runtime collects garbage after every turn of
 * an event loop, which costs a small heap next to nothing and that of a session more than the looks themselves. So a session in which
 * nothing happens does nothing.
 *
 * Guarantees: its word is a hint and never taken for a fact; it gives one whenever something differs from the look before, one after
 * the first look at other paths, since it cannot say what happened until then, and one when the process did not run for a while; its
 * looks take a bounded share of the time; the thread ends with the scope.
 */
import { Deferred, Duration, Effect } from "effect"
import { LIMITS } from "../limits.ts"

export interface SentinelListener {
  /** @param everywhere whether hints may have been lost */
  readonly onHint: (everywhere: boolean) => void
}

export interface Sentinel {
  /**
   * Looks at exactly these paths from now on.
   *
   * @param whole paths whose content or entries matter
   * @param names paths of which only matters what they lead to: everybody may write to such a folder
   */
  readonly cover: (whole: ReadonlyArray<string>, names: ReadonlyArray<string>) => void
}

/** What the thread is sent: the paths, the whole ones first, or how often to look. */
type Order =
  | { readonly paths: ReadonlyArray<string>; readonly whole: number }
  | { readonly pause: number; readonly share: number }

/** The thread's whole program: it is sent as text, so it names nothing from outside itself. */
const program = (): void => {
  const { lstatSync, statSync } = process.getBuiltinModule("node:fs")
  let paths: ReadonlyArray<string> = []
  let whole = 0
  let seen: ReadonlyArray<string> | undefined
  let timer: Timer | undefined
  let [pause, share] = [1000, 1]

  const witness = (look: typeof statSync, path: string, isWhole: boolean): string => {
    try {
      const stats = look(path, { throwIfNoEntry: false })
      if (stats === undefined) return ""
      const place = `${stats.dev}:${stats.ino}:${stats.mode}`
      return isWhole ? `${place}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}` : place
    } catch (error) {
      return String(error)
    }
  }
  const look = (due: number): void => {
    const began = Date.now()
    const now = paths.map(
      (path, at) => `${witness(lstatSync, path, at < whole)} ${witness(statSync, path, at < whole)}`
    )
    if (began > due + pause) postMessage(true)
    else if (seen === undefined || seen.some((before, at) => before !== now[at])) postMessage(false)
    seen = now
    const wait = Math.max(pause, (Date.now() - began) * share)
    timer = setTimeout(look, wait, Date.now() + wait)
  }
  addEventListener("message", ({ data }: MessageEvent<Order>) => {
    if ("share" in data) {
      ;({ pause, share } = data)
      return
    }
    ;({ paths, whole } = data)
    seen = undefined
    clearTimeout(timer)
    look(Date.now())
  })
}

/** Starts the thread, which looks at nothing yet. */
export const makeSentinel = ({ onHint }: SentinelListener) =>
  Effect.gen(function* () {
    const url = yield* Effect.acquireRelease(
      Effect.sync(() => URL.createObjectURL(new Blob([`(${program})()`], { type: "text/javascript" }))),
      (url) => Effect.sync(() => URL.revokeObjectURL(url))
    )
    const ended = yield* Deferred.make<void>()
    const thread = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const thread = new Worker(url, { smol: true, name: "sentinel" })
        thread.addEventListener("close", () => Deferred.doneUnsafe(ended, Effect.void))
        return thread
      }),
      (thread) =>
        Effect.sync(() => thread.terminate()).pipe(
          Effect.andThen(Deferred.await(ended)),
          Effect.timeoutOption(LIMITS.sentinelEnd)
        )
    )
    thread.onmessage = ({ data }: MessageEvent<boolean>) => onHint(data)
    thread.postMessage({ pause: Duration.toMillis(LIMITS.lookAround), share: LIMITS.lookAroundPause } satisfies Order)
    let covered: { readonly paths: ReadonlyArray<string>; readonly whole: number } = { paths: [], whole: 0 }
    const sentinel: Sentinel = {
      cover: (whole, names) => {
        const paths = [...whole, ...names]
        const same = paths.length === covered.paths.length && whole.length === covered.whole
        if (same && paths.every((path, at) => path === covered.paths[at])) return
        covered = { paths, whole: whole.length }
        thread.postMessage(covered satisfies Order)
      }
    }
    return sentinel
  })
