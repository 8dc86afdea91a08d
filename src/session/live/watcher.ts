/**
 * Watches folders, one by one, for hints that something changed.
 *
 * Guarantees: a hint is never taken for a fact, and the lack of one proves nothing: the session compares its ledger. Watches are
 * released with the scope. A folder that was replaced is watched anew at the next `cover`; one that cannot be watched, for the
 * kernel's limit or any other reason, is told once as `blind`. Watches never take the last files that the process may open.
 */
import { Effect, FiberHandle } from "effect"
import { filesLeft, filesOfWatch, identityOf, watchFolder } from "../host.ts"
import { LIMITS } from "../limits.ts"

export interface WatcherListener {
  /** @param folder where something may have changed; undefined when it can be anywhere */
  readonly onHint: (folder?: string) => void
  /** Whatever happened before a watch had begun has happened by now. */
  readonly onBegun: () => void
  /** Some folder cannot be watched: hints are incomplete from now on. */
  readonly onBlind: (code: string) => void
}

export interface Watcher {
  /**
   * Watches exactly these folders; those that do not exist are left to whoever asks for their parents.
   *
   * @returns whether a folder is watched that was not before, so that something may have happened unseen
   */
  readonly cover: (folders: ReadonlySet<string>) => Effect.Effect<boolean>
  /** Whether a watch may not have begun to hint: Bun starts it in a thread. */
  readonly isBeginning: () => boolean
  /** How many folders are watched. */
  readonly size: () => number
}

interface Watch {
  readonly identity: string | undefined
  readonly stop: () => void
}

/**
 * Codes of a folder that is not there, which its parent tells of, or not to be read, which looking at it tells of. Bun opens what lies
 * in a folder that it watches, and stops with ENXIO where that is a socket: the sentinel's looks have to do.
 */
const UNWATCHED = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENXIO"])

export const makeWatcher = Effect.fnUntraced(function* ({ onBegun, onBlind, onHint }: WatcherListener) {
  const watches = new Map<string, Watch>()
  let isBeginning = false
  const beginning = yield* FiberHandle.make<void>()
  const begin = Effect.suspend(() => {
    isBeginning = true
    const begun = Effect.sync(() => {
      isBeginning = false
      onBegun()
    })
    return FiberHandle.run(beginning, Effect.andThen(Effect.sleep(LIMITS.watchStart), begun))
  })
  const stopAll = Effect.sync(() => {
    for (const { stop } of watches.values()) stop()
    watches.clear()
  })
  yield* Effect.addFinalizer(() => stopAll)
  /** @returns how many files that takes, of those that are left */
  const start = (folder: string, left: number): number => {
    const identity = identityOf(folder)
    const files = filesOfWatch(folder)
    if (files > left) {
      onBlind("NOFILE")
      return 0
    }
    const watch = watchFolder(folder, {
      // Its name is no help: of a rename over another entry, Bun names the one that is gone.
      onHint: (name) => onHint(name === null ? undefined : folder),
      onFailure: (code) => {
        watches.get(folder)?.stop()
        watches.delete(folder)
        onHint()
        if (!UNWATCHED.has(code)) onBlind(code)
      }
    })
    if (typeof watch === "string") {
      if (!UNWATCHED.has(watch) && identity !== undefined) onBlind(watch)
      return 0
    }
    watches.set(folder, { identity, stop: watch })
    return files
  }
  const watcher: Watcher = {
    cover: Effect.fnUntraced(function* (folders) {
      for (const [folder, { identity, stop }] of watches) {
        if (folders.has(folder) && identityOf(folder) === identity) continue
        stop()
        watches.delete(folder)
      }
      const added = Array.from(folders).filter((folder) => !watches.has(folder))
      let left = added.length > 0 ? filesLeft() - LIMITS.spareFiles : 0
      for (const folder of added) left -= start(folder, left)
      const isWatching = added.some((folder) => watches.has(folder))
      if (isWatching) yield* begin
      return isWatching
    }),
    isBeginning: () => isBeginning,
    size: () => watches.size
  }
  return watcher
})
