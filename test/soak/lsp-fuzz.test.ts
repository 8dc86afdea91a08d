/** The adapter of the language server in memory under 20,000 random sessions with fixed seeds (gate 6 of Spec 0018). */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
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
