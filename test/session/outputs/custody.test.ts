import { expect, layer } from "@effect/vitest"
import { inspectOutputs, outputSet, takeCustody } from "@effx/session"
import { Effect, FileSystem, Path } from "effect"
import { contents, platform, project } from "../project.ts"
import { encodeManifest } from "./encode-manifest.ts"
import { settingsFor, textOf, version } from "./versions.ts"

const build = Effect.fnUntraced(function* (folder: string, n: number, overwrite = false, outDir?: string) {
  const settings = settingsFor(folder)
  const { commit } = yield* takeCustody(outDir === undefined ? settings : { ...settings, outDir })
  return yield* commit(version(n), { overwrite })
}, Effect.scoped)

const expected = (n: number) => Object.fromEntries(version(n).map(({ path, text }) => [path, text]))

const readOnly = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    return (yield* fs.stat(file)).mtime
  })

layer(platform)((it) => {
  it.effect("writes a complete set and nothing else", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "tsconfig.json": "{}" })
      const { removed, unchanged, written } = yield* build(folder, 0)
      expect(yield* contents(folder)).toEqual({ "tsconfig.json": "{}", ...expected(0) })
      expect({ removed, unchanged, written: written.map(({ path }) => path) }).toEqual({
        removed: [],
        unchanged: [],
        written: version(0).map(({ path }) => path)
      })
    })
  )

  it.effect("keeps the modification time of what does not change", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* project({})
      yield* build(folder, 0)
      const past = new Date(1_000_000_000_000)
      yield* Effect.forEach(version(0), ({ path }) => fs.utimes(`${folder}/${path}`, past, past), { discard: true })
      expect((yield* build(folder, 0)).written).toEqual([])
      for (const { path } of version(0)) expect(yield* readOnly(`${folder}/${path}`)).toMatchObject({ value: past })
      yield* build(folder, 1)
      expect(yield* readOnly(`${folder}/generated/constant.ts`)).toMatchObject({ value: past })
      expect(yield* readOnly(`${folder}/generated/always.ts`)).not.toMatchObject({ value: past })
    })
  )

  it.effect("removes what is no longer generated with the folders that it leaves empty, and no sentinel", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "generated/even/sentinel.txt": "mine", "generated/notes.md": "mine too" })
      yield* build(folder, 0)
      expect((yield* build(folder, 1)).removed).toEqual(["generated/even/one.ts", "generated/third.ts"])
      expect(yield* contents(folder)).toEqual({
        "generated/even/sentinel.txt": "mine",
        "generated/notes.md": "mine too",
        ...expected(1)
      })
      const fresh = yield* project({})
      yield* build(fresh, 0)
      yield* build(fresh, 1)
      const fs = yield* FileSystem.FileSystem
      expect(yield* fs.exists(`${fresh}/generated/even`)).toBe(false)
    })
  )

  it.effect("names every foreign and edited file before it writes anything", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* project({})
      yield* build(folder, 1)
      yield* fs.writeFileString(`${folder}/generated/always.ts`, "edited")
      yield* fs.makeDirectory(`${folder}/generated/even`)
      yield* fs.writeFileString(`${folder}/generated/even/one.ts`, "foreign")
      const before = yield* contents(folder)
      const error = yield* Effect.flip(build(folder, 2))
      expect(error).toMatchObject({
        _tag: "OutputConflict",
        conflicts: [
          { path: "generated/always.ts", reason: expect.stringContaining("was edited since effx wrote it") },
          { path: "generated/even/one.ts", reason: expect.stringContaining("is not a file of effx") }
        ]
      })
      expect(yield* contents(folder)).toEqual(before)
      const still = yield* Effect.flip(build(folder, 2, true))
      expect(still).toMatchObject({ conflicts: [{ path: "generated/even/one.ts" }] })
      expect(yield* contents(folder)).toEqual(before)
      yield* fs.remove(`${folder}/generated/even/one.ts`)
      yield* build(folder, 2, true)
      expect(yield* contents(folder)).toEqual(expected(2))
    })
  )

  it.effect("builds over committed outputs without a manifest, also without any of .effx", () =>
    Effect.gen(function* () {
      const { ".effx/manifest.json": _, ...committed } = expected(3)
      const folder = yield* project(committed)
      expect((yield* build(folder, 3)).written.map(({ path }) => path)).toEqual([".effx/manifest.json"])
      expect(yield* contents(folder)).toEqual(expected(3))
    })
  )

  it.effect("treats a damaged manifest as edited", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* project({})
      yield* build(folder, 0)
      yield* fs.writeFileString(`${folder}/.effx/manifest.json`, "<<<<<<< HEAD")
      expect(yield* Effect.flip(build(folder, 0))).toMatchObject({ conflicts: [{ path: ".effx/manifest.json" }] })
      yield* build(folder, 0, true)
      expect(yield* contents(folder)).toEqual(expected(0))
    })
  )

  it.effect("follows no link: not in the place of a file, of a folder, of .effx", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const outside = yield* project({ "always.ts": "precious", "down/large.ts": "precious" })
      const file = yield* project({ "generated/x": "" })
      yield* fs.symlink(`${outside}/always.ts`, `${file}/generated/always.ts`)
      expect(yield* Effect.flip(build(file, 0, true))).toMatchObject({
        conflicts: [{ path: "generated/always.ts", reason: "cannot be written: a symbolic link is in its place" }]
      })
      const parent = yield* project({ "generated/x": "" })
      yield* fs.symlink(outside, `${parent}/generated/deep`)
      expect(yield* Effect.flip(build(parent, 0, true))).toMatchObject({
        conflicts: [
          {
            path: "generated/deep/down/large.ts",
            reason: "needs the folder generated/deep, but a symbolic link is there"
          }
        ]
      })
      const state = yield* project({})
      yield* fs.symlink(outside, `${state}/.effx`)
      expect(yield* Effect.flip(build(state, 0, true))).toMatchObject({ conflicts: [{ path: ".effx" }] })
      const all = yield* project({})
      yield* fs.symlink(outside, `${all}/generated`)
      expect(yield* Effect.flip(build(all, 0, true))).toMatchObject({ _tag: "OutputConflict" })
      expect(yield* contents(outside)).toEqual({ "always.ts": "precious", "down/large.ts": "precious" })
    })
  )

  it.effect("names a folder or a file that is in the way", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "generated/always.ts/inside": "", "generated/deep": "a file" })
      const before = yield* contents(folder)
      expect(yield* Effect.flip(build(folder, 1, true))).toMatchObject({
        conflicts: [
          { path: "generated/always.ts", reason: "cannot be written: a folder is in its place" },
          { path: "generated/deep/down/large.ts", reason: "needs the folder generated/deep, but a file is there" }
        ]
      })
      expect(yield* contents(folder)).toEqual(before)
    })
  )

  it.effect("removes nothing outside the project, whatever a manifest claims", () =>
    Effect.gen(function* () {
      const outside = yield* project({ "victim.txt": "precious" })
      const folder = yield* project({})
      const path = yield* Path.Path
      const victim = path.relative(folder, `${outside}/victim.txt`)
      const fs = yield* FileSystem.FileSystem
      yield* fs.makeDirectory(`${folder}/.effx`)
      yield* fs.writeFileString(
        `${folder}/.effx/manifest.json`,
        encodeManifest("tsconfig.json", [{ path: victim, text: "precious" }], path.dirname(victim))
      )
      yield* build(folder, 0, true)
      expect(yield* contents(outside)).toEqual({ "victim.txt": "precious" })
    })
  )

  it.effect("refuses a second project of the same folder by name", () =>
    Effect.gen(function* () {
      const folder = yield* project({})
      yield* build(folder, 0)
      const settings = settingsFor(folder)
      const other = { ...settings, selection: { ...settings.selection, tsconfig: `${folder}/tsconfig.app.json` } }
      const error = yield* Effect.flip(
        Effect.scoped(Effect.flatMap(takeCustody(other), ({ commit }) => commit(version(0), { overwrite: true })))
      )
      expect(error.message).toContain("belongs to tsconfig.json, so tsconfig.app.json cannot use the same folder")
      expect(yield* contents(folder)).toEqual(expected(0))
    })
  )

  it.effect("writes to an outDir outside the project through a link that leads to it", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* project({})
      const elsewhere = yield* project({})
      yield* fs.symlink(elsewhere, `${elsewhere}-alias`)
      const path = yield* Path.Path
      const outDir = `${elsewhere}-alias/out`
      const relative = path.relative(folder, outDir)
      const file = { path: `${relative}/http.ts`, text: "code" }
      const manifest = { path: ".effx/manifest.json", text: encodeManifest("tsconfig.json", [file], relative) }
      yield* Effect.scoped(
        Effect.flatMap(takeCustody({ ...settingsFor(folder), outDir }), ({ commit }) =>
          commit([file, manifest], { overwrite: false })
        )
      ).pipe(Effect.ensuring(Effect.ignore(fs.remove(`${elsewhere}-alias`))))
      expect(yield* contents(elsewhere)).toEqual({ "out/http.ts": "code" })
    })
  )

  it.effect("lets two holders of one process wait for nobody: the second is refused", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* project({})
      yield* fs.symlink(folder, `${folder}-alias`)
      yield* takeCustody(settingsFor(folder))
      const error = yield* Effect.flip(Effect.scoped(takeCustody(settingsFor(`${folder}-alias`)))).pipe(
        Effect.ensuring(Effect.ignore(fs.remove(`${folder}-alias`)))
      )
      expect(error).toMatchObject({ _tag: "OutputBusy", pid: process.pid })
      expect(error.message).toBe(
        `another effx (process ${process.pid}) is writing to ${folder}; wait until it ends or stop it`
      )
    })
  )

  it.effect("leaves no trace when it writes nothing", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "generated/always.ts": "foreign" })
      yield* Effect.flip(build(folder, 0))
      const fs = yield* FileSystem.FileSystem
      expect(yield* fs.readDirectory(folder)).toEqual(["generated"])
    })
  )

  it.effect("compares without writing: missing, different, obsolete and equal files", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* project({})
      const set = yield* outputSet(settingsFor(folder))
      const compare = (n: number) => inspectOutputs(set, version(n), { overwrite: false })
      expect((yield* compare(0)).writes.length).toBe(version(0).length)
      expect(yield* fs.readDirectory(folder)).toEqual([])
      yield* build(folder, 0)
      expect(yield* compare(0)).toMatchObject({ writes: [], removals: [], conflicts: [] })
      expect(yield* compare(1)).toMatchObject({
        removals: ["generated/even/one.ts", "generated/third.ts"],
        unchanged: ["generated/constant.ts"],
        conflicts: []
      })
      yield* fs.writeFileString(`${folder}/generated/always.ts`, textOf(7, 3))
      expect(yield* compare(0)).toMatchObject({ conflicts: [{ path: "generated/always.ts" }] })
    })
  )
})
