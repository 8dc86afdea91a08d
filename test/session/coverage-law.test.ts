/**
 * The law of coverage: whatever a route leads to, how it gets there or what lies below it changes, the change shows; where nothing of
 * that changes, nothing shows. The reference asks the kernel, in another way than the ledger does.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Arbitrary, Effect, Path, Schema } from "effect"
import { makeLedger } from "../../src/session/coverage/ledger.ts"
import { platform, project } from "./project.ts"

const Inside = Schema.Array(Schema.Literals(["a", "b", "c"])).check(Schema.isMinLength(1), Schema.isMaxLength(3))

const KINDS = ["write", "folder", "remove", "touch", "replace", "noise", "link", "move"] as const

/** Something done to a path below the top; what a kind has no use for is left aside. */
const Step = Schema.Struct({
  kind: Schema.Literals(KINDS),
  at: Inside,
  text: Schema.Literals(["1", "2"]),
  to: Inside,
  climb: Schema.Literals(["", "../", "../../"])
})
type Step = typeof Step.Type

const steps = (minLength: number, maxLength: number) =>
  Arbitrary.array(Arbitrary.schema(Step), { minLength, maxLength })

/** Does a step where it can be done. */
const take = (top: string, done: Step): void => {
  const file = join(top, ...done.at)
  const staged = join(dirname(top), "staged")
  const act = {
    write: () => writeFileSync(file, done.text),
    folder: () => mkdirSync(file, { recursive: true }),
    remove: () => rmSync(file, { recursive: true, force: true }),
    touch: () => utimesSync(file, 7, 7),
    replace: () => {
      writeFileSync(staged, readFileSync(file))
      renameSync(staged, realpathSync(file))
    },
    noise: () => writeFileSync(join(dirname(top), "noise"), done.text),
    link: () => symlinkSync(done.climb + done.to.join("/"), file),
    move: () => renameSync(file, join(top, ...done.to))
  } satisfies Readonly<Record<Step["kind"], () => unknown>>
  attempt<unknown>(act[done.kind])
}

const attempt = <A>(run: () => A): A | string => {
  try {
    return run()
  } catch (error) {
    return String((error as { readonly code?: string }).code)
  }
}

/** All links that the kernel would follow, by cutting the path at each of its prefixes. */
const chain = (path: string): ReadonlyArray<string> => {
  const seen: Array<string> = []
  for (let at = path; at !== "/" && seen.length < 100; at = dirname(at)) {
    const target = attempt(() => (lstatSync(at).isSymbolicLink() ? readlinkSync(at) : ""))
    if (target === "") continue
    const place = attempt(() => join(realpathSync(dirname(at)), at.slice(at.lastIndexOf("/"))))
    seen.push(`${place} -> ${target}`)
    if (!/^E[A-Z]+$/.test(target)) seen.push(...(seen.length < 50 ? chain(join(dirname(place), target)) : []))
  }
  return seen
}

const listing = (folder: string): ReadonlyArray<unknown> =>
  readdirSync(folder)
    .sort()
    .map((name) => {
      const file = join(folder, name)
      const stats = lstatSync(file)
      if (stats.isSymbolicLink()) return [name, "->", readlinkSync(file)]
      return stats.isDirectory() ? [name, listing(file)] : [name, readFileSync(file, "utf8")]
    })

const viewOf = (path: string): string => {
  const holds = attempt(() => (statSync(path).isDirectory() ? listing(realpathSync(path)) : readFileSync(path, "utf8")))
  return JSON.stringify([attempt(() => realpathSync(path)), holds, chain(path)])
}

const RUNS = 250

it.effect.prop(
  "tells a change of a route exactly when there is one",
  { route: Arbitrary.schema(Inside), before: steps(0, 12), after: steps(1, 3) },
  ({ after, before, route }) =>
    Effect.gen(function* () {
      const path = yield* Path.Path
      const top = join(yield* project({ "top/a/b/c": "1", "top/b/a": "2", "top/c": "1" }), "top")
      for (const one of before) take(top, one)
      const file = join(top, ...route)
      const ledger = makeLedger(path)
      const added = yield* Effect.result(ledger.add([{ path: file, reach: "tree", named: "it" }]))
      // A loop is refused; the kernel says so too.
      if (added._tag === "Failure") {
        expect(added.failure.reason).toMatch(/loop|symbolic links/)
        expect(attempt(() => statSync(file))).toBe("ELOOP")
        return
      }
      expect(yield* ledger.changed).toEqual([])
      const view = viewOf(file)
      for (const one of after) take(top, one)
      const changed = yield* ledger.changed
      if (viewOf(file) !== view) expect(changed).not.toEqual([])
      // What is said to be changed is gone, new, or other than it was: without steps that alter, nothing is said.
      if (after.every(({ kind }) => kind === "touch" || kind === "noise" || kind === "replace")) {
        expect(changed).toEqual([])
      }
      const again = makeLedger(path)
      const anew = yield* Effect.result(again.add([{ path: file, reach: "tree", named: "it" }]))
      if (changed.length === 0) {
        expect(anew._tag).toBe("Success")
        expect(again.size()).toBe(ledger.size())
        expect(again.covered()).toEqual(ledger.covered())
      }
      expect(existsSync(top) || changed.length > 0).toBe(true)
    }).pipe(Effect.scoped, Effect.provide(platform)),
  { arbitrary: { runs: RUNS } }
)
