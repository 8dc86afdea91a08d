/**
 * The memory that program and I/O worker share: a few cells and the bytes that wait for the client.
 *
 * One writer for each cell: `stop`, `taken`, `client`, `queued` are the program's, `written` the worker's. Who waits for the
 * other's counter sets `awaited` or `paused`, then looks again; the other moves its counter, then clears that cell. Counters run modulo 2^32. The bytes of the queue are written before `queued`
 * and read before `written`, and atomic operations order both.
 * Waking the worker after a change is the program's duty.
 */
import { LIMITS } from "./limits.ts"

const Cell = { stop: 0, taken: 1, client: 2, queued: 3, written: 4, awaited: 5, paused: 6 } as const
const CELL_BYTES = 64

/** What the worker shall do: go on; write what is queued and end; end at once. */
export const Stop = { goOn: 0, finish: 1, now: 2 } as const

export interface Control {
  readonly memory: SharedArrayBuffer
  readonly stop: () => number
  /** Never takes back: a later stage stays. */
  readonly setStop: (stage: number) => void
  readonly client: () => number
  readonly setClient: (descriptor: number) => void
  /** How many of `posted` chunks the program has not taken yet. */
  readonly untaken: (posted: number) => number
  /** Asks to be woken when a chunk is taken. */
  readonly awaitTaking: () => void
  /** Tells that one chunk was taken. Returns whether the worker is to be woken for it. */
  readonly take: () => boolean
  /** How many bytes wait for the client. */
  readonly pending: () => number
  /** The bytes at the head of the queue, at most one write, as a view. */
  readonly head: () => Uint8Array
  /** Drops bytes at the head. Returns whether the program awaits progress. */
  readonly written: (count: number) => boolean
  /** Asks for a word at the next progress. */
  readonly awaitProgress: () => void
  /** Puts as many bytes as there is room for and returns how many. */
  readonly put: (bytes: Uint8Array) => number
  /** Places in the stream of all bytes ever put and written; their difference is what is pending. */
  readonly position: () => { readonly queued: number; readonly written: number }
}

/** @param memory of the other thread; new unless given */
export const makeControl = (memory = new SharedArrayBuffer(CELL_BYTES + LIMITS.outboundBytes)): Control => {
  const cells = new Int32Array(memory, 0, CELL_BYTES / 4)
  const ring = new Uint8Array(memory, CELL_BYTES)
  const size = ring.length
  const load = (cell: number): number => Atomics.load(cells, cell)
  const pending = (): number => (load(Cell.queued) - load(Cell.written)) >>> 0
  return {
    memory,
    stop: () => load(Cell.stop),
    setStop: (stage) => {
      if (load(Cell.stop) < stage) Atomics.store(cells, Cell.stop, stage)
    },
    // Stored plus one, so that memory of zeros means no client.
    client: () => load(Cell.client) - 1,
    setClient: (descriptor) => {
      Atomics.store(cells, Cell.client, descriptor + 1)
    },
    untaken: (posted) => (posted - load(Cell.taken)) | 0,
    awaitTaking: () => {
      Atomics.store(cells, Cell.paused, 1)
    },
    take: () => {
      Atomics.add(cells, Cell.taken, 1)
      return Atomics.exchange(cells, Cell.paused, 0) === 1
    },
    pending,
    head: () => {
      const start = (load(Cell.written) >>> 0) % size
      return ring.subarray(start, start + Math.min(pending(), size - start, LIMITS.transferBytes))
    },
    written: (count) => {
      Atomics.add(cells, Cell.written, count)
      return Atomics.exchange(cells, Cell.awaited, 0) === 1
    },
    awaitProgress: () => {
      Atomics.store(cells, Cell.awaited, 1)
    },
    put: (bytes) => {
      const count = Math.min(bytes.length, size - pending())
      const start = (load(Cell.queued) >>> 0) % size
      const first = Math.min(count, size - start)
      ring.set(bytes.subarray(0, first), start)
      ring.set(bytes.subarray(first, count), 0)
      Atomics.add(cells, Cell.queued, count)
      return count
    },
    position: () => ({ queued: load(Cell.queued), written: load(Cell.written) })
  }
}
