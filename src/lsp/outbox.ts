/**
 * What waits for the client: responses and logs in order, and of each document the latest diagnostics.
 *
 * Guarantees: one writer; diagnostics of a document that are not yet sent are replaced, in their place, and are asked what they say
 * only when it is their turn; `room` holds back whoever makes more while there is too much; a writer that fails is told once.
 */
import { Deferred, Effect, Latch } from "effect"
import { encodeFrame } from "./framing.ts"
import { LIMITS } from "./limits.ts"

export interface Outbox {
  /** Queues a message; `sent` is called once it is handed to the transport. */
  readonly send: (message: object, sent?: () => void) => void
  /**
   * Queues the diagnostics of a document in place of those that wait.
   *
   * @param make the message as it is when its turn comes; undefined when there is nothing to say any more
   */
  readonly publish: (uri: string, make: () => object | undefined) => void
  /** Succeeds when there is room for what handling one more message can make. */
  readonly room: Effect.Effect<void>
  /** Succeeds when everything has been handed to the transport. */
  readonly drained: Effect.Effect<void>
}

interface Entry {
  readonly make: () => Uint8Array | undefined
  /** Of a message that is encoded already; 0 for diagnostics. */
  readonly bytes: number
  readonly sent?: (() => void) | undefined
}

/**
 * @param write takes one frame; fails when the transport is over
 */
export const makeOutbox = Effect.fnUntraced(function* <E>(write: (frame: Uint8Array) => Effect.Effect<void, E>) {
  const entries = new Map<string | number, Entry>()
  const totals = { messages: 0, bytes: 0, documents: 0 }
  let number = 0
  let writing = false
  const filled = yield* Latch.make(false)
  const roomy = yield* Latch.make(true)
  const empty = yield* Latch.make(true)
  const failed = yield* Deferred.make<never, E>()

  const isFull = (): boolean =>
    totals.messages >= LIMITS.outboundMessages ||
    totals.bytes >= LIMITS.outboundBytes ||
    totals.documents >= LIMITS.outboundDocuments
  const settle = (): void => {
    if (isFull()) roomy.closeUnsafe()
    else roomy.openUnsafe()
    if (entries.size > 0) filled.openUnsafe()
    else filled.closeUnsafe()
    if (entries.size > 0 || writing) empty.closeUnsafe()
    else empty.openUnsafe()
  }
  const count = (key: string | number, entry: Entry, by: 1 | -1): void => {
    if (typeof key === "string") totals.documents += by
    else totals.messages += by
    totals.bytes += by * entry.bytes
  }

  const drain = Effect.gen(function* () {
    while (true) {
      yield* filled.await
      const [first] = entries
      if (first === undefined) continue
      const [key, entry] = first
      entries.delete(key)
      const frame = entry.make()
      if (frame !== undefined) {
        writing = true
        settle()
        // It counts until it is written.
        yield* write(frame)
        writing = false
      }
      count(key, entry, -1)
      settle()
      entry.sent?.()
    }
  })
  yield* Effect.forkScoped(Effect.tapCause(drain, (cause) => Deferred.failCause(failed, cause)))

  const outbox: Outbox = {
    send: (message, sent) => {
      const frame = encodeFrame(message)
      const entry: Entry = { make: () => frame, bytes: frame.length, sent }
      entries.set(++number, entry)
      count(number, entry, 1)
      settle()
    },
    publish: (uri, make) => {
      const entry: Entry = {
        make: () => {
          const message = make()
          return message && encodeFrame(message)
        },
        bytes: 0
      }
      if (!entries.has(uri)) count(uri, entry, 1)
      entries.set(uri, entry)
      settle()
    },
    room: roomy.await,
    drained: empty.await
  }
  return { outbox, failed: Deferred.await(failed) }
})
