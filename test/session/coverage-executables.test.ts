/** What a session knows of replaced code before, between and after the evaluation of its config (Spec 0018 §3, amendment A). */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { observeExecutables } from "../../src/session/coverage/index.ts"
import type { Prepared } from "../../src/session/run.ts"
import { discover } from "../../src/session/selection.ts"
import { platform, project } from "./project.ts"

const NOTHING = { files: [], folders: [] }

const preparedIn = (folder: string): Prepared => ({
  selection: { cwd: folder, tsconfig: join(folder, "tsconfig.json"), folder }
})

const observing = Effect.fnUntraced(function* (folder: string, files: ReadonlyArray<string> = []) {
  return yield* observeExecutables(yield* discover({}, folder), { files, folders: [] })
})

layer(platform)((it) => {
  it.effect("holds on to a change that was put back", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "tsconfig.json": "{}", "x.ts": "1" })
      const executables = yield* observing(folder, ["x.ts"])
      writeFileSync(join(folder, "x.ts"), "2")
      yield* executables.evaluated(preparedIn(folder), undefined)
      writeFileSync(join(folder, "x.ts"), "1")
      expect(yield* executables.changed).toEqual([join(folder, "x.ts")])
      expect(yield* executables.glance).toEqual([join(folder, "x.ts")])
    })
  )

  it.effect("covers the names of configs that would win, and not those that would lose", () =>
    Effect.gen(function* () {
      const wins = ["effx.config.ts", "effx.config.mts"]
      for (const name of [...wins, "effx.config.mjs"]) {
        const folder = yield* project({ "tsconfig.json": "{}", "effx.config.js": "export default {}" })
        const executables = yield* observing(folder)
        writeFileSync(join(folder, name), "")
        expect(yield* executables.changed).toEqual(wins.includes(name) ? [join(folder, name)] : [])
      }
    })
  )

  it.effect("does not take the removal of a project without a config for replaced code", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "app/tsconfig.json": "{}" })
      const executables = yield* observing(join(folder, "app"))
      rmSync(join(folder, "app"), { recursive: true })
      expect(yield* executables.changed).toEqual([])
    })
  )

  it.effect("refuses a route into outputs when it learns where they go, also by another name", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "tsconfig.json": "{}" })
      mkdirSync(join(folder, "made"))
      symlinkSync("made", join(folder, "alias"))
      const executables = yield* observing(folder, ["alias/x.ts"])
      yield* executables.evaluated(preparedIn(folder), undefined)
      yield* executables.analysed({}, [join(folder, "dist")])
      const settings = (outDir: string) => ({ settings: { outDir } as never })
      yield* executables.analysed(settings(join(folder, "elsewhere")), [])
      const { message } = yield* Effect.flip(executables.analysed(settings(join(folder, "made")), []))
      expect(message).toBe(
        "--exec-file alias/x.ts covers made/x.ts, which lies where effx writes its outputs; choose another outDir, or declare what is not generated"
      )
    })
  )

  it.effect("counts what is declared and observed", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "tsconfig.json": "{}", "effx.config.ts": "" })
      const none = yield* observeExecutables(yield* discover({}, folder), NOTHING)
      const one = yield* observing(folder, ["x.ts"])
      expect(none.summary()).toMatchObject({ declared: 0, loaded: 0 })
      expect(one.summary()).toEqual({ declared: 1, loaded: 0, inputs: none.summary().inputs + 1 })
      expect(Array.from(one.folders())).toContain(folder)
    })
  )
})
