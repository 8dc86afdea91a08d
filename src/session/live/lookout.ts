/**
 * When a session no longer relies on hints, and how often it looks at the disk then (Spec 0018 §4, §5).
 *
 * Guarantees: once hints are known to be incomplete, everything is polled, and that is told once; polling takes a bounded share of the
 * time, whatever the size of the project.
 */
import { Duration } from "effect"
import { LIMITS } from "../limits.ts"

/** One look at the disk. */
export interface Looked {
  /** Whether something hinted at it since the last one. */
  readonly hinted: boolean
  /** Whether it found a reason to analyse again. */
  readonly found: boolean
  /** In milliseconds. */
  readonly took: number
}

export interface Lookout {
  /** Takes note of a folder that cannot be watched, by the error's code. */
  readonly blind: (code: string) => void
  readonly looked: (look: Looked) => void
  /** Whether hints are not to be relied on, so that each look has to compare all inputs. */
  readonly everywhere: () => boolean
  /** How long after one look the next is due while polling. */
  readonly pause: () => Duration.Duration
  /** What the reader has to know and was not told yet. */
  readonly notice: () => string | undefined
}

/** What bounds it, by the error's code. */
const RAISE: Readonly<Record<string, string>> = {
  EMFILE: "sysctl fs.inotify.max_user_instances",
  ENFILE: "sysctl fs.file-max",
  NOFILE: "ulimit -n"
}

export const makeLookout = (): Lookout => {
  let polling = false
  let untold: string | undefined
  let unannounced = 0
  let pause = Duration.toMillis(LIMITS.poll)
  const poll = (why: string) => {
    if (polling) return
    polling = true
    untold = `${why}; looking at every input at most every ${Duration.format(LIMITS.poll)} instead`
  }
  return {
    blind: (code) =>
      poll(
        `the system refuses to watch more folders (${code}), which ${RAISE[code] ?? "sysctl fs.inotify.max_user_watches"} bounds`
      ),
    looked: ({ found, hinted, took }) => {
      if (found) unannounced = hinted ? 0 : unannounced + 1
      if (unannounced >= LIMITS.unannounced) poll("the file system does not tell of changes")
      if (polling) pause = Math.max(Duration.toMillis(LIMITS.poll), LIMITS.pollPause * took)
    },
    everywhere: () => polling || unannounced > 0,
    pause: () => Duration.millis(pause),
    notice: () => {
      const told = untold
      untold = undefined
      return told
    }
  }
}
