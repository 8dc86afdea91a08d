/**
 * The worker's one loop: waits for input, output, wake-up and client together, moves bytes, and tells what happened.
 *
 * Guarantees: no timer and no work while nothing happens; at most `LIMITS.inboundChunks` chunks that nobody took; every read
 * follows readiness and every write is non-blocking; it ends when it is told to, when nobody takes output for the stall time, or
 * when output is gone. The end of the input does not end it: answers may still be due. Told to finish, it reads no more.
 */
import { Found } from "./abi.ts"
import type { Control } from "./control.ts"
import { Stop } from "./control.ts"
import { errno, errnoName, type Shim } from "./host.ts"
import { LIMITS } from "./limits.ts"
import type { InputEnd, WorkerEnd, WorkerEvent, WorkerStart } from "./protocol.ts"

export interface Loop extends Omit<WorkerStart, "library" | "memory"> {
  readonly shim: Shim
  readonly control: Control
  readonly post: (event: WorkerEvent) => void
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
}

/** What tells of a writer that its reader is gone. */
const OUTPUT_GONE: ReadonlyArray<number> = [-errno.EPIPE, -errno.ECONNRESET, -errno.EIO]
/** What tells of an input that its writer is gone: a terminal without master, a socket whose peer died. */
const INPUT_GONE: ReadonlyArray<number> = [-errno.EIO, -errno.ECONNRESET]
/** No failure: nothing was there after all, or a signal came first. */
const AGAIN: ReadonlyArray<number> = [-errno.EAGAIN, -errno.EINTR]

const systemCall = (call: string, result: number): WorkerEnd => ({
  _tag: "SystemCall",
  call,
  error: errnoName(result)
})

/** What a read told: bytes, an end, a failure, or nothing. */
const inputEvent = (result: number, buffer: Uint8Array<ArrayBuffer>): WorkerEvent | undefined => {
  if (result > 0) return { _tag: "Chunk", bytes: buffer.slice(0, result) }
  if (AGAIN.includes(result)) return undefined
  const end: InputEnd | undefined = result === 0 ? "EndOfInput" : INPUT_GONE.includes(result) ? "HangUp" : undefined
  return end === undefined ? { _tag: "InputFailed", error: errnoName(result) } : { _tag: "InputEnded", end }
}

/** Runs until it ends and returns why; its caller tells. */
export const runLoop = (loop: Loop): WorkerEnd => {
  const { control, post, shim, stallMilliseconds } = loop
  const buffer = new Uint8Array(LIMITS.transferBytes)
  let reading = true
  let posted = 0
  const isFull = (): boolean => control.untaken(posted) >= LIMITS.inboundChunks
  let clientGone = false
  let resting = false
  /** When what is pending must have moved; undefined while nothing is. */
  let moveBy: number | undefined
  /** When a close must be done. */
  let finishBy = Number.POSITIVE_INFINITY

  for (;;) {
    const stop = control.stop()
    const pending = control.pending()
    if (stop === Stop.now || (stop === Stop.finish && pending === 0)) return { _tag: "Finished" }
    const now = loop.now()
    moveBy = pending === 0 ? undefined : (moveBy ?? now + stallMilliseconds)
    if (stop === Stop.finish) finishBy = Math.min(finishBy, now + stallMilliseconds)
    const left = moveBy === undefined ? -1 : Math.ceil(Math.min(moveBy, finishBy) - now)
    if (pending > 0 && left <= 0) return { _tag: "OutputStalled", milliseconds: stallMilliseconds }

    if (isFull()) control.awaitTaking()
    const found = shim.wait(
      reading && stop === Stop.goOn && !isFull() ? loop.input : -1,
      loop.wake,
      clientGone ? -1 : control.client(),
      pending > 0 && !resting ? loop.writer : -1,
      resting ? Math.min(left, LIMITS.retryMilliseconds) : left
    )
    resting = false
    if (found < 0) {
      if (found === -errno.EINTR) continue
      return systemCall("poll", found)
    }
    if (found & Found.Woken) shim.wakeDrain(loop.wake)
    if (found & Found.ClientGone) {
      clientGone = true
      post({ _tag: "ClientGone" })
    }
    if (found & (Found.OutputReady | Found.OutputHangup)) {
      const written = shim.write(loop.writer, control.head())
      if (written > 0) {
        moveBy = undefined
        if (control.written(written)) post({ _tag: "Progress" })
      } else if (OUTPUT_GONE.includes(written)) return { _tag: "OutputClosed" }
      else if (written === 0 || AGAIN.includes(written)) resting = true
      else return systemCall("write", written)
    }
    if (found & (Found.InputReady | Found.InputHangup)) {
      const event = inputEvent(shim.read(loop.input, buffer), buffer)
      if (event === undefined) continue
      if (event._tag === "Chunk") posted = (posted + 1) | 0
      else reading = false
      post(event)
    }
  }
}
