/** How soon hints are followed: a folder that cried wolf waits, within bounds, and no hint is forgotten. */
import { expect, it } from "@effect/vitest"
import { Duration, Schema } from "effect"
import { LIMITS } from "../../src/session/limits.ts"
import { makeNoise } from "../../src/session/live/noise.ts"

const burst = Duration.toMillis(LIMITS.fruitless)
const nothing: ReadonlySet<string> = new Set()

/** A folder whose looks have taken so many milliseconds and found nothing, all at time 0. */
const after = (took: number) => {
  const noise = makeNoise()
  noise.hinted("/log", 0)
  noise.looked({ changed: nothing, at: 0, took })
  return noise
}

it("follows hints at once until looks in vain have taken their burst", () => {
  expect(after(burst - 1).hinted("/log", 0)).toBe(true)
  expect(after(burst).hinted("/log", 0)).toBe(true)
  expect(after(burst + 1).hinted("/log", 0)).toBe(false)
})

it("says when a waiting hint is due, and follows hints of other folders meanwhile", () => {
  const noise = after(burst + 3)
  expect(noise.due()).toBeUndefined()
  expect(noise.hinted("/log", 1)).toBe(false)
  const due = 3 * LIMITS.fruitlessPause
  expect(noise.due()).toBe(due)
  expect(noise.hinted("/src", 1)).toBe(true)
  expect([noise.hinted("/log", due - 1), noise.hinted("/log", due)]).toEqual([false, true])
})

it("gives the burst back with time, and never more than the burst", () => {
  const noise = after(burst)
  const full = burst * LIMITS.fruitlessPause
  noise.hinted("/log", full)
  noise.looked({ changed: nothing, at: full, took: burst - 1 })
  expect(noise.hinted("/log", full)).toBe(true)
  const idle = after(1)
  const later = Duration.toMillis("1 hour")
  idle.hinted("/log", later)
  idle.looked({ changed: nothing, at: later, took: burst + 1 })
  expect(idle.hinted("/log", later)).toBe(false)
})

it("trusts a folder again in which something was found", () => {
  const noise = after(burst + 100)
  noise.hinted("/log", 1)
  noise.looked({ changed: new Set(["/log"]), at: 2, took: 5 })
  expect(noise.hinted("/log", 2)).toBe(true)
})

/** A hint so many milliseconds after the last, and how long a look for its sake would take. */
const Hint = Schema.Struct({
  after: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5_000 })),
  took: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30 }))
})

it.prop(
  "takes at most its share of any time, and the burst, for hints that lead to nothing",
  [Schema.Array(Hint)],
  ([hints]) => {
    const noise = makeNoise()
    let [now, spent, longest] = [0, 0, 0]
    for (const { after, took } of hints) {
      now += after
      if (!noise.hinted("/log", now)) continue
      now += took
      spent += took
      longest = Math.max(longest, took)
      noise.looked({ changed: nothing, at: now, took })
    }
    expect(spent).toBeLessThanOrEqual(burst + now / LIMITS.fruitlessPause + longest)
  }
)
