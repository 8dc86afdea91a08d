/** Edits that come faster than anyone reads what is said of them are analysed at their pauses. */
import { describe, expect, it } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { LIMITS } from "../../src/session/limits.ts"
import { makeBurst, pauseOf } from "../../src/session/live/burst.ts"

const { edits, within } = LIMITS.burst
const [span, pause, patience] = [within, LIMITS.burst.pause, LIMITS.holdBack].map((limit) =>
  Duration.toMillis(limit)
) as [number, number, number]

/** How long to wait at `now`, after edits at these times. */
const pauses = (edits: ReadonlyArray<number>, now: number, toldAt: number): number => {
  const { edited, pause } = makeBurst()
  for (const at of edits) edited(at)
  return Duration.toMillis(pause(now, toldAt))
}

/** So many edits, `gap` apart, the last of them at `end`. */
const steady = (count: number, gap: number, end: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => end - (count - 1 - index) * gap)

describe("a burst", () => {
  it("is so many edits within the bound, not at it", () => {
    const last = 1_000
    const others = steady(edits - 2, 1, last - 1)
    expect(pauses([last - span + 1, ...others, last], last, last)).toBe(pause)
    expect(pauses([last - span, ...others, last], last, last)).toBe(0)
  })

  it("is not one edit less", () => {
    expect(pauses(steady(edits - 1, 0, 1_000), 1_000, 1_000)).toBe(0)
    expect(pauses(steady(edits, 0, 1_000), 1_000, 1_000)).toBe(pause)
  })

  it("ends with a pause after its last edit, and not before", () => {
    const burst = steady(edits, 1, 1_000)
    expect(pauses(burst, 1_000 + pause - 1, 1_000)).toBe(1)
    expect(pauses(burst, 1_000 + pause, 1_000)).toBe(0)
  })

  it("is told of once nothing else was for long", () => {
    const burst = steady(500, 5, 4_000)
    expect(pauses(burst, 4_000, 4_000 - patience + 1)).toBe(1)
    expect(pauses(burst, 4_000, 4_000 - patience)).toBe(0)
  })

  it.each([
    ["a key that is held", 33],
    ["20 edits a second", 50],
    ["typing", 150]
  ])("is not %s", (_, gap) => {
    expect(pauses(steady(100, gap, 9_000), 9_000, 9_000)).toBe(0)
  })

  it("is over with the next edits at a slower pace, without any pause", () => {
    const gap = 50
    const stalled = steady(edits, 0, 1_000)
    const later = Array.from({ length: edits }, (_, index) => 1_000 + (index + 1) * gap)
    const waits = later.map((now, index) => pauses([...stalled, ...later.slice(0, index + 1)], now, now))
    expect(waits.at(-1)).toBe(0)
    expect(waits.filter((wait) => wait > 0).length).toBeLessThan(edits - 1)
  })

  it("pauses no longer where the clock is set back", () => {
    const burst = steady(edits, 1, 3_600_000)
    expect(pauses(burst, 1_000, 3_600_000)).toBe(pause)
  })

  it.effect("is waited for until it pauses, and not beyond", () =>
    Effect.gen(function* () {
      const burst = makeBurst()
      const edit = Effect.map(Clock.currentTimeMillis, burst.edited)
      const start = yield* Clock.currentTimeMillis
      yield* Effect.repeat(edit, { times: edits - 1 })
      const waiting = yield* Effect.forkChild(Effect.andThen(pauseOf(burst, start), Clock.currentTimeMillis))
      for (let gone = 0; gone < 50; gone++) {
        yield* TestClock.adjust(10)
        yield* edit
      }
      yield* TestClock.adjust(pause - 1)
      expect(waiting.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect((yield* Fiber.join(waiting)) - start).toBe(500 + pause)
    })
  )
})
