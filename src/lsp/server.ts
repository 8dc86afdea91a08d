/**
 * The server: takes messages one by one, keeps the lifecycle, and ends for one reason.
 *
 * Guarantees: messages have their effect in the order of their arrival, also while an analysis runs or `initialize` is at work; every
 * request is answered; whatever ends it, its scope releases what it owns. Only frames of the protocol are written.
 * What a project's events mean is left to project.ts, what notifications about documents do to synchronization.ts, and exit codes of
 * the process to its caller.
 */
import { Cause, Deferred, Effect, Exit, type FileSystem, type Path, Queue, Result, Scope } from "effect"
import { connect, type Incoming } from "./connection.ts"
import { type InitializeOptions, initialize, type Served } from "./initialize.ts"
import { type Ending, type Phase, refusalIn } from "./lifecycle.ts"
import { LIMITS } from "./limits.ts"
import { makeLog } from "./log.ts"
import { CODE, capabilities, type Failure } from "./protocol.ts"
import type { Transport } from "./transport.ts"

export interface ServerOptions extends InitializeOptions {
  /** The server's version, for the client. */
  readonly version: string
  /** Writes a line for whoever reads the server's log. */
  readonly report: (line: string) => void
}

type Request = Extract<Incoming, { _tag: "Request" }>

type Mail =
  | Incoming
  /** What came of `initialize`. */
  | { readonly _tag: "Initialized"; readonly request: Request; readonly served: Result.Result<Served, Failure> }
  /** The client is leaving, and `initialize` has had its time. */
  | { readonly _tag: "Hurry" }

/**
 * Serves one client until it leaves, or nothing more can be read or written.
 *
 * @returns how it ended; fails when the session itself cannot go on
 */
export const serve = Effect.fnUntraced(function* (transport: Transport, options: ServerOptions) {
  const { report, version } = options
  const mail = yield* Queue.unbounded<Mail>()
  const offer = (one: Mail): void => void Queue.offerUnsafe(mail, one)
  const { answered, outbox } = yield* connect(transport, offer, report)
  const log = makeLog(outbox, report)
  const session = yield* Scope.fork(yield* Effect.scope)
  type Run = Served["run"]
  const fault = yield* Deferred.make<never, Run extends Effect.Effect<never, infer E, infer _> ? E : never>()
  let phase: Phase = "Uninitialized"
  let served: Served | undefined
  /** The request that `initialize` is at work for. */
  let pending: Request | undefined
  /** What came while `initialize` was at work, in order. */
  let deferred: Array<Incoming> = []

  const hurry = Effect.andThen(
    Effect.sleep(LIMITS.farewell),
    Effect.sync(() => offer({ _tag: "Hurry" }))
  )

  yield* Effect.forkIn(Effect.andThen(transport.inputEnded, hurry), session)

  /** Whether a message waits for the end of `initialize`: all that changes something do. */
  const isDeferred = (one: Incoming): boolean =>
    phase === "Initializing" && (one._tag !== "Request" || one.method === "shutdown")

  const onRequest = Effect.fnUntraced(function* (request: Request) {
    const { answer, method } = request
    const refusal = refusalIn(phase, method)
    if (refusal !== undefined) return answer(Result.fail(refusal))
    if (method === "initialize") {
      phase = "Initializing"
      pending = request
      yield* initialize({ transport, outbox, log, request }, options).pipe(
        Effect.catchDefect((defect) => Effect.fail({ code: CODE.internalError, message: `internal fault: ${defect}` })),
        Effect.result,
        Effect.flatMap((served) => Effect.sync(() => offer({ _tag: "Initialized", request, served }))),
        Scope.provide(session),
        Effect.forkIn(session)
      )
      return
    }
    phase = "ShutDown"
    yield* Scope.close(session, Exit.void)
    answer(Result.succeed(null))
  })

  const onInitialized = Effect.fnUntraced(function* (
    request: Request,
    outcome: Extract<Mail, { _tag: "Initialized" }>["served"]
  ) {
    if (Result.isFailure(outcome)) {
      phase = "Refused"
      log.note(outcome.failure.message)
      return request.answer(Result.fail(outcome.failure))
    }
    phase = "Running"
    served = outcome.success
    request.answer(Result.succeed({ capabilities, serverInfo: { name: "effx", version } }))
    // It ends by a fault only, if it is not interrupted with the session.
    yield* Effect.forkIn(
      Effect.tapCause(outcome.success.run, (cause) => Deferred.failCause(fault, cause)),
      session
    )
  })

  /** Handles one message; gives how the server ends, if it does. */
  const handle = Effect.fnUntraced(function* (
    one: Incoming
  ): Effect.fn.Return<Ending | undefined, never, FileSystem.FileSystem | Path.Path> {
    const afterShutdown = phase === "ShutDown"
    switch (one._tag) {
      case "End":
        return one.problem === undefined
          ? { _tag: "InputEnded", afterShutdown }
          : { _tag: "Broken", reason: one.problem }
      case "Request":
        yield* onRequest(one)
        return undefined
      case "Notification": {
        if (one.method === "exit") return { _tag: "Exit", afterShutdown }
        if (phase !== "Running" || served === undefined) {
          log.note(`${one.method} is ignored: ${afterShutdown ? "it comes after shutdown" : "there is no session"}`)
          return undefined
        }
        log.begin()
        return yield* served.notify(one.method, one.params)
      }
    }
  })

  /** Ends without a project. What waits for one is answered, for a client that only stopped sending. */
  const abandon = (): Ending => {
    const failure: Failure = { code: CODE.requestCancelled, message: "the client left before initialize was done" }
    for (const one of [pending, ...deferred]) if (one?._tag === "Request") one.answer(Result.fail(failure))
    return { _tag: "InputEnded", afterShutdown: false }
  }

  const handleAll = Effect.fnUntraced(function* (several: ReadonlyArray<Incoming>) {
    for (const one of several) {
      const ending = yield* handle(one)
      if (one._tag !== "End") one.taken()
      if (ending !== undefined) return ending
    }
    return undefined
  })

  const loop = Effect.gen(function* () {
    while (true) {
      yield* outbox.room
      const one = yield* Queue.take(mail)
      let ending: Ending | undefined
      if (one._tag === "Hurry") ending = phase === "Initializing" ? abandon() : undefined
      else if (one._tag === "Initialized") {
        yield* onInitialized(one.request, one.served)
        const waiting = deferred
        deferred = []
        ending = yield* handleAll(waiting)
      } else if (isDeferred(one)) {
        deferred.push(one)
        if (one._tag === "Notification" && one.method === "exit") yield* Effect.forkIn(hurry, session)
      } else ending = yield* handleAll([one])
      if (ending !== undefined) return ending
    }
  })

  const faulty = Effect.catchCause(Deferred.await(fault), (cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.never : Effect.failCause(cause)
  )
  const over = Effect.andThen(transport.closed, Effect.never).pipe(
    Effect.catch(({ message }) => Effect.succeed<Ending>({ _tag: "Broken", reason: message }))
  )
  const gone = Effect.as(transport.clientGone, { _tag: "ClientGone" } satisfies Ending as Ending)
  const ended = yield* loop.pipe(
    Effect.raceFirst(over),
    Effect.raceFirst(gone),
    Effect.raceFirst(faulty),
    Effect.result
  )
  yield* Scope.close(session, Exit.void)
  const ending = Result.isSuccess(ended) ? ended.success : undefined
  if (ending?._tag === "Broken") report(`the session ends: ${ending.reason}`)
  // The rest is for a client that still reads.
  if (ending?._tag !== "ClientGone") {
    const rest = Effect.andThen(Effect.andThen(answered, outbox.drained), transport.flush)
    yield* rest.pipe(Effect.ignore, Effect.timeoutOption(LIMITS.farewell))
  }
  return yield* Effect.fromResult(ended)
})
