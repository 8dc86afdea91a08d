/** What looks at the project's inputs while nothing hints at them: a real thread over real files. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Duration, Effect, Queue } from "effect"
import { LIMITS } from "../../src/session/limits.ts"
import { makeSentinel } from "../../src/session/live/sentinel.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "effx-sentinel-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Longer than one look after another takes. */
const LOOK = Duration.times(LIMITS.lookAround, 3)

const watching = Effect.gen(function* () {
  const hints = yield* Queue.unbounded<boolean>()
  const sentinel = yield* makeSentinel({ onHint: (everywhere) => void Queue.offerUnsafe(hints, everywhere) })
  const hint = Effect.timeoutOption(Queue.take(hints), LOOK)
  return { cover: sentinel.cover, hint }
})

it.live("hints once when it first looks, and again when the content of a file differs", () =>
  Effect.gen(function* () {
    const file = join(yield* folder, "a.ts")
    writeFileSync(file, "1")
    const { cover, hint } = yield* watching
    cover([file], [])
    expect((yield* hint)._tag).toBe("Some")
    appendFileSync(file, "2")
    expect((yield* hint)._tag).toBe("Some")
    rmSync(file)
    expect((yield* hint)._tag).toBe("Some")
  }).pipe(Effect.scoped)
)

it.live("minds the entries of a folder that was read, and not of one of which only matters that it is there", () =>
  Effect.gen(function* () {
    const top = yield* folder
    const [read, crowded] = [join(top, "read"), join(top, "crowded")]
    for (const path of [read, crowded]) mkdirSync(path)
    const { cover, hint } = yield* watching
    cover([read], [crowded])
    yield* hint
    writeFileSync(join(crowded, "noise"), "")
    expect((yield* hint)._tag).toBe("None")
    writeFileSync(join(read, "b.ts"), "")
    expect((yield* hint)._tag).toBe("Some")
    rmSync(crowded, { recursive: true })
    expect((yield* hint)._tag).toBe("Some")
  }).pipe(Effect.scoped)
)

it.live("says nothing about paths that it already looks at", () =>
  Effect.gen(function* () {
    const file = join(yield* folder, "a.ts")
    const { cover, hint } = yield* watching
    cover([file], [])
    yield* hint
    cover([file], [])
    expect((yield* hint)._tag).toBe("None")
  }).pipe(Effect.scoped)
)

it.live("ends with its scope, before anybody gives up on it", () =>
  Effect.gen(function* () {
    const [took] = yield* Effect.timed(Effect.scoped(watching))
    expect(Duration.toMillis(took)).toBeLessThan(Duration.toMillis(LIMITS.sentinelEnd))
  })
)
