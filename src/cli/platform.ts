/**
 * The platform: the one module that binds `@effect/platform-bun`. Its published types name modules that Effect 4.1 moved, so
 * the layer's type is stated here.
 *
 * `Stdio` and `Terminal` are not taken from the platform: its own touch `process.stdin` and `process.stdout`, which makes the
 * descriptors non-blocking for every program that shares them. Effect's command line needs the services to exist; output goes
 * through output.ts and nothing prompts.
 */
import * as BunChildProcessSpawner from "@effect/platform-bun/BunChildProcessSpawner"
import * as BunFileSystem from "@effect/platform-bun/BunFileSystem"
import * as BunPath from "@effect/platform-bun/BunPath"
import * as BunRuntime from "@effect/platform-bun/BunRuntime"
import { Effect, Exit, type FileSystem, Layer, type Path, Sink, Stdio, Stream, Terminal } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import * as host from "./host.ts"

export type Platform =
  | FileSystem.FileSystem
  | Path.Path
  | ChildProcessSpawner.ChildProcessSpawner
  | Stdio.Stdio
  | Terminal.Terminal

const stdio = Layer.succeed(
  Stdio.Stdio,
  Stdio.make({
    args: Effect.sync(host.commandLine),
    stdinIsTerminal: Effect.sync(() => host.isTerminal(0)),
    stdoutIsTerminal: Effect.sync(() => host.isTerminal(1)),
    stderrIsTerminal: Effect.sync(() => host.isTerminal(2)),
    stdin: Stream.empty,
    stdout: () => Sink.drain,
    stderr: () => Sink.drain
  })
)

const terminal = Layer.succeed(
  Terminal.Terminal,
  Terminal.make({
    columns: Effect.sync(() => host.terminalColumns(1) ?? 80),
    rows: Effect.succeed(24),
    size: Effect.die("the terminal's size is not observed"),
    readInput: Effect.die("no command reads keys"),
    readLine: Effect.die("no command reads lines"),
    display: () => Effect.void
  })
)

const bun = BunChildProcessSpawner.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(BunFileSystem.layer, BunPath.layer))
) as unknown as Layer.Layer<FileSystem.FileSystem | Path.Path | ChildProcessSpawner.ChildProcessSpawner>

export const platform: Layer.Layer<Platform> = Layer.mergeAll(bun, stdio, terminal)

/** Ends when the terminal is gone. */
const hangUp = Effect.callback<never>((resume) => {
  host.onEndingSignals(() => resume(Effect.interrupt))
})

/** Runs the program as the process: SIGHUP, SIGINT and SIGTERM interrupt it, its value is the exit code. */
export const runMain = (program: Effect.Effect<number>): void =>
  BunRuntime.runMain(Effect.raceFirst(program, hangUp), {
    disableErrorReporting: true,
    teardown: (exit) => host.exit(Exit.isSuccess(exit) ? Number(exit.value) : host.endedCode())
  })
