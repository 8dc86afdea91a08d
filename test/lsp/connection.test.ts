/** The adapter's bounds, each at its edge (Spec 0018 §5): what waits in either direction, and what happens beyond. */
import { describe, expect, it } from "@effect/vitest"
import type { StdioError } from "@effx/stdio"
import { type Cause, Deferred, Effect, Queue, Result, Stream } from "effect"
import { connect, type Incoming } from "../../src/lsp/connection.ts"
import { LIMITS } from "../../src/lsp/limits.ts"
import { makeOutbox } from "../../src/lsp/outbox.ts"
import { frame } from "./harness.ts"

const notification = (at: number, text = "") => frame({ jsonrpc: "2.0", method: "note", params: { at, text } })
const request = (id: number) => frame({ jsonrpc: "2.0", id, method: "ask" })

/** A connection whose messages nobody takes unless told to. */
const connected = Effect.gen(function* () {
  const input = yield* Queue.bounded<Uint8Array, StdioError | Cause.Done>(1)
  const incoming: Array<Incoming> = []
  const written: Array<{
    readonly id?: unknown
    readonly error?: { readonly code: number; readonly message: string }
  }> = []
  const waiting = new Set<() => void>()
  const gate = { open: yield* Deferred.make<void>() }
  yield* Deferred.succeed(gate.open, undefined)
  const tell = () => {
    for (const wake of [...waiting]) wake()
  }
  const { outbox } = yield* connect(
    {
      chunks: Stream.fromQueue(input),
      write: (bytes) =>
        Effect.andThen(
          Effect.suspend(() => Deferred.await(gate.open)),
          Effect.sync(() => {
            written.push(
              JSON.parse(
                Buffer.from(bytes)
                  .toString()
                  .replace(/^.*\r\n\r\n/, "")
              )
            )
            tell()
          })
        )
    },
    (one) => {
      incoming.push(one)
      tell()
    },
    () => {}
  )
  const until = (predicate: () => boolean): Effect.Effect<void> =>
    Effect.callback((resume) => {
      const look = () => {
        if (!predicate()) return
        waiting.delete(look)
        resume(Effect.void)
      }
      waiting.add(look)
      look()
    })
  /** Lets everything that can happen now happen. */
  const settled = Effect.promise(async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  })
  return { gate, incoming, input, outbox, settled, until, written }
})

describe("messages that are not taken", () => {
  it.live("are as many as allowed; then reading stops, until one is taken", () =>
    Effect.gen(function* () {
      const { incoming, input, settled, until } = yield* connected
      const feeding = Effect.forEach(Array.from({ length: LIMITS.inboundMessages + 3 }), (_, at) =>
        Queue.offer(input, notification(at))
      )
      yield* Effect.forkScoped(feeding)
      yield* until(() => incoming.length === LIMITS.inboundMessages)
      yield* settled
      expect(incoming).toHaveLength(LIMITS.inboundMessages)
      const [first] = incoming
      if (first?._tag === "Notification") first.taken()
      yield* until(() => incoming.length === LIMITS.inboundMessages + 1)
      yield* settled
      expect(incoming).toHaveLength(LIMITS.inboundMessages + 1)
    }).pipe(Effect.scoped)
  )

  it.live("have as many bytes as allowed; then reading stops, until there is room", () =>
    Effect.gen(function* () {
      const { incoming, input, settled, until } = yield* connected
      const empty = notification(0).length - "Content-Length: 60\r\n\r\n".length
      const half = (bytes: number) => notification(1, "x".repeat(bytes - empty))
      yield* Queue.offer(input, half(LIMITS.inboundBytes / 2))
      yield* Queue.offer(input, half(LIMITS.inboundBytes / 2))
      yield* until(() => incoming.length === 2)
      yield* Queue.offer(input, notification(2))
      yield* settled
      expect(incoming).toHaveLength(2)
      const [first] = incoming
      if (first?._tag === "Notification") first.taken()
      yield* until(() => incoming.length === 3)
    }).pipe(Effect.scoped)
  )

  it.live("come before the end of the input", () =>
    Effect.gen(function* () {
      const { incoming, input, settled, until } = yield* connected
      yield* Queue.offer(input, notification(1))
      yield* Queue.end(input)
      yield* until(() => incoming.length === 1)
      yield* settled
      expect(incoming).toHaveLength(1)
      const [first] = incoming
      if (first?._tag === "Notification") first.taken()
      yield* until(() => incoming.length === 2)
      expect(incoming[1]).toEqual({ _tag: "End", problem: undefined })
    }).pipe(Effect.scoped)
  )
})

describe("requests without a response", () => {
  it.live("are as many as allowed; one more is refused with an error, and accepted once another is answered", () =>
    Effect.gen(function* () {
      const { incoming, input, until, written } = yield* connected
      const take = () => {
        for (const one of incoming) if (one._tag !== "End") one.taken()
      }
      for (let id = 0; id <= LIMITS.outstandingRequests; id++) yield* Queue.offer(input, request(id))
      yield* until(() => written.length === 1)
      take()
      expect(incoming).toHaveLength(LIMITS.outstandingRequests)
      expect(written[0]).toMatchObject({
        id: LIMITS.outstandingRequests,
        error: { code: -32803, message: expect.stringContaining(`${LIMITS.outstandingRequests} requests`) }
      })
      const last = incoming.at(-1)
      if (last?._tag === "Request") last.answer(Result.succeed("late"))
      // Responses need not come in the order of their requests.
      yield* until(() => written.length === 2)
      expect(written[1]).toMatchObject({ id: LIMITS.outstandingRequests - 1, result: "late" })
      yield* Queue.offer(input, request(99))
      yield* until(() => incoming.length === LIMITS.outstandingRequests + 1)
    }).pipe(Effect.scoped)
  )

  it.live("are answered under their own ids, also where two have the same one", () =>
    Effect.gen(function* () {
      const { incoming, input, until, written } = yield* connected
      const ids = [7, 7, "7", "", 0, -1, 1.5]
      yield* Queue.offer(input, Buffer.concat(ids.map((id) => frame({ jsonrpc: "2.0", id, method: "ask" }))))
      yield* until(() => incoming.length === ids.length)
      for (const one of incoming) if (one._tag === "Request") one.answer(Result.succeed(null))
      yield* until(() => written.length === ids.length)
      expect(written.map(({ id }) => id)).toEqual(ids)
    }).pipe(Effect.scoped)
  )

  it.live("are cancelled by the client, before and after they are taken", () =>
    Effect.gen(function* () {
      const { incoming, input, until } = yield* connected
      const cancelled: Array<number> = []
      const cancel = (id: number) => frame({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id } })
      yield* Queue.offer(input, request(1))
      yield* until(() => incoming.length === 1)
      const [first] = incoming
      if (first?._tag === "Request") first.onCancelled(() => cancelled.push(1))
      yield* Queue.offer(input, cancel(1))
      yield* Queue.offer(input, Buffer.concat([request(2), cancel(2), request(3)]))
      yield* until(() => incoming.length === 3)
      const second = incoming[1]
      if (second?._tag === "Request") second.onCancelled(() => cancelled.push(2))
      expect(cancelled).toEqual([1, 2])
      // Cancellations take no room for longer than they are handled.
      for (const one of incoming) if (one._tag !== "End") one.taken()
      yield* Queue.end(input)
      yield* until(() => incoming.at(-1)?._tag === "End")
    }).pipe(Effect.scoped)
  )
})

describe("what waits for the client", () => {
  const outboxed = Effect.gen(function* () {
    const written: Array<string> = []
    const open = yield* Deferred.make<void>()
    const first = yield* Deferred.make<void>()
    const { failed, outbox } = yield* makeOutbox((bytes: Uint8Array) =>
      Deferred.succeed(first, undefined).pipe(
        Effect.andThen(Deferred.await(open)),
        Effect.andThen(
          Effect.sync(
            () =>
              void written.push(
                Buffer.from(bytes)
                  .toString()
                  .replace(/^.*\r\n\r\n/s, "")
              )
          )
        )
      )
    )
    const hasRoom = Effect.map(Effect.timeoutOption(outbox.room, 0), ({ _tag }) => _tag === "Some")
    return { failed, first: Deferred.await(first), hasRoom, open: Deferred.succeed(open, undefined), outbox, written }
  })

  it.live("has room for as many messages as allowed", () =>
    Effect.gen(function* () {
      const { hasRoom, open, outbox } = yield* outboxed
      for (let at = 1; at < LIMITS.outboundMessages; at++) outbox.send({ at })
      expect(yield* hasRoom).toBe(true)
      outbox.send({})
      expect(yield* hasRoom).toBe(false)
      yield* open
      yield* outbox.drained
      expect(yield* hasRoom).toBe(true)
    }).pipe(Effect.scoped)
  )

  it.live("has room for as many bytes as allowed", () =>
    Effect.gen(function* () {
      const { hasRoom, outbox } = yield* outboxed
      const overhead = `Content-Length: ${LIMITS.outboundBytes}\r\n\r\n{"x":""}`.length
      outbox.send({ x: "x".repeat(LIMITS.outboundBytes - overhead - 1) })
      expect(yield* hasRoom).toBe(true)
      const { hasRoom: hasMore, outbox: full } = yield* outboxed
      full.send({ x: "x".repeat(LIMITS.outboundBytes - overhead) })
      expect(yield* hasMore).toBe(false)
    }).pipe(Effect.scoped)
  )

  it.live("has the diagnostics of as many documents as allowed, of each the latest", () =>
    Effect.gen(function* () {
      const { first, hasRoom, open, outbox, written } = yield* outboxed
      outbox.send({ first: true })
      yield* first
      for (let at = 1; at < LIMITS.outboundDocuments; at++) outbox.publish(`${at}`, () => ({ at }))
      outbox.publish("1", () => ({ at: "latest" }))
      outbox.publish("2", () => undefined)
      expect(yield* hasRoom).toBe(true)
      outbox.publish("0", () => ({ at: 0 }))
      expect(yield* hasRoom).toBe(false)
      yield* open
      yield* outbox.drained
      expect(written).toHaveLength(LIMITS.outboundDocuments)
      expect(written.slice(0, 3)).toEqual(['{"first":true}', '{"at":"latest"}', '{"at":3}'])
    }).pipe(Effect.scoped)
  )
})
