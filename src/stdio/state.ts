/**
 * What the program knows of the I/O worker: the chunks that arrived, what has ended, and who waits for room.
 *
 * The worker's events are its only cause of change, apart from the scope's end. Everything is told at most once.
 */
import { Cause, Deferred, Effect, Queue } from "effect"
import type { Control } from "./control.ts"
import type { InputEnd, WorkerEnd, WorkerEvent } from "./protocol.ts"
import { StdioError } from "./stdio-error.ts"

/** What the program knows, and who waits to know more. */
export interface State {
  readonly chunks: Queue.Queue<Uint8Array, StdioError | Cause.Done>
  readonly started: Deferred.Deferred<void, StdioError>
  readonly inputEnded: Deferred.Deferred<InputEnd>
  readonly clientGone: Deferred.Deferred<void>
  readonly closed: Deferred.Deferred<void, StdioError>
  /** Called at each progress of the output, and when it is over. */
  readonly waiting: Set<() => void>
  /** Why nothing is written any more. */
  over: StdioError | undefined
}

export const makeState: Effect.Effect<State> = Effect.gen(function* () {
  return {
    chunks: yield* Queue.unbounded<Uint8Array, StdioError | Cause.Done>(),
    started: yield* Deferred.make<void, StdioError>(),
    inputEnded: yield* Deferred.make<InputEnd>(),
    clientGone: yield* Deferred.make<void>(),
    closed: yield* Deferred.make<void, StdioError>(),
    waiting: new Set(),
    over: undefined
  }
})

export const errorOf = (end: WorkerEnd): StdioError =>
  new StdioError({ reason: end._tag === "Finished" ? { _tag: "Closed" } : end })

const wakeWaiting = (state: State): void => {
  for (const resume of Array.from(state.waiting)) resume()
}

export const stopWriting = (state: State, error: StdioError): void => {
  state.over ??= error
  wakeWaiting(state)
}

const failChunks = (state: State, error: StdioError): void =>
  void Queue.failCauseUnsafe(state.chunks, Cause.fail(error))

const onEnded = (state: State, end: WorkerEnd): void => {
  const error = errorOf(end)
  stopWriting(state, error)
  const exit = Effect.fail(error)
  Deferred.doneUnsafe(state.started, exit)
  Deferred.doneUnsafe(state.closed, end._tag === "Finished" ? Effect.void : exit)
  if (end._tag === "Finished") Queue.endUnsafe(state.chunks)
  else failChunks(state, error)
}

/** Takes in what the worker tells. */
export const onEvent =
  (state: State) =>
  (event: WorkerEvent): void => {
    switch (event._tag) {
      case "Started":
        Deferred.doneUnsafe(state.started, Effect.void)
        break
      case "Chunk":
        Queue.offerUnsafe(state.chunks, event.bytes)
        break
      case "InputEnded":
        Deferred.doneUnsafe(state.inputEnded, Effect.succeed(event.end))
        Queue.endUnsafe(state.chunks)
        break
      case "InputFailed":
        failChunks(state, errorOf({ _tag: "SystemCall", call: "read", error: event.error }))
        break
      case "ClientGone":
        Deferred.doneUnsafe(state.clientGone, Effect.void)
        break
      case "Progress":
        wakeWaiting(state)
        break
      case "Ended":
        onEnded(state, event.end)
    }
  }

/** Waits until the worker has written so much that `reached`, or the output is over. */
export const progress = (control: Control, state: State, reached: () => boolean): Effect.Effect<void, StdioError> =>
  Effect.callback((resume) => {
    const look = (): void => {
      if (state.over === undefined) {
        control.awaitProgress()
        if (!reached()) return
      }
      state.waiting.delete(look)
      resume(state.over === undefined ? Effect.void : Effect.fail(state.over))
    }
    state.waiting.add(look)
    look()
    return Effect.sync(() => state.waiting.delete(look))
  })
