/** The worker's loop against a native part that answers as told: what is rare, and what must not make it spin. */
import { expect, it } from "vitest"
import { Found } from "../../src/stdio/abi.ts"
import { makeControl, Stop } from "../../src/stdio/control.ts"
import { errno, type Shim } from "../../src/stdio/host.ts"
import { runLoop } from "../../src/stdio/io-loop.ts"
import { LIMITS } from "../../src/stdio/limits.ts"
import type { WorkerEnd, WorkerEvent } from "../../src/stdio/protocol.ts"

const [INPUT, WRITER, WAKE, CLIENT] = [10, 11, 12, 13]

interface Wait {
  readonly input: number
  readonly client: number
  readonly output: number
  readonly milliseconds: number
}

interface Script {
  /** The results of the waits, in turn; when they run out, the loop is told to end at once. */
  readonly waits: ReadonlyArray<number>
  readonly reads?: ReadonlyArray<number>
  readonly writes?: ReadonlyArray<number>
  /** Bytes that wait for the client from the start. */
  readonly pending?: number
  /** What the clock moves in each wait. */
  readonly step?: number
}

const play = (script: Script): { end: WorkerEnd; events: Array<WorkerEvent>; waits: Array<Wait>; read: number } => {
  const control = makeControl()
  const waits: Array<Wait> = []
  const events: Array<WorkerEvent> = []
  const reads = [...(script.reads ?? [])]
  const writes = [...(script.writes ?? [])]
  let time = 0
  let read = 0
  control.setClient(CLIENT)
  control.put(new Uint8Array(script.pending ?? 0))
  const shim: Shim = {
    kind: () => 2,
    wait: (input, _wake, client, output, milliseconds) => {
      waits.push({ input, client, output, milliseconds })
      time += script.step ?? 0
      const result = script.waits[waits.length - 1]
      if (result === undefined) control.setStop(Stop.now)
      return result ?? Found.Woken
    },
    read: () => {
      read++
      return reads.shift() ?? -errno.EAGAIN
    },
    write: () => writes.shift() ?? -errno.EAGAIN,
    writerOpen: () => WRITER,
    clientOpen: () => CLIENT,
    wakeOpen: () => WAKE,
    wakeSignal: () => 0,
    wakeDrain: () => 0,
    close: () => 0,
    unload: () => {}
  }
  const end = runLoop({
    shim,
    control,
    input: INPUT,
    writer: WRITER,
    wake: WAKE,
    stallMilliseconds: 2_000,
    post: (event) => events.push(event),
    now: () => time
  })
  return { end, events, waits, read }
}

it("waits for ever, and for no output, while nothing is pending", () => {
  const { waits } = play({ waits: [] })
  expect(waits).toEqual([{ input: INPUT, client: CLIENT, output: -1, milliseconds: -1 }])
})

it("waits again after a signal, with the time that is left", () => {
  const { end, waits } = play({ waits: [-errno.EINTR, -errno.EINTR], pending: 1, step: 300 })
  expect(end).toEqual({ _tag: "Finished" })
  expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([2_000, 1_700, 1_400])
})

it("ends when it cannot wait", () => {
  expect(play({ waits: [-errno.EBADF] }).end).toEqual({ _tag: "SystemCall", call: "poll", error: "EBADF" })
})

it("tries a terminal that is ready and takes nothing again after a pause, without spinning", () => {
  const ready = Found.OutputReady
  const { waits } = play({ waits: [ready, 0, ready, 0], writes: [-errno.EAGAIN, 0], pending: 5 })
  expect(waits.map(({ output }) => output)).toEqual([WRITER, -1, WRITER, -1, WRITER])
  expect(waits[1]?.milliseconds).toBe(LIMITS.retryMilliseconds)
})

it("is stalled when nothing moves for the stall time, though the descriptor says it is ready", () => {
  const { end } = play({ waits: Array(50).fill(Found.OutputReady), pending: 5, step: 100 })
  expect(end).toEqual({ _tag: "OutputStalled", milliseconds: 2_000 })
})

it("is not stalled at the last millisecond, nor while bytes move", () => {
  expect(play({ waits: [0], pending: 5, step: 1_999 }).end).toEqual({ _tag: "Finished" })
  expect(play({ waits: [0], pending: 5, step: 2_000 }).end).toEqual({ _tag: "OutputStalled", milliseconds: 2_000 })
  const moving = play({ waits: Array(9).fill(Found.OutputReady), writes: Array(9).fill(1), pending: 100, step: 1_500 })
  expect(moving.end).toEqual({ _tag: "Finished" })
})

for (const name of ["EPIPE", "ECONNRESET", "EIO"] as const) {
  it(`takes ${name} on writing for a reader that is gone`, () => {
    const { end } = play({ waits: [Found.OutputHangup], writes: [-errno[name]], pending: 5 })
    expect(end).toEqual({ _tag: "OutputClosed" })
  })
}

it("names another failure to write", () => {
  const { end } = play({ waits: [Found.OutputReady], writes: [-errno.ENOSPC], pending: 5 })
  expect(end).toEqual({ _tag: "SystemCall", call: "write", error: "ENOSPC" })
})

it("hands over what was sent before a hang-up, tells it once, and reads no more", () => {
  const waits = [Found.InputReady | Found.InputHangup, Found.InputHangup, Found.ClientGone]
  const { events, waits: seen } = play({ waits, reads: [3, -errno.EIO] })
  expect(events.map((event) => (event._tag === "InputEnded" ? event.end : event._tag))).toEqual([
    "Chunk",
    "HangUp",
    "ClientGone"
  ])
  expect(seen.map(({ input }) => input)).toEqual([INPUT, INPUT, -1, -1])
  expect(seen.map(({ client }) => client)).toEqual([CLIENT, CLIENT, CLIENT, -1])
})

it("goes on writing after the input has ended or failed", () => {
  const failed = play({ waits: [Found.InputReady, Found.OutputReady], reads: [-errno.EISDIR], writes: [5], pending: 5 })
  expect(failed.events).toEqual([{ _tag: "InputFailed", error: "EISDIR" }])
  expect(failed.waits.at(-1)).toEqual({ input: -1, client: CLIENT, output: -1, milliseconds: -1 })
})

it("takes a false alarm for nothing", () => {
  const { events, read } = play({ waits: [Found.InputReady, Found.InputReady], reads: [-errno.EAGAIN, -errno.EINTR] })
  expect(events).toEqual([])
  expect(read).toBe(2)
})

it("reads as many chunks as may wait, and not one more", () => {
  const full = play({
    waits: [...Array(LIMITS.inboundChunks).fill(Found.InputReady), 0],
    reads: Array(LIMITS.inboundChunks).fill(1)
  })
  expect(full.events).toHaveLength(LIMITS.inboundChunks)
  expect(full.waits.map(({ input }) => input)).toEqual([...Array(LIMITS.inboundChunks).fill(INPUT), -1, -1])
})
