/**
 * The law of coverage: whatever a route leads to, how it gets there or what lies below it changes, the change shows; where nothing of
 * that changes, nothing shows. The reference asks the kernel, in another way than the ledger does.
 */
import {
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

const Inside = Schema.Array(Schema.Literals(["a", "b"])).check(Schema.isMinLength(1), Schema.isMaxLength(3))

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

/** Links that the reference follows one behind another. */
const LINKS = 4

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

/** What the kernel finds at each prefix of a path, and at each prefix of where the links among them point. */
const prefixes = (path: string, depth = 0): ReadonlyArray<unknown> => {
  if (path === "/") return []
  const before = prefixes(dirname(path), depth)
  const place = attempt(() => join(realpathSync(dirname(path)), path.slice(path.lastIndexOf("/"))))
  const stats = attempt(() => lstatSync(path))
  if (typeof stats === "string") return [...before, stats === "ENOTDIR" ? "ENOENT" : stats]
  if (!stats.isSymbolicLink()) return [...before, [place, stats.isDirectory()]]
  const target = readlinkSync(path)
  const beyond = depth > LINKS ? [] : prefixes(join(dirname(place), target), depth + 1)
  return [...before, [place, target, beyond]]
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
  return JSON.stringify([holds, prefixes(path)])
}

const RUNS = 150

it.effect.prop(
  "tells a change of a route exactly when there is one",
  { route: Arbitrary.schema(Inside), before: steps(0, 8), after: steps(8, 20) },
  ({ after, before, route }) =>
    Effect.gen(function* () {
      const path = yield* Path.Path
      const top = join(yield* project({ "top/a/a/b": "1", "top/a/b": "2" }), "top")
      symlinkSync("a/a", join(top, "b"))
      for (const one of before) take(top, one)
      const file = join(top, ...route)
      for (const one of after) {
        const ledger = makeLedger(path)
        const added = yield* Effect.result(ledger.add([{ path: file, reach: "tree", named: "it" }]))
        const view = viewOf(file)
        // A loop is refused; the kernel says so too.
        if (added._tag === "Failure") {
          expect(added.failure.reason).toMatch(/loop|symbolic links/)
          expect(attempt(() => statSync(file))).toBe("ELOOP")
        } else {
          expect(yield* ledger.changed).toEqual([])
        }
        take(top, one)
        if (added._tag === "Failure") continue
        const changed = yield* ledger.changed
        expect({ one, changed: changed.length > 0 }).toEqual({ one, changed: viewOf(file) !== view })
      }
    }).pipe(Effect.scoped, Effect.provide(platform)),
  { arbitrary: { runs: RUNS } }
)
