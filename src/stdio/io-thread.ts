/**
 * The I/O worker seen from the program: starts it, hands its events to a listener, and ends it.
 *
 * The listener is called on the event loop, in order, and after `Ended` never again. A worker that fails outside its own code
 * ends with `WorkerFailed`.
 */
import { Effect } from "effect"
import type { WorkerEvent, WorkerStart } from "./protocol.ts"

export interface IoThread {
  /** Succeeds once the thread is gone; asks it to go when it has said its last word. */
  readonly join: Effect.Effect<void>
}

/** @param startThread starts a thread that `make` makes */
export const startIoThread = (
  worker: string | URL,
  start: WorkerStart,
  listen: (event: WorkerEvent) => void,
  startThread: (make: () => Worker) => Worker = (make) => make()
): IoThread => {
  const thread = startThread(() => new Worker(worker, { name: "stdio" }))
  let over = false
  let gone = false
  const waiting = new Set<() => void>()
  const tell = (event: WorkerEvent): void => {
    if (over) return
    over = event._tag === "Ended"
    listen(event)
  }
  thread.onmessage = ({ data }: MessageEvent<WorkerEvent>) => tell(data)
  thread.onerror = ({ message }) => tell({ _tag: "Ended", end: { _tag: "WorkerFailed", detail: message } })
  thread.addEventListener("close", () => {
    gone = true
    tell({ _tag: "Ended", end: { _tag: "WorkerFailed", detail: "its thread ended" } })
    for (const resume of waiting) resume()
  })
  thread.postMessage(start)
  return {
    join: Effect.callback((resume) => {
      const done = () => resume(Effect.void)
      if (gone) return done()
      waiting.add(done)
      thread.terminate()
      return Effect.sync(() => waiting.delete(done))
    })
  }
}
