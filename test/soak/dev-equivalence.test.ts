/**
 * The walk of test/journeys/dev-equivalence.test.ts at its whole length; `npm run soak` runs it. `EFFX_SEED` replays another one, and
 * `EFFX_STEPS` asks for another length.
 */
import { expect, it } from "@effect/vitest"
import { HEAVY } from "../equivalence/operations.ts"
import { STRIDE, summary, walk } from "../equivalence/walk.ts"
import { effx } from "../journeys/effx.ts"

const MINUTES = 60_000
const WHOLE = 10_000
const STEPS = Number(process.env.EFFX_STEPS ?? WHOLE)

/** How often each kind of operation is done at least; those that take seconds are counted on their own. */
const AT_LEAST = Math.floor((200 * STEPS) / WHOLE)
const AT_LEAST_HEAVY = 3

it.each(process.env.EFFX_SEED === undefined ? [20_261_130] : [Number(process.env.EFFX_SEED)])(
  `equals a fresh check over ${STEPS} steps of the walk of seed %i`,
  { timeout: 60 * MINUTES },
  async (seed) => {
    const walked = await walk({ seed, steps: STEPS, heavy: AT_LEAST_HEAVY, effx })
    process.stdout.write(`${summary(walked)}\n`)
    expect(walked.difference, summary(walked)).toBeUndefined()
    expect(walked.comparisons).toBeGreaterThanOrEqual(STEPS / STRIDE)
    for (const [kind, count] of Object.entries(walked.histogram)) {
      expect(count, kind).toBeGreaterThanOrEqual(kind in HEAVY ? AT_LEAST_HEAVY : AT_LEAST)
    }
    expect(walked.withFindings).toBeGreaterThanOrEqual(0.3 * walked.comparisons)
    // Neither all well nor all of one kind: a walk that only ever finds the same proves little.
    expect(walked.withFindings + walked.unusable).toBeLessThanOrEqual(0.95 * walked.comparisons)
    expect(walked.codes.length).toBeGreaterThanOrEqual(8)
  }
)
