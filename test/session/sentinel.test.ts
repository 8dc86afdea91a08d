/** What looks at the project's inputs while nothing hints at them: a real thread over real files. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Duration, Effect, Queue } from "effect"
import { LIMITS } from "../../src/session/limits.ts"
import { makeSentinel, type Outlook, type SentinelHint } from "../../src/session/live/sentinel.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "effx-sentinel-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Longer than one look after another takes, unless the machine is very busy: how long to wait for a hint that must not come. */
const LOOK = Duration.times(LIMITS.lookAround, 3)

const watching = Effect.gen(function* () {
  const hints = yield* Queue.unbounded<SentinelHint>()
  const sentinel = yield* makeSentinel({ onHint: (hint) => void Queue.offerUnsafe(hints, hint) })
  return { cover: sentinel.cover, hint: Queue.take(hints), silence: Effect.timeoutOption(Queue.take(hints), LOOK) }
})

const NOTHING: Outlook = { whole: [], names: [], far: [] }

it.live("hints once when it first looks, and again when the content of a file differs", () =>
  Effect.gen(function* () {
    const file = join(yield* folder, "a.ts")
    writeFileSync(file, "1")
    const { cover, hint } = yield* watching
    cover({ ...NOTHING, whole: [file] })
    yield* hint
    appendFileSync(file, "2")
    yield* hint
    rmSync(file)
    yield* hint
  }).pipe(Effect.scoped)
)

it.live("minds the entries of a folder that was read, and not of one of which only matters that it is there", () =>
  Effect.gen(function* () {
    const top = yield* folder
    const [read, crowded] = [join(top, "read"), join(top, "crowded")]
    for (const path of [read, crowded]) mkdirSync(path)
    const { cover, hint, silence } = yield* watching
    cover({ ...NOTHING, whole: [read], names: [crowded] })
    yield* hint
    writeFileSync(join(crowded, "noise"), "")
    expect((yield* silence)._tag).toBe("None")
    writeFileSync(join(read, "b.ts"), "")
    yield* hint
    rmSync(crowded, { recursive: true })
    yield* hint
  }).pipe(Effect.scoped)
)

it.live("minds where a link leads to, also one that leads nowhere yet", () =>
  Effect.gen(function* () {
    const top = yield* folder
    const [link, end] = [join(top, "link"), join(top, "end")]
    symlinkSync(end, link)
    const { cover, hint } = yield* watching
    cover({ ...NOTHING, whole: [link] })
    yield* hint
    writeFileSync(end, "1")
    yield* hint
    appendFileSync(end, "2")
    yield* hint
  }).pipe(Effect.scoped)
)

it.live("tells what is far from what is near, and says nothing about paths that it already looks at", () =>
  Effect.gen(function* () {
    const file = join(yield* folder, "a.ts")
    const { cover, hint, silence } = yield* watching
    cover({ ...NOTHING, far: [file] })
    expect(yield* hint).toBe("far")
    cover({ ...NOTHING, whole: [file], far: [file] })
    expect(yield* hint).toBe("near")
    cover({ ...NOTHING, whole: [file], far: [file] })
    expect((yield* silence)._tag).toBe("None")
  }).pipe(Effect.scoped)
)

it.live("ends with its scope, before anybody gives up on it", () =>
  Effect.gen(function* () {
    const [took] = yield* Effect.timed(Effect.scoped(watching))
    expect(Duration.toMillis(took)).toBeLessThan(Duration.toMillis(LIMITS.sentinelEnd))
  })
)
