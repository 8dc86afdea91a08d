/**
 * Whether edits come faster than anyone reads what is said of them: a paste by a macro, a formatter, a test.
 *
 * Guarantees: an edit that follows others at the pace of a person's typing waits for nothing; of a burst, its first edit is analysed at
 * once, its last within a pause, and something of it at least every `holdBack`.
 */
import { Clock, Duration, Effect } from "effect"
import { LIMITS } from "../limits.ts"

export interface Burst {
  /** Takes note of an edit, in the clock's milliseconds. */
  readonly edited: (now: number) => void
  /** How long to wait for further edits; zero outside of a burst. */
  readonly pause: (now: number, toldAt: number) => Duration.Duration
}

export const makeBurst = (): Burst => {
  let last = Number.NEGATIVE_INFINITY
  let isBurst = false
  return {
    edited: (now) => {
      isBurst = now - last < Duration.toMillis(isBurst ? LIMITS.burstPause : LIMITS.burst)
      last = now
    },
    pause: (now, toldAt) => {
      const quiet = last + Duration.toMillis(LIMITS.burstPause)
      const patience = toldAt + Duration.toMillis(LIMITS.holdBack)
      return Duration.millis(isBurst ? Math.max(0, Math.min(quiet, patience) - now) : 0)
    }
  }
}

/** Waits until a burst pauses. */
export const pauseOf = Effect.fnUntraced(function* (burst: Burst, toldAt: number) {
  while (true) {
    const pause = burst.pause(yield* Clock.currentTimeMillis, toldAt)
    if (Duration.isZero(pause)) return
    yield* Effect.sleep(pause)
  }
})
