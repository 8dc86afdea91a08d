/**
 * Bytes in, messages out, within bounds.
 *
 * Guarantees: what waits in either direction is bounded by `LIMITS`, and reading stops until there is room; what is no message is
 * answered as JSON-RPC says; the end of the input comes after everything before it.
 * Leaves to the server what methods mean.
 */
import { Cause, Effect, Result, Semaphore, Stream } from "effect"
import { type Correlation, correlate, type Received } from "./correlation.ts"
import { type Envelope, envelopeOf } from "./envelope.ts"
import { makeFrameReader } from "./framing.ts"
import { LIMITS } from "./limits.ts"
import { makeOutbox, type Outbox } from "./outbox.ts"
import { errorMessage } from "./protocol.ts"
import type { Transport } from "./transport.ts"

export type Incoming =
  | Received
  /** Nothing follows. `problem`: why it cannot be read or written any further. */
  | { readonly _tag: "End"; readonly problem?: string | undefined }

export interface Connection extends Pick<Correlation, "answered"> {
  readonly outbox: Outbox
}

/**
 * Connects to a client.
 *
 * @param offer takes the messages one by one
 * @param report takes a line for whoever reads the server's log
 */
export const connect = Effect.fnUntraced(function* (
  transport: Pick<Transport, "chunks" | "write">,
  offer: (incoming: Incoming) => void,
  report: (line: string) => void
) {
  const messages = yield* Semaphore.make(LIMITS.inboundMessages)
  const bytes = yield* Semaphore.make(LIMITS.inboundBytes)
  const { failed, outbox } = yield* makeOutbox(transport.write)
  const { answered, pass } = yield* correlate({ offer, report, send: outbox.send })

  /** Gives back the room of a message, once. */
  const releasing = (size: number): (() => void) => {
    let released = false
    return () => {
      if (released) return
      released = true
      Effect.runSync(Effect.andThen(messages.release(1), bytes.release(size)))
    }
  }

  const admit = (envelope: Envelope, release: () => void): void => {
    switch (envelope._tag) {
      case "Request":
      case "Notification":
        pass(envelope.message, release)
        return
      case "Response":
        report("a response is ignored: no request was sent")
        break
      case "Invalid":
        report(`a message is refused: ${envelope.reason}`)
        outbox.send(errorMessage(envelope.id, envelope.code, envelope.reason))
    }
    release()
  }

  const frames = makeFrameReader()
  const take = Effect.fnUntraced(function* (chunk: Uint8Array) {
    frames.append(chunk)
    while (true) {
      const frame = frames.next()
      if (Result.isFailure(frame)) return yield* Effect.fail(frame.failure)
      const body = frame.success
      if (body === undefined) return
      yield* messages.take(1)
      yield* bytes.take(body.length)
      yield* outbox.room
      admit(envelopeOf(body), releasing(body.length))
    }
  })
  const end = Effect.fnUntraced(function* (problem?: string) {
    // Everything before it comes first.
    yield* messages.take(LIMITS.inboundMessages)
    offer({ _tag: "End", problem })
  })
  const truncated = Effect.sync(() => (frames.pending() > 0 ? "the input ends within a message" : undefined))
  const read = Stream.runForEach(transport.chunks, take).pipe(
    Effect.andThen(truncated),
    Effect.catch((problem) => Effect.succeed(typeof problem === "string" ? problem : problem.message)),
    Effect.flatMap(end)
  )
  /** Ends at once with whatever is wrong, which is no problem of the client. */
  const broken = (cause: Cause.Cause<unknown>) =>
    Effect.sync(() => {
      const thrown = Cause.squash(cause)
      if (Cause.hasInterruptsOnly(cause)) return
      offer({ _tag: "End", problem: thrown instanceof Error ? thrown.message : String(thrown) })
    })
  yield* Effect.forkScoped(Effect.catchCause(read, broken))
  yield* Effect.forkScoped(Effect.catchCause(failed, broken))
  const connection: Connection = { outbox, answered }
  return connection
})
