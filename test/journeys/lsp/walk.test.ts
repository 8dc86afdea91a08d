/**
 * What an editor shows is what a fresh `effx check` says of the same contents, after any sequence of edits, saves and changes of the disk
 * (Spec 0018 §4); the whole length of the walk is in test/soak. `EFFX_SEED` replays another walk.
 */
import { expect, it } from "@effect/vitest"
import { summary, walk } from "./walk.ts"

const MINUTES = 60_000

const SEED = Number(process.env.EFFX_SEED ?? 1)
const STEPS = 100
const STRIDE = 10

it("equals a fresh check after every stretch of random editing", { timeout: 10 * MINUTES }, async () => {
  const walked = await walk({ seed: SEED, steps: STEPS, stride: STRIDE })
  process.stdout.write(`${summary(walked)}\n`)
  expect(walked.difference, summary(walked)).toBeUndefined()
  expect(walked.comparisons).toBe(STEPS / STRIDE)
  expect(walked.withFindings).toBeGreaterThan(0)
})
