/** The adapter in memory under random sessions, with fixed seeds; test/soak runs many more. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { runSequences } from "./fuzz.ts"
import { folder } from "./harness.ts"

const SEQUENCES = 300

it.live("answers as the protocol says or ends with a reason, whatever comes", () =>
  Effect.gen(function* () {
    const cwd = yield* folder({ "src/a.ts": "export {}\n" })
    expect(yield* runSequences(1, SEQUENCES, cwd)).toEqual([])
  }).pipe(Effect.scoped)
)
