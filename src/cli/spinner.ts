/** Shows on a terminal that something takes longer; nothing of it stays. */
import { Effect, FiberHandle } from "effect"
import * as host from "./host.ts"
import { Output } from "./output.ts"

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

const ERASE = "\r\u001b[K"

/** What may go on without a word. */
const PATIENCE = "200 millis"

/** One spinner on standard error; on anything but a terminal it does nothing. */
export const spinner = Effect.gen(function* () {
  const output = yield* Output
  const quiet = !host.isTerminal(2) || !output.isTerminal || host.environment("TERM") === "dumb"
  if (quiet) return { start: Effect.void, stop: Effect.void }
  const handle = yield* FiberHandle.make<void>()
  const turn = Effect.gen(function* () {
    yield* Effect.sleep(PATIENCE)
    for (let frame = 0; ; frame = (frame + 1) % FRAMES.length) {
      yield* output.errRaw(`${ERASE}${FRAMES[frame]} checking`)
      yield* Effect.sleep("100 millis")
    }
  }).pipe(Effect.onInterrupt(() => output.errRaw(ERASE)))
  return { start: Effect.asVoid(FiberHandle.run(handle, turn)), stop: FiberHandle.clear(handle) }
})
