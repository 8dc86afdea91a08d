/**
 * The walk of test/journeys/lsp/walk.test.ts at its whole length: 10,000 steps in 400 sessions. `EFFX_SEED` replays another one.
 */
import { expect, it } from "@effect/vitest"
import { type Kind, summary, walk } from "../journeys/lsp/walk.ts"

const MINUTES = 60_000

const SEED = Number(process.env.EFFX_SEED ?? 1)
const STEPS = Number(process.env.EFFX_STEPS ?? 10_000)
const STRIDE = 25

it("equals a fresh check after every stretch of random editing", { timeout: 120 * MINUTES }, async () => {
  const walked = await walk({ seed: SEED, steps: STEPS, stride: STRIDE })
  process.stdout.write(`${summary(walked)}\n`)
  expect(walked.difference, summary(walked)).toBeUndefined()
  expect(walked.comparisons).toBe(STEPS / STRIDE)
  for (const [kind, count] of Object.entries(walked.histogram) as Array<[Kind, number]>) {
    expect(count, kind).toBeGreaterThan(0)
  }
  // Neither all well nor all of one kind: a walk that only ever finds the same proves little.
  expect(walked.withFindings).toBeGreaterThan(0.1 * walked.documents)
  expect(walked.withFindings).toBeLessThan(0.9 * walked.documents)
  expect(walked.codes.length).toBeGreaterThanOrEqual(8)
})

it("notices a planted fault", { timeout: 120 * MINUTES }, async () => {
  const walked = await walk({ seed: SEED, steps: STEPS, stride: STRIDE, env: { EFFX_TEST_FAULT: "stale-reuse" } })
  expect(walked.difference, summary(walked)).toBeDefined()
})
