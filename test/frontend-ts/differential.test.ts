/** TypeScript 7 and TypeScript 6.0.3 infer the same errors and requirements, on fixtures and on random handlers. */
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import type { Channel, Collected, Declaration } from "@effx/compiler"
import { SourceFrontend } from "@effx/frontend-ts"
import { Glob } from "bun"
import { Arbitrary, Effect } from "effect"
import { anyHandler, expression, type Handler, PARTS, program, within } from "./handlers.ts"
import { oracle, type Verdict } from "./oracle.ts"
import { overlaysOf, ROOT } from "./workbench.ts"

const names = (channel: Channel): ReadonlyArray<string> =>
  channel._tag === "Unknowable"
    ? [channel.reason]
    : channel.members.map((each) => (each._tag === "Opaque" ? `?${each.display}` : each.ref.export)).sort()

const verdictOf = ({ signature }: Declaration): Verdict =>
  signature === undefined
    ? "no Effect"
    : { errors: names(signature.errors), requirements: names(signature.requirements) }

const collect = (tsconfigPath: string, overlays: ReadonlyMap<string, string>): Effect.Effect<Collected, unknown> =>
  Effect.gen(function* () {
    const frontend = yield* SourceFrontend
    const project = yield* frontend.open({ tsconfigPath, overlays })
    return yield* project.collect({ outDir: `${ROOT}/out` })
  }).pipe(Effect.scoped, Effect.provide(SourceFrontend.layer))

const FIXTURES = fileURLToPath(new URL("../../fixtures/", import.meta.url))

/**
 * Every fixture: the clean ones, and each broken one with its repaired twin. One has an Effect without the types that inference
 * reads, which is its point.
 */
const projects = Array.from(new Glob("**/tsconfig.json").scanSync(FIXTURES), (file) => dirname(file))
  .filter((folder) => !folder.split("/").includes("node_modules") && folder !== "broken/EFFX2701/broken")
  .sort()

describe("both engines agree", () => {
  it.live.each(projects)("on fixtures/%s", (fixture) =>
    Effect.gen(function* () {
      const tsconfig = `${FIXTURES}${fixture}/tsconfig.json`
      const collected = yield* collect(tsconfig, new Map())
      const { verdicts } = oracle(tsconfig, new Map())
      for (const declaration of collected.declarations.filter(({ kind }) => kind !== "model")) {
        const expected = verdicts(join(FIXTURES, fixture, declaration.file)).get(declaration.id)
        expect([declaration.id, verdictOf(declaration)]).toEqual([declaration.id, expected])
      }
    })
  )

  it("and no fixture is left out", () => {
    expect(projects).toContain("users")
    expect(projects).toContain("monorepo/apps/server")
    expect(projects.length).toBeGreaterThan(40)
  })

  /** Handlers of one run, in files of 50: both engines start once. */
  const PER_FILE = 50
  const disagreements = (handlers: ReadonlyArray<Handler>) =>
    Effect.gen(function* () {
      const files: Record<string, string> = { "src/parts.ts": PARTS }
      for (let from = 0; from < handlers.length; from += PER_FILE) {
        files[`src/h${from}.ts`] = program(handlers.slice(from, from + PER_FILE))
      }
      const overlays = overlaysOf(files)
      const collected = yield* collect(`${ROOT}/tsconfig.json`, overlays)
      const { verdicts } = oracle(`${ROOT}/tsconfig.json`, overlays)
      const found = new Map(collected.declarations.map((each) => [`${each.file} ${each.id}`, verdictOf(each)]))
      expect(found.size).toBe(handlers.length)
      return handlers.flatMap((handler, index) => {
        const file = `src/h${index - (index % PER_FILE)}.ts`
        const id = `C.m${index % PER_FILE}`
        const ours = found.get(`${file} ${id}`)
        const theirs = verdicts(`${ROOT}/${file}`).get(id)
        expect(theirs).toBeDefined()
        return JSON.stringify(ours) === JSON.stringify(theirs)
          ? []
          : [{ handler, source: expression(handler), ours, theirs }]
      })
    })

  it.live.prop(
    "on random handlers",
    { handlers: Arbitrary.array(anyHandler, { minLength: 300, maxLength: 300 }) },
    ({ handlers }) =>
      Effect.gen(function* () {
        const [found] = yield* disagreements(handlers)
        if (found === undefined) return
        // Starting both engines for every step of a shrinker would take minutes; all parts of one culprit fit in one run.
        const parts = yield* disagreements(within(found.handler))
        const [{ ours, source, theirs }] = [...parts].sort((a, b) => a.source.length - b.source.length) as [
          typeof found
        ]
        expect({ source, verdict: ours }).toEqual({ source, verdict: theirs })
      }),
    { timeout: 240_000, arbitrary: { runs: 1, maxShrinks: 0 } }
  )
})
