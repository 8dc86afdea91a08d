/**
 * Whether edits come faster than anyone reads what is said of them: a paste by a macro, a formatter, a test.
 *
 * Guarantees: edits at the pace of a person's typing wait for nothing; of a burst, its first edits are analysed at once, its last within a
 * pause, and something of it at least every `holdBack`. A burst ends with its pace and not only with a pause: edits that are steady and
 * came late together, once, go on being analysed one by one.
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
  let isBurst = false
  let quiet = 0
  return {
    edited: (now) => {
      recent.push(now)
      if (recent.length > LIMITS.burst.edits) recent.shift()
      const [first = now] = recent
      isBurst = recent.length === LIMITS.burst.edits && now - first < Duration.toMillis(LIMITS.burst.within)
      quiet = now + Duration.toMillis(LIMITS.burst.pause)
    },
    pause: (now, toldAt) => {
      const patience = toldAt + Duration.toMillis(LIMITS.holdBack)
      // A clock that is set back makes no pause longer.
      const pause = Math.min(quiet - now, patience - now, Duration.toMillis(LIMITS.burst.pause))
      return Duration.millis(isBurst ? Math.max(0, pause) : 0)
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
