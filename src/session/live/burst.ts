/**
 * Whether edits come faster than anyone reads what is said of them: a paste by a macro, a formatter, a test.
 *
 * Guarantees: edits at the pace of a person's typing, or of a key that is held, wait for nothing; of a burst, its first edit is analysed
 * at once, its last within a pause, and something of it at least every `holdBack`. What is no burst any more is none at its next edit,
 * whatever was before: edits that are steady and only came late together, once, go on being analysed one by one.
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
  /** When the last edits came, oldest first: as many as a burst needs. */
  const recent: Array<number> = []
  return {
    edited: (now) => {
      recent.push(now)
      if (recent.length > LIMITS.burst.edits) recent.shift()
    },
    pause: (now, toldAt) => {
      const [first = 0] = recent
      const last = recent.at(-1) ?? 0
      const isBurst = recent.length === LIMITS.burst.edits && last - first < Duration.toMillis(LIMITS.burst.within)
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
