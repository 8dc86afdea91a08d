/**
 * What `initialize` does: takes the client's folder and abilities, watches its process, and opens the one project (Spec 0018 §3).
 *
 * Guarantees: whatever is wrong is a failure that says what to do; nothing is evaluated without authority; a client that cancels it
 * gets no project. A process that cannot be seen, as from inside a container, is not watched: the closed input ends the session.
 */
import type { Diagnostic } from "@effx/diagnostics"
import { Effect, Path, Result, Schema } from "effect"
import type { Incoming } from "./connection.ts"
import type { Ending } from "./lifecycle.ts"
import type { Log } from "./log.ts"
import type { Outbox } from "./outbox.ts"
import { openProject, type ProjectOptions } from "./project.ts"
import { abilitiesOf } from "./projection.ts"
import { CODE, type Failure, InitializeParams, MessageType } from "./protocol.ts"
import { makePublication } from "./publication.ts"
import { makeSynchronization, problemText } from "./synchronization.ts"
import type { Transport } from "./transport.ts"
import { inWorkspace, type Launch } from "./workspace.ts"

export interface InitializeOptions extends Launch, Pick<ProjectOptions, "trustConfig" | "catalogue" | "open"> {}

interface Context {
  readonly transport: Transport
  readonly outbox: Outbox
  readonly log: Log
  readonly request: Extract<Incoming, { _tag: "Request" }>
}

const decode = Schema.decodeUnknownResult(InitializeParams)

const failure = (code: number, message: string): Failure => ({ code, message })

/** A finding about the selection in one line, as `effx check` begins it. */
const findingText = ({ code, location, message, severity }: Diagnostic): string =>
  `${location === undefined ? "" : `${location.file}:${location.line}:${location.col} `}${severity} ${code}: ${message}`

const cancelled = (request: Context["request"]): Effect.Effect<never, Failure> =>
  Effect.callback((resume) =>
    request.onCancelled(() => resume(Effect.fail(failure(CODE.requestCancelled, "initialize was cancelled"))))
  )

export const initialize = Effect.fnUntraced(function* (context: Context, options: InitializeOptions) {
  const { log, outbox, request, transport } = context
  const path = yield* Path.Path
  const decoded = decode(request.params)
  if (Result.isFailure(decoded)) {
    return yield* Effect.fail(failure(CODE.invalidParams, `initialize: ${problemText(decoded.failure)}`))
  }
  const params = decoded.success
  if (typeof params.processId === "number") {
    yield* Effect.catch(transport.watchClient(params.processId), ({ message }) => Effect.sync(() => log.note(message)))
  }
  const launch = inWorkspace(path, options, params)
  if (Result.isFailure(launch)) return yield* Effect.fail(failure(CODE.requestFailed, launch.failure))
  const abilities = abilitiesOf(params)
  const publication = makePublication(outbox, abilities.versions, (uri, count) =>
    log.say(MessageType.error, `${uri} has ${count} findings, too many to send; effx check shows them`)
  )
  const { catalogue, open, trustConfig } = options
  const project = yield* openProject({
    ...launch.success,
    abilities,
    catalogue,
    log,
    open,
    publication,
    room: outbox.room,
    trustConfig
  }).pipe(
    Effect.mapError((error) =>
      failure(
        CODE.requestFailed,
        error._tag === "InvalidProject" ? error.diagnostics.map(findingText).join("\n") : error.message
      )
    ),
    Effect.raceFirst(cancelled(request))
  )
  const synchronization = makeSynchronization({ log, project, publication })
  return {
    run: project.run,
    /** Handles a notification; gives how the server ends when the session cannot go on. */
    notify: (method: string, params: unknown) =>
      synchronization.notify(method, params).pipe(
        Effect.as<Ending | undefined>(undefined),
        Effect.catch((reason) => Effect.succeed<Ending | undefined>({ _tag: "Broken", reason }))
      )
  }
})

export type Served = Effect.Success<ReturnType<typeof initialize>>
