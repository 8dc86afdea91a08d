/**
 * The program: parses the command line, runs one command and turns every way in which it can end into an exit code.
 *
 * Each command is one file under commands/; from there the way leads through `@effx/session` (which project, what
 * settings), `@effx/frontend-ts` (source to declarations) and `@effx/compiler` (declarations to findings and files) to a
 * reporter. Layers are built here, once.
 */
import { SourceFrontend } from "@effx/frontend-ts"
import { Cause, Console, Effect, Layer, Ref } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import { build } from "./commands/build.ts"
import { check } from "./commands/check.ts"
import { diff } from "./commands/diff.ts"
import { explain } from "./commands/explain.ts"
import { init } from "./commands/init.ts"
import { inspect } from "./commands/inspect.ts"
import { ExitCode, ExitStatus } from "./exit-code.ts"
import { Color } from "./flags.ts"
import * as host from "./host.ts"
import { Output } from "./output.ts"
import { platform, runMain } from "./platform.ts"
import { helpText, usageLine } from "./presentation.ts"
import { VERSION } from "./version.ts"

const commands = [check, build, inspect, diff, explain, init] as const

const effx = Command.make("effx").pipe(
  Command.withDescription("Checks Effect operations and generates their HTTP, RPC and command line surface"),
  Command.withSubcommands(commands),
  Command.withGlobalFlags([Color])
)

const wantsDebug = (args: ReadonlyArray<string>): boolean =>
  /(^| )--log-level[ =](debug|trace|all)( |$)/i.test(args.join(" "))

const program = Effect.gen(function* () {
  const output = yield* Output
  const args = host.commandLine()
  const status = yield* Ref.make<ExitCode>(ExitCode.Done)
  const held: Array<string> = []
  const colours = output.isTerminal && (host.environment("NO_COLOR") ?? "") === ""
  const presenter = CliOutput.layerPresenter({
    present: (event) =>
      Effect.sync(() => {
        if (event._tag === "Version") held.push(`effx ${event.version}\n`)
        if (event._tag === "Help" && event.reason === "Requested") held.push(helpText(event.helpDoc, colours))
      })
  })
  const console = Object.assign(Object.create(globalThis.console), {
    log: (...texts: ReadonlyArray<unknown>) => held.push(`${texts.join(" ")}\n`)
  })
  const end = (line: string, code: ExitCode) => Effect.as(output.err(`effx: ${line}`), code)
  const fault = (message: string, cause: Cause.Cause<unknown>) =>
    end(wantsDebug(args) ? `${message}\n${Cause.pretty(cause)}` : message, ExitCode.Fault)

  return yield* Command.runWith(effx, { version: VERSION })(args).pipe(
    Effect.andThen(Effect.suspend(() => output.out(held.join("")))),
    Effect.andThen(Ref.get(status)),
    Effect.catchTag("Misuse", ({ message }) => end(message, ExitCode.Misuse)),
    Effect.catchIf(CliError.isCliError, (error) =>
      end(
        usageLine(
          error,
          commands.map((command) => command.name)
        ),
        ExitCode.Misuse
      )
    ),
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
      const error = Cause.squash(cause)
      const message = error instanceof Error ? error.message : String(error)
      return fault(message, cause)
    }),
    Effect.provideService(ExitStatus, status),
    Effect.provideService(Console.Console, console),
    Effect.provide(
      Layer.mergeAll(
        presenter,
        CliConfig.layer({
          builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions, GlobalFlag.LogLevel]
        })
      )
    )
  )
})

runMain(program.pipe(Effect.provide(Layer.mergeAll(platform, Output.layer, SourceFrontend.layer))))
