/**
 * When a session looks at the disk without a hint, and when it no longer relies on hints (Spec 0018 §4, §5).
 *
 * Guarantees: looks without a hint take a bounded share of the time, whatever the size of the project; every input is looked at
 * again and again, also where a hint was lost; once hints are known to be incomplete, everything is polled, and that is told once.
 */
import { Duration } from "effect"
import { LIMITS } from "../limits.ts"

/** One look at the disk. */
export interface Looked {
  /** Whether all inputs were compared, those of dependencies too. */
  readonly everywhere: boolean
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
  /** How long after one look at all inputs the next is due. */
  readonly pause: () => Duration.Duration
  /** What the reader has to know and was not told yet. */
  readonly notice: () => string | undefined
}

const RAISE: Readonly<Record<string, string>> = {
  EMFILE: "fs.inotify.max_user_instances",
  ENFILE: "fs.file-max"
}

const pausing = (least: Duration.Duration, share: number, took: number): number =>
  Math.max(Duration.toMillis(least), share * took)

export const makeLookout = (): Lookout => {
  let polling = false
  let untold: string | undefined
  let unannounced = 0
  let pause = Duration.toMillis(LIMITS.lookEverywhere)
  const poll = (why: string) => {
    if (polling) return
    polling = true
    pause = Duration.toMillis(LIMITS.poll)
    untold = `${why}; looking at every input at most every ${Duration.format(LIMITS.poll)} instead`
  }
  return {
    blind: (code) =>
      poll(
        `the system refuses to watch more folders (${code}), which sysctl ${RAISE[code] ?? "fs.inotify.max_user_watches"} bounds`
      ),
    looked: ({ everywhere, found, hinted, took }) => {
      if (found) unannounced = hinted ? 0 : unannounced + 1
      if (unannounced >= LIMITS.unannounced) poll("the file system does not tell of changes")
      if (polling) pause = pausing(LIMITS.poll, LIMITS.pollPause, took)
      else if (everywhere) pause = pausing(LIMITS.lookEverywhere, LIMITS.lookEverywherePause, took)
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
