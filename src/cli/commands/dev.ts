/** `effx dev`: checks on every save and says each time everything that is wrong; writes only with `--build`. */
import {
  type Discovered,
  discover,
  displayPath,
  type InvalidProject,
  invalidResult,
  openSession,
  type SessionEvent
} from "@effx/session"
import { Deferred, Effect, Path, Queue, Scope } from "effect"
import { Command, Flag } from "effect/cli"
import { findingsOf } from "../compiling.ts"
import { ExitCode } from "../exit-code.ts"
import { type CoverageFlags, coverageFlags, type SelectionFlags, selectionFlags } from "../flags.ts"
import { toHandler } from "../handler.ts"
import * as host from "../host.ts"
import { Output } from "../output.ts"
import { coverageText, namesText, reasonText, sessionEnded, sessionRecord } from "../reporters/session.ts"
import { visible } from "../reporters/style.ts"
import { render, style } from "../reporting.ts"
import { spinner } from "../spinner.ts"
import { workingDirectory } from "../working-directory.ts"

const FORMATS = ["pretty", "plain", "json"] as const

interface Input extends SelectionFlags, CoverageFlags {
  readonly build: boolean
  readonly clear: boolean
  readonly format: (typeof FORMATS)[number] | undefined
}

const KEYS = "r check again · q quit · h these keys (each with Enter)"

const CLEAR = "\u001b[2J\u001b[3J\u001b[H"

/** Prints events for people. */
const forPeople = Effect.fnUntraced(function* (input: Input, cwd: string) {
  const output = yield* Output
  const path = yield* Path.Path
  const paint = yield* style
  const display = (file: string) => visible(displayPath(path, cwd, file))
  const busy = yield* spinner
  const flags = { format: input.format, denyWarnings: false }
  return (event: SessionEvent) => {
    switch (event._tag) {
      case "Started":
        return output.out(
          `watching ${display(event.selection.tsconfig)}${output.isTerminal ? `  ${KEYS}` : ""}\n${coverageText(event, display)}`
        )
      case "CycleStarted":
        return Effect.andThen(
          output.out(
            `${input.clear && output.isTerminal ? CLEAR : "\n"}${paint.faint(`cycle ${event.cycle}  ${reasonText(event, display)}`)}\n`
          ),
          busy.start
        )
      case "Checked": {
        const { milliseconds, result, textOf } = event
        const findings = {
          ...findingsOf(result),
          cycle: { number: event.cycle, milliseconds },
          ...(textOf !== undefined && { source: (file: string) => textOf(path.resolve(result.root, file)) })
        }
        return Effect.andThen(busy.stop, Effect.flatMap(render(findings, flags), output.out))
      }
      case "Written": {
        const { removed, written } = event.committed
        if (written.length + removed.length === 0) return Effect.void
        const files = (count: number) => `${count} ${count === 1 ? "file" : "files"}`
        const gone = removed.length === 0 ? "" : `, removed ${files(removed.length)}`
        return output.out(`${paint.faint(`wrote ${files(written.length)}${gone}`)}\n`)
      }
      case "Refused":
        return output.err(event.conflicts.map((one) => `effx: ${visible(one.path)} ${one.reason}`).join("\n"))
      case "Unwritten":
        return output.err(`effx: ${visible(event.message)}; trying again until it works`)
      case "Failed":
        return busy.stop.pipe(
          Effect.andThen(output.err(`effx: ${visible(event.message)}; waiting for a change`)),
          Effect.andThen(output.out(`cycle ${event.cycle}  failed\n`))
        )
      case "RestartRequired":
        return Effect.andThen(
          busy.stop,
          output.err(
            `effx: restart required: ${namesText(event.paths, display)} changed, and code of this process depends on it; what was said above is void, and nothing is checked or written until you end it with q or Ctrl-C and start effx dev again`
          )
        )
      case "Notice":
        return output.err(`effx: ${visible(event.message)}`)
      case "Settled":
        return Effect.void
    }
  }
})

/** Prints events for programs, one JSON record a line. */
const forPrograms = Effect.gen(function* () {
  const output = yield* Output
  const path = yield* Path.Path
  let root = "/"
  return (event: SessionEvent) => {
    if (event._tag === "Started") root = event.selection.folder
    const record = sessionRecord(event, (file) => path.relative(root, file))
    return output.out(`${JSON.stringify(record)}\n`)
  }
})

/** Tells what an invalid selection is wrong about, as the one batch of a session that does not begin. */
const refused = Effect.fnUntraced(function* (
  error: InvalidProject,
  { base, config }: Discovered,
  print: (event: SessionEvent) => Effect.Effect<void>
) {
  const result = yield* invalidResult(base, config?.path, error)
  yield* print({ _tag: "Checked", cycle: 0, result, milliseconds: 0 })
  return ExitCode.Findings
})

/** A session that begins with an invalid selection has nothing that a later change of source could repair (Spec 0018 §3). */
const isInvalidStart = (event: SessionEvent): boolean =>
  event._tag === "Checked" && event.cycle === 1 && event.result.compiled === undefined

const run = Effect.fnUntraced(function* (input: Input) {
  const output = yield* Output
  const cwd = yield* workingDirectory
  const { build, clear, execDir, execFile, format, ...flags } = input
  const printing = format === "json" ? yield* forPrograms : yield* forPeople(input, cwd)
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof printing>>>()
  const print = (event: SessionEvent) => printing(event).pipe(Effect.provide(context), Effect.orDie)
  const over = yield* Deferred.make<ExitCode>()
  const emit = Effect.fnUntraced(function* (event: SessionEvent) {
    yield* print(event)
    if (isInvalidStart(event)) yield* Deferred.succeed(over, ExitCode.Findings)
    if (output.isClosed()) yield* Deferred.succeed(over, ExitCode.Done)
  })
  if (format === "json") {
    yield* Scope.addFinalizer(yield* Effect.scope, Effect.ignore(output.out(`${JSON.stringify(sessionEnded())}\n`)))
  }
  const typed = yield* Queue.sliding<string>(8)
  const keys = (recheck: Effect.Effect<void>): Effect.Effect<ExitCode> =>
    Effect.gen(function* () {
      while (true) {
        const key = yield* Queue.take(typed)
        if (key === "q") return ExitCode.Done
        if (key === "r") yield* recheck
        if (key === "h" && format !== "json") yield* Effect.ignore(output.out(`${KEYS}\n`))
      }
    })
  const coverage = { files: execFile, folders: execDir }
  return yield* openSession({ flags, cwd, build, coverage, emit, startThread: host.startAside }).pipe(
    Effect.tap(
      Effect.acquireRelease(
        Effect.sync(() => host.onTypedLine((line) => Queue.offerUnsafe(typed, line.trim()))),
        (stop) => Effect.sync(() => stop?.())
      )
    ),
    Effect.flatMap((session) =>
      session.run.pipe(Effect.raceFirst(keys(session.recheck)), Effect.raceFirst(Deferred.await(over)))
    ),
    Effect.catchTags({
      InvalidProject: (error) => Effect.flatMap(discover(flags, cwd), (found) => refused(error, found, print)),
      OutputBusy: ({ message }) => Effect.as(output.err(`effx: ${message}`), ExitCode.Findings)
    })
  )
}, Effect.scoped)

export const dev = Command.make(
  "dev",
  {
    ...selectionFlags,
    ...coverageFlags,
    build: Flag.Boolean("build").pipe(
      Flag.withDescription("Also write the outputs whenever there is no error, as effx build does"),
      Flag.withDefault(false)
    ),
    clear: Flag.Boolean("clear").pipe(
      Flag.withDescription("Clear the terminal at each cycle"),
      Flag.withDefault(false)
    ),
    format: Flag.Literals("format", FORMATS).pipe(
      Flag.withDescription("The form of the output: pretty on a terminal, else plain; json gives one record a line"),
      Flag.withMetavar("FORMAT"),
      Flag.optional,
      Flag.map((option) => (option._tag === "Some" ? option.value : undefined))
    )
  },
  toHandler(run)
).pipe(
  Command.withDescription("Check on every save until stopped; write nothing unless asked to build"),
  Command.withExamples([
    { command: "effx dev" },
    { command: "effx dev --build", description: "keeps the generated code in step" },
    { command: "effx dev --format json", description: "for tools" }
  ])
)
