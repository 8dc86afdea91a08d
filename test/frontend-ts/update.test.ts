/** Updates: a warm project collects what a cold one does; states are coherent and do not leak into each other. */
import { heapStats } from "bun:jsc"
import { describe, expect, it } from "@effect/vitest"
import { type OpenProject, SourceFrontend } from "@effx/frontend-ts"
import { Effect, Schema, type Scope } from "effect"
import { DOMAIN, type Files, overlaysOf, ROOT, withImports } from "./workbench.ts"

const OUT = { outDir: `${ROOT}/.effx/generated` }
const open = (files: Files) =>
  Effect.flatMap(SourceFrontend, (frontend) =>
    frontend.open({ tsconfigPath: `${ROOT}/tsconfig.json`, overlays: overlaysOf(files) })
  )
const live = <A, E>(effect: Effect.Effect<A, E, SourceFrontend | Scope.Scope>) =>
  effect.pipe(Effect.scoped, Effect.provide(SourceFrontend.layer))

/** One file in one of several states; `absent` is the file missing. */
const MAIN = {
  plain: withImports(`export class C {
  @Query({ success: Text }) @Errors(NotFound) static m() { return Effect.fail(new NotFound({ id: "" })) }
}`),
  other: withImports(`export class C {
  @Query({ success: User }) @Http.Get(PATH) static m() { return Users.use((users) => users.get("a")) }
}
const PATH = "/a"`),
  broken: withImports(`export class C { @Query({ success: `),
  imports: withImports(`import { Far } from "./far.ts"
export const v = Operation.query({ success: Text }).errors(Far).handler(() => Effect.fail(new Far({})))`)
} as const
const FAR = {
  one: `import { Schema } from "effect"
export class Far extends Schema.TaggedError<Far>()("Far", {}) {}`,
  two: `import { Schema } from "effect"
class Inner extends Schema.TaggedError<Inner>()("Far", { id: Schema.String }) {}
export { Inner as Far }`
} as const

const State = Schema.Struct({
  main: Schema.Literals(["plain", "other", "broken", "imports", "absent"]),
  far: Schema.Literals(["one", "two", "absent"]),
  domain: Schema.Literals(["usual", "longer"])
})
const filesOf = ({ domain, far, main }: typeof State.Type): Files => ({
  "src/domain.ts": domain === "usual" ? DOMAIN : `// moved\n${DOMAIN}`,
  ...(main !== "absent" && { "src/main.ts": MAIN[main] }),
  ...(far !== "absent" && { "src/far.ts": FAR[far] })
})

describe("updates", () => {
  /** What an editor has open while only some of it is edited: each text is of another state. */
  const OPENED = ["src/main.ts", "src/far.ts", "src/domain.ts"] as const
  it.live.each([1, 2, 3])("of %d files in turn hold nothing of the states before the last", (files) =>
    live(
      Effect.gen(function* () {
        let project: OpenProject = yield* open({})
        const texts: Record<string, string> = {
          "src/main.ts": MAIN.plain,
          "src/far.ts": FAR.one,
          "src/domain.ts": DOMAIN
        }
        const edit = Effect.fnUntraced(function* (times: number) {
          for (let time = 0; time < times; time++) {
            const file = OPENED[time % files] ?? ""
            texts[file] = `${texts[file]?.replace(/\/\/ \d+\n$/, "")}// ${time}\n`
            project = yield* project.update({ overlays: overlaysOf(texts) })
            yield* project.collect(OUT)
            // What is watched, which every session asks for.
            project.inputs()
          }
          yield* Effect.sleep("10 millis")
          Bun.gc(true)
          return heapStats().objectTypeCounts.Map ?? 0
        })
        const before = yield* edit(30)
        // The client alone has seven maps for each state.
        expect(yield* edit(60)).toBeLessThan(before + 3 * 60)
      })
    )
  )

  it.live.prop(
    "a warm project collects what a cold one does",
    { states: Schema.Array(State).check(Schema.isMinLength(1), Schema.isMaxLength(5)) },
    ({ states }) =>
      live(
        Effect.gen(function* () {
          let project: OpenProject = yield* open({})
          for (const state of states) project = yield* project.update({ overlays: overlaysOf(filesOf(state)) })
          const warm = yield* project.collect(OUT)
          const cold = yield* Effect.flatMap(open(filesOf(states.at(-1) as typeof State.Type)), (fresh) =>
            fresh.collect(OUT)
          )
          expect(warm).toEqual(cold)
        })
      ),
    { timeout: 240_000, arbitrary: { runs: 12, maxShrinks: 10 } }
  )

  it.live("a collection under way keeps its state while the next one is made", () =>
    live(
      Effect.gen(function* () {
        const before = yield* open({ "src/main.ts": MAIN.plain })
        const [old, after] = yield* Effect.all(
          [before.collect(OUT), before.update({ overlays: overlaysOf({ "src/main.ts": MAIN.other }) })],
          { concurrency: "unbounded" }
        )
        expect(old.declarations[0]?.annotations.map(({ name }) => name)).toEqual(["Query", "Errors"])
        const next = yield* after.collect(OUT)
        expect(next.declarations[0]?.annotations.map(({ name }) => name)).toEqual(["Query", "Http.Get"])
      })
    )
  )

  it.live("entry narrows to the files that it names and what they import", () =>
    live(
      Effect.gen(function* () {
        const operation = (name: string) =>
          withImports(`export const ${name} = Operation.query({ success: Text }).handler(() => Effect.succeed(""))`)
        const project = yield* open({ "src/a.ts": operation("a"), "src/b.ts": operation("b") })
        const whole = yield* project.collect(OUT)
        expect(whole.declarations.map(({ id }) => id)).toEqual(["a", "b"])
        const narrowed = yield* project.collect({ ...OUT, entry: [`${ROOT}/src/b.ts`] })
        expect(narrowed.declarations.map(({ id }) => id)).toEqual(["b"])
      })
    )
  )
})
