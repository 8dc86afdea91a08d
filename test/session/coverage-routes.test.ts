/** What a covered route observes on the way, what it refuses, and what it leaves out (Spec 0018 §4, amendment A). */
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, layer } from "@effect/vitest"
import { Effect, Path } from "effect"
import { type CoverageLimits, makeLedger } from "../../src/session/coverage/ledger.ts"
import type { Reach, Route } from "../../src/session/coverage/route.ts"
import { lookAt } from "../../src/session/host.ts"
import { LIMITS } from "../../src/session/limits.ts"
import { platform, project } from "./project.ts"

const route = (path: string, reach: Reach = "names"): Route => ({ path, reach, named: "it" })

const ledgerWith = (limits: Partial<CoverageLimits> = {}) =>
  Effect.map(Path.Path, (path) => makeLedger(path, { ...LIMITS.coverage, ...limits }))

/** A ledger of these routes. */
const covering = Effect.fnUntraced(function* (...routes: ReadonlyArray<Route>) {
  const ledger = yield* ledgerWith()
  yield* ledger.add(routes)
  return ledger
})

const retarget = (link: string, target: string) => {
  rmSync(link, { force: true })
  symlinkSync(target, link)
}

/** Why these routes are refused, with the path that is named beside the route. */
const refusal = Effect.fnUntraced(function* (limits: Partial<CoverageLimits>, ...routes: ReadonlyArray<Route>) {
  const ledger = yield* ledgerWith(limits)
  const { path, reason } = yield* Effect.flip(ledger.add(routes))
  return [reason, path]
})

/** Waits until the times of a file are old enough to be believed. */
const old = (file: string) =>
  Effect.promise(async () => {
    for (let look = lookAt(file); !("stamp" in look) || look.stamp === undefined; look = lookAt(file)) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })

layer(platform)("a route", (it) => {
  it.effect("is the links on its way, where they point as written, and the bytes at its end", () =>
    Effect.gen(function* () {
      const top = yield* project({ "v1/index.js": "1", "v2/index.js": "1" })
      symlinkSync("v1", join(top, "current"))
      symlinkSync("current", join(top, "alias"))
      const ledger = yield* covering(route(join(top, "alias/index.js")))
      expect(yield* ledger.changed).toEqual([])
      retarget(join(top, "current"), "v2")
      expect(yield* ledger.changed).toEqual([join(top, "current")])
      retarget(join(top, "current"), "./v1")
      expect(yield* ledger.changed).toEqual([join(top, "current")])
      retarget(join(top, "current"), "v1")
      expect(yield* ledger.changed).toEqual([])
      writeFileSync(join(top, "v1/index.js"), "2")
      expect(yield* ledger.changed).toEqual([join(top, "v1/index.js")])
    })
  )

  it.effect("keeps each of two names of one file", () =>
    Effect.gen(function* () {
      const top = yield* project({ "real/x.js": "1", "other/x.js": "1" })
      symlinkSync("real", join(top, "a"))
      symlinkSync("real", join(top, "b"))
      for (const alias of ["a", "b"]) {
        const ledger = yield* covering(route(join(top, "a/x.js")), route(join(top, "b/x.js")))
        retarget(join(top, alias), "other")
        expect(yield* ledger.changed).toEqual([join(top, alias)])
        retarget(join(top, alias), "real")
      }
    })
  )

  it.effect("that leads nowhere sees every component of its rest appear", () =>
    Effect.gen(function* () {
      const top = yield* project({})
      const missing = join(top, "a/b/c.js")
      for (const [make, component] of [
        [() => mkdirSync(join(top, "a")), "a"],
        [() => mkdirSync(join(top, "a/b")), "a/b"],
        [() => writeFileSync(missing, ""), "a/b/c.js"]
      ] as const) {
        const ledger = yield* covering(route(missing))
        expect(yield* ledger.changed).toEqual([])
        expect(Array.from(ledger.folders())).toContain(dirname(join(top, component)))
        make()
        expect(yield* ledger.changed).toEqual([join(top, component)])
      }
      const through = yield* covering(route(join(missing, "below-a-file.js")))
      rmSync(missing)
      expect(yield* through.changed).toEqual([missing])
    })
  )

  it.effect("takes no offence at the same bytes under another inode, time or mode", () =>
    Effect.gen(function* () {
      const top = yield* project({ "x.js": "1", "staged.js": "1" })
      const ledger = yield* covering(route(join(top, "x.js")))
      renameSync(join(top, "staged.js"), join(top, "x.js"))
      utimesSync(join(top, "x.js"), 1, 1)
      expect(yield* ledger.changed).toEqual([])
    })
  )

  it.effect("is not deceived by equal size and a time that was put back", () =>
    Effect.gen(function* () {
      const top = yield* project({ "x.js": "1" })
      const file = join(top, "x.js")
      utimesSync(file, 1000, 1000)
      yield* old(file)
      const ledger = yield* covering(route(file))
      expect(yield* ledger.changed).toEqual([])
      writeFileSync(file, "2")
      utimesSync(file, 1000, 1000)
      yield* old(file)
      expect(yield* ledger.changed).toEqual([file])
    })
  )

  it.effect("with the reach of presence sees only whether anything is there", () =>
    Effect.gen(function* () {
      const top = yield* project({ "app/x": "" })
      const ledger = yield* covering(route(join(top, "app/effx.config.ts"), "presence"))
      renameSync(join(top, "app"), join(top, "gone"))
      expect(yield* ledger.changed).toEqual([])
      mkdirSync(join(top, "app"))
      symlinkSync("nowhere", join(top, "app/effx.config.ts"))
      expect(yield* ledger.changed).toEqual([join(top, "app/effx.config.ts")])
    })
  )
})

layer(platform)("a folder", (it) => {
  it.effect("is its names, kinds and link destinations; with its tree, also all that lies below", () =>
    Effect.gen(function* () {
      const files = { "tree/x.js": "1", "tree/sub/deep.js": "1", "elsewhere/y.js": "1" }
      const changes: Readonly<Record<string, readonly [change: (top: string) => void, names: boolean]>> = {
        "tree/new.js": [(top) => writeFileSync(join(top, "tree/new.js"), ""), true],
        "tree/x.js": [
          (top) => {
            rmSync(join(top, "tree/x.js"))
            mkdirSync(join(top, "tree/x.js"))
          },
          true
        ],
        "tree/link": [(top) => retarget(join(top, "tree/link"), "../elsewhere/"), true],
        "tree/sub": [(top) => rmSync(join(top, "tree/sub"), { recursive: true }), true],
        "tree/sub/deep.js": [(top) => writeFileSync(join(top, "tree/sub/deep.js"), "2"), false],
        "tree/sub/new.js": [(top) => writeFileSync(join(top, "tree/sub/new.js"), ""), false]
      }
      for (const [path, [change, names]] of Object.entries(changes)) {
        for (const reach of ["names", "tree"] as const) {
          const top = yield* project(files)
          symlinkSync("../elsewhere", join(top, "tree/link"))
          const ledger = yield* covering(route(join(top, "tree"), reach))
          expect(yield* ledger.changed).toEqual([])
          change(top)
          expect(yield* ledger.changed).toEqual(reach === "tree" || names ? [join(top, path)] : [])
        }
      }
    })
  )

  it.effect("does not follow the links in it, which need routes of their own", () =>
    Effect.gen(function* () {
      const top = yield* project({ "tree/x.js": "1", "elsewhere/y.js": "1" })
      symlinkSync("../elsewhere", join(top, "tree/link"))
      symlinkSync("..", join(top, "tree/cycle"))
      const tree = route(join(top, "tree"), "tree")
      const alone = yield* covering(tree)
      const declared = yield* covering(tree, route(join(top, "tree/link/y.js")))
      writeFileSync(join(top, "elsewhere/y.js"), "2")
      expect(yield* alone.changed).toEqual([])
      expect(yield* declared.changed).toEqual([join(top, "elsewhere/y.js")])
    })
  )

  it.effect("is walked once under all its names", () =>
    Effect.gen(function* () {
      const top = yield* project({ "tree/x.js": "1", "tree/sub/y.js": "1" })
      symlinkSync("tree", join(top, "alias"))
      const once = yield* covering(route(join(top, "tree"), "tree"))
      const twice = yield* covering(
        route(join(top, "tree"), "tree"),
        route(join(top, "alias"), "tree"),
        route(join(top, "tree/sub"), "tree"),
        route(join(top, "tree"), "names")
      )
      expect(twice.size()).toBe(once.size() + 1)
      expect(twice.covered()).toHaveLength(4)
    })
  )

  it.effect("leaves out version control and what is excluded, but never what is declared itself", () =>
    Effect.gen(function* () {
      const top = yield* project({ "src/x.js": "", ".git/HEAD": "a", "out/y.js": "1", "dist/z.js": "1" })
      const ledger = yield* covering(route(top, "tree"), route(join(top, "dist"), "tree"))
      ledger.exclude([join(top, "out"), join(top, "dist"), join(top, "later")])
      writeFileSync(join(top, ".git/HEAD"), "b")
      writeFileSync(join(top, "out/y.js"), "2")
      writeFileSync(join(top, "out/new.js"), "")
      mkdirSync(join(top, "later"))
      mkdirSync(join(top, "src/.hg"))
      expect(yield* ledger.changed).toEqual([])
      writeFileSync(join(top, "dist/z.js"), "2")
      expect(yield* ledger.changed).toEqual([join(top, "dist/z.js")])
    })
  )
})

layer(platform)("a limit", (it) => {
  it.effect("of links holds for a chain of 40 and refuses one of 41, as it does a loop", () =>
    Effect.gen(function* () {
      const top = yield* project({ l0: "1" })
      for (let link = 1; link <= LIMITS.coverage.links + 1; link++) symlinkSync(`l${link - 1}`, join(top, `l${link}`))
      const ledger = yield* covering(route(join(top, `l${LIMITS.coverage.links}`)))
      writeFileSync(join(top, "l0"), "2")
      expect(yield* ledger.changed).toEqual([join(top, "l0")])
      expect(yield* refusal({}, route(join(top, `l${LIMITS.coverage.links + 1}`)))).toEqual([
        "leads through more than 40 symbolic links",
        undefined
      ])
      symlinkSync("two", join(top, "one"))
      symlinkSync("one", join(top, "two"))
      symlinkSync("grows/x", join(top, "grows"))
      expect(yield* refusal({}, route(join(top, "one/x.js")))).toEqual(["is part of a symbolic link loop", undefined])
      expect(yield* refusal({}, route(join(top, "grows")))).toEqual([
        "leads through more than 40 symbolic links",
        undefined
      ])
    })
  )

  it.effect("of a path holds for 4,096 bytes, counted as UTF-8, and refuses one more", () =>
    Effect.gen(function* () {
      const top = yield* project({})
      const of = (bytes: number) => {
        const start = join(top, "gone", "é/".repeat(20))
        return start + "x".repeat(bytes - Buffer.byteLength(start))
      }
      const reason = ["is a path of more than 4,096 bytes", undefined]
      yield* covering(route(of(LIMITS.coverage.path)))
      expect(yield* refusal({}, route(of(LIMITS.coverage.path + 1)))).toEqual(reason)
      symlinkSync("gone/".repeat(20), join(top, "l"))
      expect(yield* refusal({}, route(`${top}/l/${"x/".repeat((4090 - Buffer.byteLength(top)) / 2)}`))).toEqual(reason)
    })
  )

  it.effect("of depth holds for 64 folders below a declared one and refuses one more", () =>
    Effect.gen(function* () {
      const top = yield* project({})
      const deepest = join(top, "d/".repeat(LIMITS.coverage.depth))
      mkdirSync(deepest, { recursive: true })
      const ledger = yield* covering(route(top, "tree"))
      mkdirSync(join(deepest, "d"))
      expect(yield* ledger.changed).toEqual([join(deepest, "d")])
      expect(yield* refusal({}, route(top, "tree"))).toEqual(["lies more than 64 folders deep", join(deepest, "d")])
      yield* covering(route(top, "tree"), route(deepest, "tree"))
    })
  )

  it.effect("of inputs and of bytes holds at the limit and refuses one more", () =>
    Effect.gen(function* () {
      const top = yield* project({ "tree/a": "123", "tree/b": "45" })
      const tree = route(join(top, "tree"), "tree")
      const { size } = yield* covering(tree)
      const exact = yield* ledgerWith({ inputs: size(), bytes: 5 })
      yield* exact.add([tree])
      expect(yield* refusal({ inputs: size() - 1 }, tree)).toEqual([
        `makes more than ${size() - 1} covered files and folders; declare fewer`,
        undefined
      ])
      expect(yield* refusal({ bytes: 4 }, tree)).toEqual([
        "makes more than 4 bytes of covered files; declare fewer",
        undefined
      ])
      expect([LIMITS.coverage.inputs, LIMITS.coverage.bytes]).toEqual([200_000, 512 * 1024 * 1024])
    })
  )

  it.effect("is none that a device passes", () =>
    Effect.gen(function* () {
      expect(yield* refusal({}, route("/dev/null"))).toEqual(["is neither a file nor a folder", undefined])
    })
  )
})
