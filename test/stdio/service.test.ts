/** The service in this process, over FIFOs: how soon it tells, what it releases, and how it fails. */
import {
  closeSync,
  constants,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { LIMITS, Stdio, type StdioError, type StdioOptions } from "@effx/stdio"
import { Context, Deferred, Effect, Exit, Fiber, Layer, type Scope, Stream } from "effect"
import { root, run, scratch } from "../native/toolchain.ts"
import { hasCompiler, library, pattern } from "./harness.ts"

const worker = join(root, "src/stdio/io-worker.ts")

/** Where a descriptor of this process leads; empty for one that is gone by now. */
const target = (descriptor: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ""
  }
}

/**
 * What this process holds of the sorts that the service opens. Bun 1.3.13 keeps an epoll, a timer and an event descriptor of every
 * worker that has ended, so that event descriptors count without as many as there are epolls.
 */
const held = () => {
  const targets = readdirSync("/proc/self/fd").map(target)
  const count = (pattern: RegExp): number => targets.filter((path) => pattern.test(path)).length
  return {
    wakes: count(/\[eventfd\]/) - count(/\[eventpoll\]/),
    clients: count(/pidfd/),
    fifos: count(/\/fifo\d+$/),
    library: readFileSync("/proc/self/maps", "utf8").includes(library)
  }
}

describe.skipIf(!hasCompiler)("the service (needs a C compiler)", () => {
  const folder = scratch()
  let count = 0

  /** A FIFO of its own, open for both, so that neither end is ever missing. */
  const fifo = Effect.acquireRelease(
    Effect.sync(() => {
      const path = join(folder, `fifo${count++}`)
      run("mkfifo", [path])
      return openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    }),
    (descriptor) => Effect.sync(() => closeSync(descriptor))
  )

  const open = (options: Partial<StdioOptions>): Effect.Effect<Stdio["Service"], StdioError, Scope.Scope> =>
    Effect.map(Layer.build(Stdio.layer({ library, worker, ...options })), Context.get(Stdio))

  it.live("tells the program within 0.5 ms of the client's write, in the median", () =>
    Effect.gen(function* () {
      const [input, output] = [yield* fifo, yield* fifo]
      const stdio = yield* open({ input, output })
      let arrived = Deferred.makeUnsafe<number>()
      yield* Effect.forkScoped(
        Stream.runForEach(stdio.chunks, () =>
          Effect.sync(() => Deferred.doneUnsafe(arrived, Effect.succeed(performance.now())))
        )
      )
      const times: Array<number> = []
      for (let round = 0; round < 300; round++) {
        arrived = Deferred.makeUnsafe()
        yield* Effect.sleep(1)
        const written = performance.now()
        writeSync(input, "Content-Length: 2\r\n\r\n{}")
        times.push((yield* Deferred.await(arrived)) - written)
      }
      times.sort((one, other) => one - other)
      expect(times[150]).toBeLessThan(0.5)
    })
  )

  it.live("releases every descriptor and thread with its scope, once", () =>
    Effect.gen(function* () {
      const [input, output] = [yield* fifo, yield* fifo]
      const session = Effect.scoped(
        Effect.gen(function* () {
          const stdio = yield* open({ input, output })
          yield* stdio.watchClient(process.pid)
          yield* stdio.watchClient(process.pid)
          yield* stdio.write(pattern(10))
          const { clients, fifos, library } = held()
          expect({ clients, fifos, library }).toEqual({ clients: 1, fifos: 3, library: true })
        })
      )
      yield* session
      const threads = readdirSync("/proc/self/task").length
      const before = held()
      for (let round = 0; round < 20; round++) yield* session
      expect(held()).toEqual(before)
      expect(before).toEqual({ wakes: before.wakes, clients: 0, fifos: 2, library: false })
      expect(readdirSync("/proc/self/task").length).toBeLessThanOrEqual(threads + 2)
    })
  )

  it.live("refuses everything after its scope", () =>
    Effect.gen(function* () {
      const [input, output] = [yield* fifo, yield* fifo]
      const stdio = yield* Effect.scoped(open({ input, output }))
      const reasons = yield* Effect.all(
        [stdio.write(pattern(1)), stdio.flush, stdio.watchClient(process.pid)].map((effect) => Effect.flip(effect))
      )
      expect(reasons.map((error) => error.reason._tag)).toEqual(["Closed", "Closed", "Closed"])
      expect(yield* Stream.runCollect(stdio.chunks)).toEqual([])
      expect(yield* Effect.exit(stdio.closed)).toEqual(Exit.void)
    })
  )

  it.live("writes of many fibers never mix, and an interrupted one is there whole or not at all", () =>
    Effect.gen(function* () {
      const [input, output] = [yield* fifo, yield* fifo]
      const stdio = yield* open({ input, output, stallMilliseconds: 10_000 })
      const size = 300_000
      const message = (letter: string): Uint8Array => new TextEncoder().encode(letter.repeat(size))
      const letters = Array.from("abcdefghij")
      const writing = yield* Effect.forEach(letters, (letter) => Effect.forkScoped(stdio.write(message(letter))))
      yield* Effect.yieldNow
      const interrupting = yield* Effect.forkScoped(Effect.forEach(writing.slice(5), Fiber.interrupt))
      const buffer = Buffer.alloc(65_536)
      const runs: Array<readonly [string, number]> = []
      let reading = true
      const finish = yield* Effect.forkScoped(
        Effect.gen(function* () {
          for (const fiber of writing.slice(0, 5)) yield* Fiber.join(fiber)
          yield* Fiber.join(interrupting)
          yield* stdio.flush
          reading = false
        })
      )
      const drain = (): number => {
        try {
          return readSync(output, buffer)
        } catch {
          return 0
        }
      }
      for (;;) {
        const got = drain()
        if (got === 0 && !reading) break
        for (const letter of buffer.subarray(0, got).toString()) {
          const last = runs.at(-1)
          if (last?.[0] === letter) runs[runs.length - 1] = [letter, last[1] + 1]
          else runs.push([letter, 1])
        }
        yield* Effect.sleep(1)
      }
      yield* Fiber.join(finish)
      expect(runs.length).toBeGreaterThanOrEqual(5)
      expect(runs.map(([, length]) => length)).toEqual(runs.map(() => size))
      expect(new Set(runs.map(([letter]) => letter)).size).toBe(runs.length)
    })
  )

  it.live("says what is wrong with the library, and leaves nothing open", () =>
    Effect.gen(function* () {
      const [input, output] = [yield* fifo, yield* fifo]
      const before = held()
      const broken = join(folder, "broken.so")
      writeFileSync(broken, "no library\n")
      const path = yield* Effect.flip(Effect.scoped(open({ input, output, library: "effx-stdio.so" })))
      expect(path.message).toBe('The native library\'s path must be absolute, and is "effx-stdio.so"')
      const unloadable = yield* Effect.flip(Effect.scoped(open({ input, output, library: broken })))
      expect(unloadable.reason).toMatchObject({ _tag: "LibraryUnloadable", path: broken })
      expect(unloadable.message).not.toContain("\n")
      expect(held()).toEqual(before)
    })
  )

  it.live("says that its worker is missing or broken, and leaves nothing open", () =>
    Effect.gen(function* () {
      const [input, output] = [yield* fifo, yield* fifo]
      const broken = join(folder, "broken-worker.js")
      writeFileSync(broken, 'throw new Error("broken")\n')
      const silent = join(folder, "gone-worker.js")
      writeFileSync(silent, "process.exit(0)\n")
      const before = held()
      for (const path of [join(folder, "missing.js"), broken, silent]) {
        const error = yield* Effect.flip(Effect.scoped(open({ input, output, worker: path })))
        expect(error.reason._tag).toBe("WorkerFailed")
        expect(error.message).not.toContain("\n")
      }
      expect(held()).toEqual(before)
    })
  )

  it.live("loads through a descriptor, as verified files are", () =>
    Effect.gen(function* () {
      const [input, output] = [yield* fifo, yield* fifo]
      const copy = join(folder, "copy.so")
      copyFileSync(library, copy)
      const descriptor = openSync(copy, "r")
      yield* Effect.scoped(
        Effect.flatMap(open({ input, output, library: `/proc/self/fd/${descriptor}` }), (stdio) =>
          Effect.andThen(stdio.write(pattern(LIMITS.transferBytes)), stdio.flush)
        )
      )
      closeSync(descriptor)
      expect(readSync(output, Buffer.alloc(LIMITS.transferBytes))).toBe(LIMITS.transferBytes)
    })
  )

  it.live("ends in time with a worker that does not end; what that may still use stays open", () =>
    Effect.gen(function* () {
      const [input, output] = [yield* fifo, yield* fifo]
      const started = 'self.onmessage = () => { postMessage({ _tag: "Started" });'
      const spinning = join(folder, "spinning-worker.js")
      writeFileSync(spinning, `${started} for (;;) {} }\n`)
      const stuck = join(folder, "stuck-worker.js")
      writeFileSync(stuck, `${started} Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) }\n`)
      const longest = 100 + 2 * LIMITS.endMilliseconds + 500
      for (const [path, remains] of [
        [spinning, { fifos: 2, library: false }],
        [stuck, { fifos: 3, library: true }]
      ] as const) {
        const began = performance.now()
        yield* Effect.scoped(
          Effect.flatMap(open({ input, output, worker: path, stallMilliseconds: 100 }), (stdio) =>
            stdio.write(pattern(1))
          )
        )
        expect(performance.now() - began).toBeLessThan(longest)
        expect(held()).toMatchObject(remains)
      }
    })
  )
})
