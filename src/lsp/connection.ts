/**
 * The one adapter around `vscode-jsonrpc`: bytes in, messages out, within bounds.
 *
 * Guarantees: messages are given in the order in which they arrived, each once; what waits in either direction is bounded by `LIMITS`,
 * and reading stops until there is room; every request is answered exactly once, and what is no message is answered as JSON-RPC
 * says; the end of the input comes after everything before it. The library correlates responses and cancellation.
 * Leaves to the server what methods mean. Nothing of the library leaves this module.
 */
import { Effect, Latch, Result, Semaphore, Stream } from "effect"
import {
  createMessageConnection,
  type DataCallback,
  Disposable,
  Event,
  type Message,
  type MessageReader,
  type MessageStrategy,
  type MessageWriter,
  RAL,
  ResponseError
} from "vscode-jsonrpc"
import { type Envelope, envelopeOf } from "./envelope.ts"
import { makeFrameReader } from "./framing.ts"
import { LIMITS } from "./limits.ts"
import { makeOutbox, type Outbox } from "./outbox.ts"
import { CODE, type Failure } from "./protocol.ts"
import type { Transport } from "./transport.ts"

/** A message as the server takes it. `taken` has to be called once it is handled: then there is room for another. */
export type Incoming =
  | {
      readonly _tag: "Request"
      readonly method: string
      readonly params: unknown
      /** Answers it; only the first answer counts. */
      readonly answer: (result: Result.Result<unknown, Failure>) => void
      /** Calls a listener when the client cancels it, also when it did so already. */
      readonly onCancelled: (listener: () => void) => void
      readonly taken: () => void
    }
  | { readonly _tag: "Notification"; readonly method: string; readonly params: unknown; readonly taken: () => void }
  /** Nothing follows. `problem`: why it cannot be read any further. */
  | { readonly _tag: "End"; readonly problem?: string | undefined }

export interface Connection {
  readonly outbox: Outbox
  /** Succeeds when every request has its response, and the transport has that. */
  readonly answered: Effect.Effect<void>
}

const CANCEL = "$/cancelRequest"

/** The library's timers, which it takes from a host. */
const installTimers = (): void => {
  const disposing = (dispose: () => void): Disposable => Disposable.create(dispose)
  RAL.install({
    timer: {
      setImmediate: (callback: () => void) => {
        const handle = setImmediate(callback)
        return disposing(() => clearImmediate(handle))
      }
    }
  } as unknown as RAL)
}

const errorMessage = (id: string | number | null, code: number, message: string) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message }
})

/** Whether a cancellation names a request; the library relies on it. */
const namesRequest = (params: unknown): boolean => {
  const id = typeof params === "object" && params !== null && "id" in params ? params.id : undefined
  return typeof id === "string" || typeof id === "number"
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
  const sizes = new WeakMap<Message, number>()
  let outstanding = 0
  const answered = yield* Latch.make(true)

  /** Gives back the room of a message, once. */
  const releasing = (message: Message): (() => void) => {
    const size = sizes.get(message) ?? 0
    let released = false
    return () => {
      if (released) return
      released = true
      Effect.runSync(Effect.andThen(messages.release(1), bytes.release(size)))
    }
  }

  let deliver: DataCallback = () => {}
  const reader: MessageReader = {
    onError: Event.None,
    onClose: Event.None,
    onPartialMessage: Event.None,
    listen: (callback) => {
      deliver = callback
      return Disposable.create(() => {})
    },
    dispose: () => {}
  }
  const writer: MessageWriter = {
    onError: Event.None,
    onClose: Event.None,
    write: (message) => new Promise((resolve) => outbox.send(message, resolve)),
    end: () => {},
    dispose: () => {}
  }

  // Set while the library dispatches a request, which it does at once.
  let taken = (): void => {}
  const messageStrategy: MessageStrategy = {
    handleMessage: async (message, next) => {
      const release = releasing(message)
      if ("id" in message && "method" in message) {
        const { id } = message as { readonly id: string | number }
        if (outstanding >= LIMITS.outstandingRequests) {
          const reason = `${LIMITS.outstandingRequests} requests have no response yet; send this one again later`
          outbox.send(errorMessage(id, CODE.requestFailed, reason))
          return release()
        }
        outstanding++
        answered.closeUnsafe()
        taken = release
        await Promise.resolve(next(message))
        outstanding--
        if (outstanding === 0) answered.openUnsafe()
      } else if ("method" in message && message.method !== CANCEL) {
        const { method, params } = message as { readonly method: string; readonly params?: unknown }
        offer({ _tag: "Notification", method, params, taken: release })
      } else {
        next(message)
        release()
      }
    }
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      installTimers()
      const log = { error: report, warn: report, info: report, log: report }
      const connection = createMessageConnection(reader, writer, log, { messageStrategy })
      connection.onRequest(
        (method, params, token) =>
          new Promise((resolve) => {
            offer({
              _tag: "Request",
              method,
              params,
              answer: (result) =>
                resolve(
                  Result.isSuccess(result)
                    ? result.success
                    : new ResponseError(result.failure.code, result.failure.message)
                ),
              onCancelled: (listener) => {
                if (token.isCancellationRequested) listener()
                else token.onCancellationRequested(listener)
              },
              taken
            })
          })
      )
      connection.listen()
      return connection
    }),
    (connection) => Effect.sync(() => connection.dispose())
  )

  const admit = (envelope: Envelope, size: number): void => {
    switch (envelope._tag) {
      case "Notification":
        if (envelope.message.method === CANCEL && !namesRequest(envelope.message.params)) {
          report(`${CANCEL} is ignored: it names no request`)
          break
        }
        sizes.set(envelope.message, size)
        deliver(envelope.message)
        return
      case "Request":
        sizes.set(envelope.message, size)
        deliver(envelope.message)
        return
      case "Response":
        report("a response is ignored: no request was sent")
        break
      case "Invalid":
        report(`a message is refused: ${envelope.reason}`)
        outbox.send(errorMessage(envelope.id, envelope.code, envelope.reason))
    }
    Effect.runSync(Effect.andThen(messages.release(1), bytes.release(size)))
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
      admit(envelopeOf(body), body.length)
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
  yield* Effect.forkScoped(read)
  yield* Effect.forkScoped(
    Effect.catch(failed, ({ message }) => Effect.sync(() => offer({ _tag: "End", problem: message })))
  )
  const connection: Connection = { outbox, answered: answered.await }
  return connection
})
