/**
 * The program: parses the command line, runs one command and exits with its code.
 *
 * Each command is one file under commands/; from there the way leads through `@effx/session` (which project, what
 * settings), `@effx/frontend-ts` (source to declarations) and `@effx/compiler` (declarations to findings and files) to a
 * reporter. Layers are built here, once.
 */
import { Console, Effect, Layer, Logger, Ref } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { build } from "./commands/build.ts"
import { check } from "./commands/check.ts"
import { dev } from "./commands/dev.ts"
import { diff } from "./commands/diff.ts"
import { explain } from "./commands/explain.ts"
import { graph } from "./commands/graph.ts"
import { init } from "./commands/init.ts"
import { inspect } from "./commands/inspect.ts"
import { lsp } from "./commands/lsp.ts"
import { verify } from "./commands/verify.ts"
import { backgroundLine, ending } from "./ending.ts"
import { ExitCode } from "./exit-code.ts"
import { Color } from "./flags.ts"
import { ExitStatus } from "./handler.ts"
import * as host from "./host.ts"
import { Installed, type InstalledService, provedFrontend } from "./installed.ts"
import { Output, type OutputService } from "./output.ts"
import { type Platform, platform, runMain } from "./platform.ts"
import { heldOutput } from "./presentation.ts"
import { components, VERSION } from "./version.ts"

const commands = [check, dev, lsp, build, inspect, graph, diff, explain, init, verify] as const

const effx = Command.make("effx").pipe(
  Command.withDescription("Checks Effect operations and generates their HTTP, RPC and command line surface"),
  Command.withSubcommands(commands),
  Command.withGlobalFlags([Color])
)

const wantsDebug = (args: ReadonlyArray<string>): boolean =>
  /(^| )--log-level[ =](debug|trace|all)( |$)/i.test(args.join(" "))

/** Help, the version and completion scripts too come from a sound installation only. */
const whatIsHeld = (output: OutputService, { sound }: InstalledService, held: ReturnType<typeof heldOutput>) => {
  const text = held.text()
  if (text === "") return Effect.void
  return Effect.andThen(sound, held.isOfServer() ? output.err(text) : output.out(text))
}

const program = Effect.gen(function* () {
  const output = yield* Output
  const installed = yield* Installed
  const args = host.commandLine()
  const debug = wantsDebug(args)
  host.logToStandardError()
  host.onUncaught((thrown) => {
    Effect.runSync(output.err(backgroundLine(thrown, debug)))
    host.exit(ExitCode.Fault)
  })
  const status = yield* Ref.make<ExitCode>(ExitCode.Done)
  const versions = Effect.provide(components, yield* Effect.context<Platform>())
  const held = heldOutput(output.isTerminal && (host.environment("NO_COLOR") ?? "") === "", versions)
  const command = Command.runWith(effx, { version: VERSION })(args).pipe(
    Effect.andThen(Effect.suspend(() => whatIsHeld(output, installed, held))),
    Effect.andThen(Ref.get(status)),
    Effect.provideService(ExitStatus, status),
    Effect.provideService(Console.Console, held.console),
    Effect.provideService(Logger.LogToStderr, true),
    Effect.provide(
      Layer.mergeAll(
        CliOutput.layerPresenter(held.presenter),
        CliConfig.layer({
          builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions, GlobalFlag.LogLevel]
        })
      )
    )
  )
  return yield* ending(command, { commands: commands.map(({ name }) => name), debug })
})

runMain(
  program.pipe(
    Effect.provide(Layer.mergeAll(platform, Output.layer, Layer.provideMerge(provedFrontend, Installed.layer)))
  )
)
