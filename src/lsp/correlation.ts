/**
 * The one adapter around `vscode-jsonrpc`'s connection, which correlates requests with responses and cancellations.
 *
 * Guarantees: messages are given in the order in which they came, each once; every request is answered once, under the id that it came
 * with; more than `LIMITS.outstandingRequests` without a response are refused. Nothing of the library leaves this module.
 */
import { Effect, Latch, Result, type Scope } from "effect"
import {
  createMessageConnection,
  type DataCallback,
  Disposable,
  Event,
  type Message,
  type MessageReader,
  type MessageStrategy,
  type MessageWriter,
  type NotificationMessage,
  RAL,
  type RequestMessage,
  ResponseError
} from "vscode-jsonrpc"
import { LIMITS } from "./limits.ts"
import type { Outbox } from "./outbox.ts"
import { CODE, errorMessage, type Failure } from "./protocol.ts"

/** A message as the server takes it. `taken` has to be called once it is handled: then there is room for another. */
export type Received =
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

export interface Correlation {
  /**
   * Takes a message.
   *
   * @param taken is called once it is handled
   */
  readonly pass: (message: RequestMessage | NotificationMessage, taken: () => void) => void
  /** Succeeds when every request has its response, and the transport has that. */
  readonly answered: Effect.Effect<void>
}

interface Context {
  readonly send: Outbox["send"]
  readonly offer: (received: Received) => void
  readonly report: (line: string) => void
}

const CANCEL = "$/cancelRequest"

/** The library takes its timers from a host; it needs no others. */
const installTimers = (): void =>
  RAL.install({
    timer: {
      setImmediate: (callback: () => void) => {
        const handle = setImmediate(callback)
        return Disposable.create(() => clearImmediate(handle))
      }
    }
  } as unknown as RAL)

const isRequest = (message: Message): message is RequestMessage => "id" in message && "method" in message
const isNotification = (message: Message): message is NotificationMessage => "method" in message

/** The id that a cancellation names. */
const cancelledId = (params: unknown): unknown =>
  typeof params === "object" && params !== null && "id" in params ? params.id : undefined

export const correlate = Effect.fnUntraced(function* ({
  offer,
  report,
  send
}: Context): Effect.fn.Return<Correlation, never, Scope.Scope> {
  const takers = new WeakMap<Message, () => void>()
  // The library takes two requests of one id, or of "1" and 1, for the same one, so that it gets ids of ours.
  const ids = new Map<number, string | number>()
  let lastId = 0
  /** Requests without an answer, and those whose response the transport does not have yet. */
  let outstanding = 0
  let unsent = 0
  const answered = yield* Latch.make(true)

  const ownId = (id: unknown): string | number | null => {
    const own = ids.get(Number(id)) ?? null
    ids.delete(Number(id))
    return own
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
    write: (message) =>
      new Promise((resolve) => send("id" in message ? { ...message, id: ownId(message.id) } : message, resolve)),
    end: () => {},
    dispose: () => {}
  }

  // Set while the library dispatches a request, which it does at once.
  let taken = (): void => {}
  const messageStrategy: MessageStrategy = {
    handleMessage: async (message, next) => {
      const done = takers.get(message) ?? (() => {})
      if (isRequest(message)) {
        if (outstanding >= LIMITS.outstandingRequests) {
          const reason = `${LIMITS.outstandingRequests} requests have no response yet; send this one again later`
          send(errorMessage(ownId(message.id), CODE.requestFailed, reason))
          return done()
        }
        outstanding++
        unsent++
        answered.closeUnsafe()
        taken = done
        await Promise.resolve(next(message))
        unsent--
        if (unsent === 0) answered.openUnsafe()
      } else if (isNotification(message) && message.method !== CANCEL) {
        const { method, params } = message
        offer({ _tag: "Notification", method, params, taken: done })
      } else next(message)
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
            let open = 1
            offer({
              _tag: "Request",
              method,
              params,
              answer: (result) => {
                outstanding -= open
                open = 0
                resolve(
                  Result.isSuccess(result)
                    ? result.success
                    : new ResponseError(result.failure.code, result.failure.message)
                )
              },
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

  const pass = (message: Message, done: () => void): void => {
    takers.set(message, done)
    deliver(message)
  }
  return {
    pass: (message, done) => {
      if (isRequest(message)) {
        ids.set(++lastId, message.id ?? "")
        return pass({ ...message, id: lastId } as Message, done)
      }
      if (message.method !== CANCEL) return pass(message, done)
      const wanted = cancelledId(message.params)
      const id = Array.from(ids).findLast(([, own]) => own === wanted)?.[0]
      if (id === undefined) report(`${CANCEL} is ignored: there is no such request, or it has its response`)
      else deliver({ ...message, params: { id } } as Message)
      // The library handles it at once where the request is under way, and tells nobody.
      done()
    },
    answered: answered.await
  }
})
