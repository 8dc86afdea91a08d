import { expect, layer } from "@effect/vitest"
import { discover, displayPath, type Flags, select } from "@effx/session"
import { Effect, FileSystem, Path } from "effect"
import { platform, project } from "./project.ts"

/** Selects as a command would, with a config that sets `project` when one is given. */
const selection = Effect.fnUntraced(function* (cwd: string, flags: Flags = {}, configured?: string) {
  return yield* select(yield* discover(flags, cwd), configured)
})

const misuse = (cwd: string, flags: Flags = {}, configured?: string) =>
  Effect.map(Effect.flip(selection(cwd, flags, configured)), ({ _tag, message }) => `${_tag}: ${message}`)

const FILES = { "tsconfig.json": "{}", "tsconfig.app.json": "{}", "packages/api/tsconfig.json": "{}" }

layer(platform)((it) => {
  it.effect("shows a path relative to the working directory, absolute from three folders up", () =>
    Effect.map(Path.Path, (path) => {
      const shown = (cwd: string) => displayPath(path, cwd, "/a/b/main.ts")
      expect(["/a", "/a/b/main.ts", "/a/b/c", "/a/b/c/d", "/a/x/y/z", "/x/y"].map(shown)).toEqual([
        "b/main.ts",
        ".",
        "../main.ts",
        "../../main.ts",
        "/a/b/main.ts",
        "../../a/b/main.ts"
      ])
    })
  )

  it.effect("selects tsconfig.json of the working directory, a flagged file and a flagged folder", () =>
    Effect.gen(function* () {
      const cwd = yield* project(FILES)
      const selected = (flags: Flags) => Effect.map(selection(cwd, flags), ({ tsconfig }) => tsconfig)
      expect(yield* selected({})).toBe(`${cwd}/tsconfig.json`)
      expect(yield* selected({ project: "tsconfig.app.json" })).toBe(`${cwd}/tsconfig.app.json`)
      expect(yield* selected({ project: "packages/api" })).toBe(`${cwd}/packages/api/tsconfig.json`)
      expect(yield* selected({ project: `${cwd}/packages/api/` })).toBe(`${cwd}/packages/api/tsconfig.json`)
    })
  )

  it.effect("finds the config beside the tsconfig that is flagged, else beside that of the working directory", () =>
    Effect.gen(function* () {
      const cwd = yield* project({ ...FILES, "effx.config.mjs": "", "packages/api/effx.config.ts": "" })
      const found = (flags: Flags) => Effect.map(discover(flags, cwd), ({ config }) => config)
      expect(yield* found({})).toEqual({ path: `${cwd}/effx.config.mjs`, explicit: false })
      expect(yield* found({ project: "packages/api" })).toEqual({
        path: `${cwd}/packages/api/effx.config.ts`,
        explicit: false
      })
      expect(yield* found({ config: "packages/api/effx.config.ts" })).toEqual({
        path: `${cwd}/packages/api/effx.config.ts`,
        explicit: true
      })
      const fs = yield* FileSystem.FileSystem
      yield* fs.writeFileString(`${cwd}/effx.config.ts`, "")
      expect(yield* found({})).toMatchObject({ path: `${cwd}/effx.config.ts` })
    })
  )

  it.effect("lets the config's project select from the config's folder, unless a flag selects", () =>
    Effect.gen(function* () {
      const cwd = yield* project({ ...FILES, "packages/api/effx.config.ts": "" })
      const config = "packages/api/effx.config.ts"
      expect(yield* selection(cwd, { config }, ".")).toEqual({
        cwd,
        tsconfig: `${cwd}/packages/api/tsconfig.json`,
        folder: `${cwd}/packages/api`,
        config: `${cwd}/${config}`
      })
      expect((yield* selection(cwd, { config }, "../../tsconfig.app.json")).tsconfig).toBe(`${cwd}/tsconfig.app.json`)
      expect((yield* selection(cwd, { config, project: "." }, "tsconfig.json")).tsconfig).toBe(`${cwd}/tsconfig.json`)
    })
  )

  it.effect("keeps the path by which a project is reached through a link", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const cwd = yield* project(FILES)
      yield* fs.symlink("packages/api", `${cwd}/alias`)
      expect((yield* selection(cwd, { project: "alias" })).tsconfig).toBe(`${cwd}/alias/tsconfig.json`)
    })
  )

  it.effect("says in one sentence why nothing can be selected", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const cwd = yield* project({ "src/a.ts": "", "odd/tsconfig.json/inside": "" })
      expect(yield* misuse(cwd)).toBe(`Misuse: there is no tsconfig.json in ${cwd}; name a project with --project`)
      expect(yield* misuse(cwd, { project: "nowhere" })).toBe("Misuse: nowhere does not exist")
      expect(yield* misuse(cwd, { project: "src/a.ts/tsconfig.json" })).toBe(
        "Misuse: src/a.ts/tsconfig.json does not exist"
      )
      expect(yield* misuse(cwd, { project: "src" })).toBe("Misuse: the folder src has no tsconfig.json")
      expect(yield* misuse(cwd, { project: "odd" })).toBe("Misuse: odd/tsconfig.json is a folder, not a file")
      expect(yield* misuse(cwd, { project: "/dev/null" })).toBe("Misuse: /dev/null is not a regular file")
      expect(yield* misuse(cwd, { config: "src" })).toBe("Misuse: src is a folder; --config takes a file")
      expect(yield* misuse(cwd, { config: "gone.ts" })).toBe("Misuse: gone.ts does not exist")
      yield* fs.symlink("missing.json", `${cwd}/broken.json`)
      expect(yield* misuse(cwd, { project: "broken.json" })).toBe(
        "Misuse: broken.json is a symbolic link to missing.json, which does not exist"
      )
      yield* fs.symlink("loop.json", `${cwd}/loop.json`)
      expect(yield* misuse(cwd, { project: "loop.json" })).toBe("Misuse: loop.json is part of a symbolic link loop")
      yield* fs.symlink("gone", `${cwd}/effx.config.ts`)
      expect(yield* misuse(cwd)).toBe("Misuse: effx.config.ts is a symbolic link to gone, which does not exist")
      yield* fs.remove(`${cwd}/effx.config.ts`)
      yield* fs.writeFileString(`${cwd}/effx.config.ts`, "")
      expect(yield* misuse(cwd, {}, "../elsewhere")).toBe(
        "Misuse: ../elsewhere, the project of effx.config.ts, does not exist"
      )
    })
  )
})
