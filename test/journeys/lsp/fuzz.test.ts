/** The packed server under random sessions with fixed seeds; test/soak runs many more (gate 6 of Spec 0018). */
import { expect, it } from "@effect/vitest"
import { fuzz, fuzzFolder } from "./fuzz.ts"

const SEEDS = Array.from({ length: 10 }, (_, at) => 100_000 + at)

it("answers as the protocol says or ends with a reason, whatever comes", async () => {
  const cwd = fuzzFolder()
  const problems = await Promise.all(SEEDS.map((seed) => fuzz(seed, cwd)))
  expect(problems.filter((problem) => problem !== undefined)).toEqual([])
})
