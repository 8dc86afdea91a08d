/** Where the time of a run goes: `--log-level debug` shows it, and the bench reads it. */
import { Duration, Effect } from "effect"

/** Runs a phase of a run and logs at debug level how long it took, in milliseconds. */
export const phase = (name: string) =>
  Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
    const [duration, value] = yield* Effect.timed(effect)
    const milliseconds = Duration.toMillis(duration)
    yield* Effect.logDebug(`phase ${name} ${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`)
    return value
  })
