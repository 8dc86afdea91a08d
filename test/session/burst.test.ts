/** Edits that come faster than anyone types are analysed at their pauses. */
import { describe, expect, it } from "@effect/vitest"
import { Duration } from "effect"
import { LIMITS } from "../../src/session/limits.ts"
import { makeBurst } from "../../src/session/live/burst.ts"

const [burst, burstPause, holdBack] = [LIMITS.burst, LIMITS.burstPause, LIMITS.holdBack].map((limit) =>
  Duration.toMillis(limit)
)
const [gap, pause, patience] = [burst ?? 0, burstPause ?? 0, holdBack ?? 0]

const pauses = (edits: ReadonlyArray<number>, now: number, toldAt: number): number => {
  const { edited, pause } = makeBurst()
  for (const at of edits) edited(at)
  return Duration.toMillis(pause(now, toldAt))
}

describe("a burst", () => {
  it("is edits that follow each other within the bound, not at it", () => {
    expect(pauses([1_000, 1_000 + gap - 1], 1_000 + gap - 1, 1_000)).toBe(pause)
    expect(pauses([1_000, 1_000 + gap], 1_000 + gap, 1_000)).toBe(0)
  })

  it("does not begin with its first edit", () => {
    expect(pauses([1_000], 1_000, 0)).toBe(0)
  })

  it("goes on while edits follow each other within its pause", () => {
    const later = 1_001 + pause - 1
    expect(pauses([1_000, 1_001, later], later, 1_000)).toBe(pause)
    expect(pauses([1_000, 1_001, later + 1], later + 1, 1_000)).toBe(0)
  })

  it("ends with a pause after its last edit, and not before", () => {
    expect(pauses([1_000, 1_001], 1_001 + pause - 1, 1_000)).toBe(1)
    expect(pauses([1_000, 1_001], 1_001 + pause, 1_000)).toBe(0)
  })

  it("is told of once nothing else was for long", () => {
    const edits = Array.from({ length: 500 }, (_, index) => 1_000 + index * 5)
    const last = 1_000 + 499 * 5
    expect(pauses(edits, last, last - patience + 1)).toBe(1)
    expect(pauses(edits, last, last - patience)).toBe(0)
  })
})
