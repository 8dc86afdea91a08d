/**
 * The examples of the catalogue are true: what stands before has the finding, what stands after has no finding at all.
 * Examples about other files than source (a tsconfig, a package.json, an extension) are proved by the broken fixtures.
 */

import { expect, layer } from "@effect/vitest"
import { CORE_ENTRIES } from "@effx/diagnostics"
import { Effect } from "effect"
import { run } from "../compiler/run.ts"
import { Workbench } from "../frontend-ts/workbench.ts"

/** Codes that only a whole run can give, with its settings and versions; the broken fixtures prove them. */
const OF_RUNS: ReadonlySet<string> = new Set(["EFFX0001", "EFFX0003"])

/** The codes that a project gives. */
const codesOf = Effect.fnUntraced(function* (text: string, beside: Readonly<Record<string, string>> = {}) {
  const workbench = yield* Workbench
  const { collected } = yield* workbench.run({ "src/domain.ts": "export {}\n", ...beside, "src/operations.ts": text })
  return Array.from(new Set(run(collected).diagnostics.map(({ code }) => code)))
})

const examples = CORE_ENTRIES.flatMap(({ code, examples }) =>
  examples.flatMap((example) => (example.file === undefined && !OF_RUNS.has(code) ? [{ code, example }] : []))
)

layer(Workbench.layer)("the example of", (it) => {
  for (const { code, example } of examples) {
    it.effect(`${code}: ${example.title}`, () =>
      Effect.gen(function* () {
        expect(yield* codesOf(example.before, example.beside)).toEqual([code])
        expect(yield* codesOf(example.after, example.beside)).toEqual([])
      })
    )
  }

  it("every code about source is here", () => expect(examples.length).toBeGreaterThan(25))
})
