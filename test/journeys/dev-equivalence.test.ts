/**
 * What `effx dev` says is what a fresh `effx check` says, after any sequence of operations on the disk (Spec 0018 §4); the whole length of
 * the walk is in test/soak. `EFFX_SEED` replays another walk.
 */
import { expect, it } from "@effect/vitest"
import { STRIDE, summary, walk } from "../equivalence/walk.ts"
import { effx } from "./effx.ts"

const MINUTES = 60_000

/** Walks that anybody can repeat; each of them notices every planted fault. */
const SEED = Number(process.env.EFFX_SEED ?? 12)
const STEPS = 300

it("equals a fresh check after every stretch of a random walk", { timeout: 15 * MINUTES }, async () => {
  const walked = await walk({ seed: SEED, steps: STEPS, heavy: 1, effx })
  process.stdout.write(`${summary(walked)}\n`)
  expect(walked.difference, summary(walked)).toBeUndefined()
  expect(walked.comparisons).toBeGreaterThanOrEqual(STEPS / STRIDE)
  expect(Math.min(...Object.values(walked.histogram))).toBeGreaterThan(0)
  expect(walked.withFindings).toBeGreaterThanOrEqual(0.3 * walked.comparisons)
  // Neither all well nor all of one kind: a walk that only ever finds the same proves little.
  expect(walked.withFindings + walked.unusable).toBeLessThanOrEqual(0.95 * walked.comparisons)
  expect(walked.codes.length).toBeGreaterThanOrEqual(8)
})

it.each(["lost-event", "stale-reuse", "ignored-retarget"])(
  "notices a planted fault: %s",
  { timeout: 15 * MINUTES },
  async (fault) => {
    const walked = await walk({ seed: SEED, steps: STEPS, heavy: 0, effx, env: { EFFX_TEST_FAULT: fault } })
    process.stdout.write(`${fault}: ${summary(walked).split("\n")[0]}, at step ${walked.difference?.step}\n`)
    expect(walked.difference).toBeDefined()
  }
)
