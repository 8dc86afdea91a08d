/**
 * Reuse: what a session keeps from one collection to the next is never seen in its results. Projects of files that import each
 * other in several ways are edited at random; after any sequence of states the warm result is that of a cold one.
 */
import { describe, expect, it } from "@effect/vitest"
import { type OpenProject, SourceFrontend } from "@effx/frontend-ts"
import { Effect, Schema, type Scope } from "effect"
import { DOMAIN, type Files, overlaysOf, ROOT, TSCONFIG, withImports } from "./workbench.ts"

const OUT = { outDir: `${ROOT}/.effx/generated` }
const open = (files: Files) =>
  Effect.flatMap(SourceFrontend, (frontend) =>
    frontend.open({ tsconfigPath: `${ROOT}/tsconfig.json`, overlays: overlaysOf(files) })
  )
const live = <A, E>(effect: Effect.Effect<A, E, SourceFrontend | Scope.Scope>) =>
  effect.pipe(Effect.scoped, Effect.provide(SourceFrontend.layer))

const EFFECT = `import { Context, Effect, Schema } from "effect"\n`

/** Every file in its versions; an edit replaces one by another. What each stands for is said by its name. */
const VERSIONS = {
  "src/errors.ts": {
    one: `${EFFECT}export class Late extends Schema.TaggedError<Late>()("Late", { at: Schema.String }) {}`,
    two: `${EFFECT}/** Too late. */
export class Late extends Schema.TaggedError<Late>()("Late", { at: Schema.Int, by: Schema.String }) {}`,
    moved: `${EFFECT}class Later extends Schema.TaggedError<Later>()("Late", { at: Schema.String }) {}
export { Later as Late }`,
    hidden: `${EFFECT}class Late extends Schema.TaggedError<Late>()("Late", {}) {}
export const late = Effect.fail(new Late({}))`
  },
  "src/barrel.ts": {
    star: `export * from "./errors.ts"`,
    named: `export { Late } from "./errors.ts"`,
    broken: `export * from "./errors.ts`
  },
  "src/helper.ts": {
    fails: `${EFFECT}import { Late } from "./barrel.ts"
export const helper = Effect.gen(function* () { return yield* new Late({ at: "now" } as never) })`,
    fine: `${EFFECT}export const helper = Effect.succeed(1)`,
    needs: `${EFFECT}export class Clock extends Context.Service<Clock, { readonly now: Effect.Effect<number> }>()("app/Clock") {}
export const helper = Effect.flatMap(Clock, (clock) => clock.now)`,
    any: `export const helper: any = 1`
  },
  "src/uses.ts": {
    infers: withImports(`import { helper } from "./helper.ts"
export class Uses { @Query({ name: "Uses.Get", success: Text }) static get() { return helper } }`),
    twice: withImports(`import { helper } from "./helper.ts"
export class Uses {
  @Query({ name: "Uses.Get", success: Text }) static get() { return helper }
  @Query({ name: "Uses.Other", success: User }) static other() { return Users.use((users) => users.get("a")) }
}`),
    none: `export {}`
  },
  "src/declares.ts": {
    declares: withImports(`import { Late } from "./barrel.ts"
export const late = Operation.query({ name: "Late", success: Text }).errors(Late).handler(() => Effect.fail(new Late({} as never)))`),
    other: withImports(
      `export const late = Operation.query({ name: "Late", success: User }).handler(() => Users.use((users) => users.get("b")))`
    )
  },
  "src/nested.ts": {
    one: `${EFFECT}export const Inner = Schema.Struct({ id: Schema.String })
export const Outer = Schema.Struct({ inner: Inner })`,
    two: `${EFFECT}export const Inner = Schema.Struct({ id: Schema.Int, more: Schema.optional(Schema.String) })
export const Outer = Schema.Array(Inner)`,
    ambient: `${EFFECT}declare global { interface Shared { readonly id: string } }
export const Inner = Schema.Struct({ id: Schema.String })
export const Outer = Inner`
  },
  "src/outer.ts": {
    uses: withImports(`import { Outer } from "./nested.ts"
export class Nested { @Query({ name: "Nested", success: Outer }) static get() { return Effect.succeed({} as typeof Outer.Type) } }`)
  },
  "src/domain.ts": { usual: DOMAIN, moved: `// moved\n${DOMAIN}` }
} as const

type File = keyof typeof VERSIONS
const FILES = Object.keys(VERSIONS) as ReadonlyArray<File>

/** An edit of one file, or its removal; and whether the session collects before the next. */
const Step = Schema.Struct({
  file: Schema.Literals(FILES as [File, ...Array<File>]),
  version: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 11 })),
  collects: Schema.Boolean
})

const edited = (files: Files, { file, version }: typeof Step.Type): Files => {
  const versions = Object.values(VERSIONS[file])
  const { [file]: _before, ...rest } = files
  // One edit in twelve removes the file; the domain stays, since everything imports it.
  return version === 11 && file !== "src/domain.ts"
    ? rest
    : { ...rest, [file]: versions[version % versions.length] ?? "" }
}

const START: Files = Object.fromEntries(FILES.map((file) => [file, Object.values(VERSIONS[file])[0] ?? ""]))

describe("reuse", () => {
  it.live.prop(
    "is never seen: after any edits, a session collects what a fresh one does",
    { steps: Schema.Array(Step).check(Schema.isMinLength(1), Schema.isMaxLength(12)) },
    ({ steps }) =>
      live(
        Effect.gen(function* () {
          let files = START
          let project: OpenProject = yield* open(files)
          yield* project.collect(OUT)
          for (const step of steps) {
            files = edited(files, step)
            project = yield* project.update({ overlays: overlaysOf(files) })
            if (step.collects) yield* project.collect(OUT)
          }
          const warm = yield* project.collect(OUT)
          const cold = yield* Effect.flatMap(open(files), (fresh) => fresh.collect(OUT))
          expect(warm).toEqual(cold)
        })
      ),
    { timeout: 240_000, arbitrary: { runs: 15, maxShrinks: 20 } }
  )

  /** What `src/mid.ts` hands on, in every form that imports. */
  const MIDS: Readonly<Record<string, (path: string) => string>> = {
    "an import": (path) => `import { helper } from "${path}"\nexport const through = helper`,
    "an export": (path) => `export { helper as through } from "${path}"`,
    "an import type": (path) => `export const through: typeof import("${path}").helper = 0 as never`,
    "an import that is awaited": (path) => `export const through = (await import("${path}")).helper`,
    "an import with attributes": (path) =>
      `import { helper } from "${path}" with { "resolution-mode": "import" }\nexport const through = helper`
  }
  /** What is no import, however much it looks like one. */
  const BESIDE = ["", `import {} from ""`, "import { x } from ", `export * from ""`, `// import "./two.ts"`]

  it.live.each(
    Object.entries(MIDS).flatMap(([form, mid]) =>
      (form.includes("type") || form.includes("awaited") ? BESIDE : BESIDE.slice(0, 2)).map((beside) => ({
        form,
        mid,
        beside
      }))
    )
  )("follows $form to where it leads now, beside $beside", ({ beside, mid }) =>
    live(
      Effect.gen(function* () {
        const base: Files = {
          "src/domain.ts": DOMAIN,
          "src/one.ts": VERSIONS["src/helper.ts"].fine,
          "src/two.ts": VERSIONS["src/helper.ts"].fine,
          "src/uses.ts": withImports(`import { through } from "./mid.ts"
export class Uses { @Query({ name: "Uses.Get", success: Text }) static get() { return through } }`)
        }
        const fails = `${EFFECT}export const helper = Effect.fail("late")`
        const to = (path: string): Files => ({ ...base, "src/mid.ts": `${mid(path)}\n${beside}\n` })
        const states: ReadonlyArray<Files> = [
          to("./two.ts"),
          to("./one.ts"),
          { ...to("./one.ts"), "src/one.ts": fails },
          { ...to("./two.ts"), "src/one.ts": fails }
        ]
        let project = yield* open(states[0] ?? {})
        for (const [index, files] of states.entries()) {
          project = yield* project.update({ overlays: overlaysOf(files) })
          const warm = yield* project.collect(OUT)
          // The first two only lead up to the others.
          if (index < 2) continue
          expect(warm).toEqual(yield* Effect.flatMap(open(files), (fresh) => fresh.collect(OUT)))
        }
      })
    )
  )

  it.live("resolves anew where a manifest that a source imports is another", () =>
    live(
      Effect.gen(function* () {
        const manifest = (to: string) => JSON.stringify({ name: "virtual", type: "module", imports: { "#helper": to } })
        const { fine } = VERSIONS["src/helper.ts"]
        const fails = `${EFFECT}export const helper = Effect.fail("late")`
        const base: Files = {
          "tsconfig.json": JSON.stringify({
            ...TSCONFIG,
            compilerOptions: { ...TSCONFIG.compilerOptions, resolveJsonModule: true }
          }),
          "package.json": manifest("./src/two.ts"),
          "src/one.ts": fine,
          "src/two.ts": fine,
          "src/reads.ts": `import manifest from "../package.json" with { type: "json" }\nexport const { name } = manifest`,
          "src/uses.ts": withImports(`import { helper } from "#helper"
export class Uses { @Query({ name: "Uses.Get", success: Text }) static get() { return helper } }`)
        }
        const moved: Files = { ...base, "package.json": manifest("./src/one.ts") }
        let project = yield* open(base)
        for (const files of [base, moved, { ...moved, "src/one.ts": fails }]) {
          project = yield* project.update({ overlays: overlaysOf(files) })
          const warm = yield* project.collect(OUT)
          expect(warm).toEqual(yield* Effect.flatMap(open(files), (fresh) => fresh.collect(OUT)))
        }
      })
    )
  )

  it.live("keeps what an edit does not affect, and nothing else", () =>
    live(
      Effect.gen(function* () {
        const before = yield* open(START)
        const first = yield* before.collect(OUT)
        const after = yield* before.update({
          overlays: overlaysOf({ ...START, "src/errors.ts": VERSIONS["src/errors.ts"].two })
        })
        const second = yield* after.collect(OUT)
        const kept = second.declarations.filter((declaration) => first.declarations.includes(declaration))
        expect(kept.map(({ file }) => file)).toEqual(["src/outer.ts"])
      })
    )
  )
})
