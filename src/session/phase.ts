/** Where the time of a run goes: `--log-level debug` shows it, and the bench reads it. */
import { Duration, Effect } from "effect"

/** Runs a phase of a run and logs at debug level how long it took, in milliseconds. */
export const phase = (name: string) =>
  Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
    const [duration, value] = yield* Effect.timed(effect)
    yield* Effect.logDebug(`phase ${name} ${Duration.toMillis(duration).toFixed(0)} ms`)
    return value
  })
