/**
 * The I/O worker's entry, a file of its own: it blocks in one native wait, so that the program never does.
 *
 * It loads the library again for itself, says `Started`, runs the loop, unloads, and says `Ended` last. Every failure becomes that
 * last word; no descriptor is closed here, since they are the program's.
 */
import { makeControl } from "./control.ts"
import { loadShim } from "./host.ts"
import { runLoop } from "./io-loop.ts"
import type { WorkerEnd, WorkerEvent, WorkerStart } from "./protocol.ts"

declare const self: {
  onmessage: ((message: { readonly data: WorkerStart }) => void) | null
  readonly postMessage: (event: WorkerEvent, transfer?: ReadonlyArray<ArrayBuffer>) => void
}

const post = (event: WorkerEvent): void =>
  event._tag === "Chunk" ? self.postMessage(event, [event.bytes.buffer]) : self.postMessage(event)

const serve = ({ library, memory, ...start }: WorkerStart): WorkerEnd => {
  const loading = loadShim(library)
  if (loading._tag !== "Loaded") return { _tag: "WorkerFailed", detail: `the native library: ${loading._tag}` }
  const { shim } = loading
  try {
    post({ _tag: "Started" })
    return runLoop({ ...start, shim, control: makeControl(memory), post, now: () => performance.now() })
  } catch (error) {
    return { _tag: "WorkerFailed", detail: String(error) }
  } finally {
    shim.unload()
  }
}

self.onmessage = ({ data }) => {
  self.onmessage = null
  post({ _tag: "Ended", end: serve(data) })
}
