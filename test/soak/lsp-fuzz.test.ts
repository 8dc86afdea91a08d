/** The language server under random sessions with fixed seeds: 20,000 in memory and 500 of the packed program (gate 6 of Spec 0018). */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fuzz, fuzzFolder } from "../journeys/lsp/fuzz.ts"
import { runSequences } from "../lsp/fuzz.ts"
import { folder } from "../lsp/harness.ts"

const SEQUENCES = 20_000

it.live(
  "answers as the protocol says or ends with a reason, whatever comes",
  () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "src/a.ts": "export {}\n" })
      expect(yield* runSequences(1, SEQUENCES, cwd)).toEqual([])
    }).pipe(Effect.scoped),
  1_200_000
)

const PACKED = 500
const TOGETHER = 4

it("of the packed program does so too", { timeout: 1_200_000 }, async () => {
  const cwd = fuzzFolder()
  const problems: Array<string> = []
  for (let seed = 1; seed <= PACKED; seed += TOGETHER) {
    const several = await Promise.all(Array.from({ length: TOGETHER }, (_, at) => fuzz(seed + at, cwd)))
    problems.push(...several.flatMap((problem) => problem ?? []))
  }
  expect(problems).toEqual([])
})
