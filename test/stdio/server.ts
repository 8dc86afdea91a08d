/**
 * A server over `@effx/stdio`, for tests: does what its first argument says and reports on standard error, one JSON object a
 * line. Its second argument is the native library.
 */
import { writeSync } from "node:fs"
import { join } from "node:path"
import { Stdio, type StdioError } from "@effx/stdio"
import { Effect, Exit, Fiber, Stream } from "effect"

const [mode = "", library = "", ...rest] = process.argv.slice(2)

const report = (event: string, facts: Readonly<Record<string, unknown>> = {}): Effect.Effect<void> =>
  Effect.sync(() => void writeSync(2, `${JSON.stringify({ event, ...facts })}\n`))

/** Bytes that tell their place. */
const pattern = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at % 251)

type Mode = (stdio: Stdio["Service"]) => Effect.Effect<void, StdioError>

const modes: Readonly<Record<string, Mode>> = {
  /** Sends back what arrives, until it ends. */
  echo: (stdio) =>
    Effect.gen(function* () {
      yield* Stream.runForEach(stdio.chunks, stdio.write)
      yield* report("input-ended", { how: yield* stdio.inputEnded })
      yield* stdio.flush
    }),
  /** Takes everything and tells how much in how many chunks, and the greatest. */
  count: (stdio) =>
    Effect.gen(function* () {
      let [bytes, chunks, greatest] = [0, 0, 0]
      yield* Stream.runForEach(stdio.chunks, (chunk) =>
        Effect.sync(() => {
          for (const [at, byte] of chunk.entries()) if (byte !== (bytes + at) % 251) throw new Error("another byte")
          bytes += chunk.length
          chunks += 1
          greatest = Math.max(greatest, chunk.length)
        })
      )
      yield* report("counted", { bytes, chunks, greatest, how: yield* stdio.inputEnded })
    }),
  /** Takes one chunk and then no more, until the output is told to be closed. */
  glut: (stdio) =>
    Effect.gen(function* () {
      yield* Stream.runDrain(Stream.take(stdio.chunks, 1))
      yield* report("sated")
      yield* stdio.closed
    }),
  /** Writes as many bytes as it is told, in one go, and flushes. */
  flood: (stdio) =>
    Effect.gen(function* () {
      yield* stdio.write(pattern(Number(rest[0])))
      yield* report("queued")
      yield* stdio.flush
      yield* report("flushed")
    }),
  /** Writes and ends at once: closing the scope has to deliver. */
  leave: (stdio) => stdio.write(pattern(Number(rest[0]))),
  /** Watches a process and tells when it is gone. */
  watch: (stdio) =>
    Effect.gen(function* () {
      yield* stdio.watchClient(Number(rest[0]))
      yield* report("watching")
      yield* stdio.clientGone
      yield* report("client-gone")
    }),
  /** Waits for the end of either side. */
  wait: (stdio) => Effect.raceFirst(stdio.closed, Effect.asVoid(stdio.inputEnded))
}

const stallMilliseconds = Number(process.env.STALL ?? 2000)

const serve = Effect.gen(function* () {
  const stdio = yield* Stdio
  yield* report("started", { input: stdio.inputKind, output: stdio.outputKind })
  const run = modes[mode]
  if (run === undefined) return yield* report("no such mode")
  yield* run(stdio)
  return stdio
}).pipe(
  Effect.provide(
    Stdio.layer({ library, worker: join(import.meta.dirname, "../../src/stdio/io-worker.ts"), stallMilliseconds })
  )
)

const program = Effect.gen(function* () {
  const fiber = yield* Effect.forkChild(serve)
  const exit = yield* Effect.exit(Fiber.join(fiber))
  if (Exit.isFailure(exit)) {
    const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")
    yield* failure === undefined
      ? report("died", { cause: String(exit.cause) })
      : report("failed", { reason: failure.error.reason, message: failure.error.message })
    return 1
  }
  const stdio = exit.value
  if (stdio === undefined) return 2
  const refused = yield* Effect.flip(stdio.write(pattern(1)))
  yield* report("left", { after: refused.reason._tag, ended: Exit.isSuccess(yield* Effect.exit(stdio.closed)) })
  return 0
})

process.exit(await Effect.runPromise(program))
