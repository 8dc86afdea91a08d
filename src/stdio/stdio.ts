/**
 * Standard input and output of a server, as a service: chunks in, bytes out, and whether the client lives.
 *
 * Guarantees: the program never blocks and nothing runs while nothing happens; what waits in either direction is bounded by
 * `LIMITS`; the flags of the descriptors stay as found; when the scope ends, queued bytes are written within the stall time, the
 * worker is joined and each resource is released once, and no native call follows.
 * Leaves to its users the framing, and when to end. The process must be the only reader of its input.
 */
import { Context, Deferred, Effect, Layer, Queue, type Scope, Semaphore, Stream } from "effect"
import type { DescriptorKind } from "./abi.ts"
import { type Control, makeControl, Stop } from "./control.ts"
import { type Custody, makeCustody } from "./custody.ts"
import { type IoThread, startIoThread } from "./io-thread.ts"
import { LIMITS } from "./limits.ts"
import type { InputEnd } from "./protocol.ts"
import { classify } from "./startup.ts"
import { errorOf, makeState, onEvent, progress, type State, stopWriting } from "./state.ts"
import { StdioError } from "./stdio-error.ts"

export interface StdioOptions {
  /** Absolute path of the native library. */
  readonly library: string
  /** The I/O worker's file. */
  readonly worker: string | URL
  /** Starts the thread that its argument makes, where that takes more than making it. */
  readonly startThread?: (make: () => Worker) => Worker
  /** Descriptors; 0 and 1 unless given. */
  readonly input?: number
  readonly output?: number
  /** How long the client may take nothing; `LIMITS.stallMilliseconds` unless given. */
  readonly stallMilliseconds?: number
}

export class Stdio extends Context.Service<
  Stdio,
  {
    readonly inputKind: DescriptorKind
    readonly outputKind: DescriptorKind
    /** What arrives, at most `LIMITS.transferBytes` at once; ends with the input. For one consumer. */
    readonly chunks: Stream.Stream<Uint8Array, StdioError>
    /** Succeeds when the input has ended, which may be before its last chunk is taken. */
    readonly inputEnded: Effect.Effect<InputEnd>
    /**
     * Queues bytes, all of them and in the order of the calls; waits while the queue is full. Interrupted, it has queued all or
     * nothing. Fails when the output is over.
     */
    readonly write: (bytes: Uint8Array) => Effect.Effect<void, StdioError>
    /** Succeeds when what was queued before has been handed to the system. */
    readonly flush: Effect.Effect<void, StdioError>
    /** Begins to watch the client's process. The first process counts. */
    readonly watchClient: (pid: number) => Effect.Effect<void, StdioError>
    /** Succeeds when the watched process has ended. */
    readonly clientGone: Effect.Effect<void>
    /** Fails when input and output are over before their scope is; succeeds with the scope. */
    readonly closed: Effect.Effect<void, StdioError>
  }
>()("@effx/stdio/Stdio") {
  static readonly layer = (options: StdioOptions): Layer.Layer<Stdio, StdioError> => Layer.effect(Stdio, open(options))
}

/** Asks the worker to write the rest and end; when it has not in time, to end at once. */
const stopThread = (thread: IoThread, control: Control, state: State, wake: () => void, stallMilliseconds: number) => {
  const ask = (stage: number) =>
    Effect.sync(() => {
      control.setStop(stage)
      wake()
    })
  const ended = Effect.exit(Deferred.await(state.closed))
  return Effect.sync(() => stopWriting(state, errorOf({ _tag: "Finished" }))).pipe(
    Effect.andThen(ask(Stop.finish)),
    Effect.andThen(Effect.timeoutOption(ended, stallMilliseconds + LIMITS.retryMilliseconds)),
    Effect.andThen(ask(Stop.now)),
    Effect.andThen(Effect.timeoutOption(ended, LIMITS.endMilliseconds)),
    Effect.andThen(Effect.timeoutOption(thread.join, LIMITS.endMilliseconds)),
    Effect.map((joined) => joined._tag === "Some")
  )
}

const openClient = (custody: Custody, pid: number): Effect.Effect<number, StdioError> =>
  Effect.mapError(
    custody.own("pidfd_open", () => custody.shim.clientOpen(pid)),
    (error) =>
      error.reason._tag === "SystemCall" && error.reason.error === "ESRCH"
        ? new StdioError({ reason: { _tag: "NoSuchProcess", pid } })
        : error
  )

const open = Effect.fnUntraced(function* (
  options: StdioOptions
): Effect.fn.Return<Stdio["Service"], StdioError, Scope.Scope> {
  const { input = 0, library, output = 1, stallMilliseconds = LIMITS.stallMilliseconds, startThread, worker } = options
  const custody = yield* makeCustody(library)
  const { shim } = custody
  const kinds = yield* classify(shim, input, output)
  const wake = yield* custody.own("eventfd", shim.wakeOpen)
  const writer = yield* custody.own("open for writing", () => shim.writerOpen(output))
  const control = makeControl()
  const state = yield* makeState
  const wakeWorker = (): void => void shim.wakeSignal(wake)

  yield* Effect.acquireRelease(
    Effect.sync(() => {
      custody.threadRuns = true
      const start = { library, memory: control.memory, input, writer, wake, stallMilliseconds }
      return startIoThread(worker, start, onEvent(state), startThread)
    }),
    (thread) =>
      Effect.map(stopThread(thread, control, state, wakeWorker, stallMilliseconds), (joined) => {
        custody.threadRuns = !joined
      })
  )
  yield* Deferred.await(state.started).pipe(
    Effect.timeoutOrElse({
      duration: LIMITS.startMilliseconds,
      orElse: () => Effect.fail(errorOf({ _tag: "WorkerFailed", detail: "it does not start" }))
    })
  )

  const writers = yield* Semaphore.make(1)
  const put = (bytes: Uint8Array): Effect.Effect<void, StdioError> =>
    Effect.suspend(() => {
      if (state.over !== undefined) return Effect.fail(state.over)
      const count = control.put(bytes)
      wakeWorker()
      if (count === bytes.length) return Effect.void
      const hasRoom = progress(control, state, () => control.pending() < LIMITS.outboundBytes)
      return Effect.andThen(hasRoom, put(bytes.subarray(count)))
    })
  const take = Effect.map(Queue.take(state.chunks), (bytes): readonly [Uint8Array] => {
    if (control.take()) wakeWorker()
    return [bytes]
  })

  return Stdio.of({
    inputKind: kinds.input,
    outputKind: kinds.output,
    chunks: Stream.fromPull(Effect.succeed(take)),
    inputEnded: Deferred.await(state.inputEnded),
    write: (bytes) => writers.withPermit(Effect.uninterruptible(put(bytes))),
    flush: Effect.suspend(() => {
      const { queued } = control.position()
      return progress(control, state, () => ((control.position().written - queued) | 0) >= 0)
    }),
    watchClient: (pid) =>
      Effect.suspend(() => {
        if (state.over !== undefined) return Effect.fail(state.over)
        if (control.client() >= 0) return Effect.void
        return Effect.flatMap(openClient(custody, pid), (client) =>
          Effect.sync(() => {
            control.setClient(client)
            wakeWorker()
          })
        )
      }),
    clientGone: Deferred.await(state.clientGone),
    closed: Deferred.await(state.closed)
  })
})
