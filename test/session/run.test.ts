import { join } from "node:path"
import { expect, layer } from "@effect/vitest"
import { SourceFrontend } from "@effx/frontend-ts"
import { commitOutputs, compareOutputs, type Flags, isBuildable, isSettled, type RunResult, run } from "@effx/session"
import { Effect, FileSystem, Layer } from "effect"
import { contents, platform, project } from "./project.ts"

const ROOT = join(import.meta.dirname, "../..")

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    lib: ["esnext"],
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true
  },
  include: ["src"]
})

const OPERATIONS = `import { Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Pong = Schema.Struct({ at: Schema.String })

export class Pings {
  @Query({ name: "Ping.Get", success: Pong })
  @Http.Get("/ping")
  @Http.Access({ exposure: "public" })
  static get() {
    return Effect.succeed({ at: "now" })
  }
}
`

const MANIFEST = JSON.stringify({
  name: "pings",
  version: "2.0.0",
  description: "Answers",
  type: "module",
  dependencies: { effect: "4.1.0" }
})

/** A project with one operation, whose packages are those of this workspace. */
const pings = Effect.fnUntraced(function* (files: Readonly<Record<string, string>> = {}) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* project({
    "tsconfig.json": TSCONFIG,
    "package.json": MANIFEST,
    "src/pings.ts": OPERATIONS,
    ...files
  })
  if (!("node_modules/effect/package.json" in files)) {
    yield* fs.symlink(`${ROOT}/node_modules`, `${folder}/node_modules`)
  }
  return folder
})

const check = (cwd: string, flags: Flags = {}) => run({ flags, cwd, generate: false })
const generate = (cwd: string, flags: Flags = {}) => run({ flags, cwd, generate: true })

/** Code, severity, place and message of each finding. */
const lines = ({ diagnostics }: RunResult) =>
  diagnostics.map(({ code, location, message, severity }) => {
    const at = location === undefined ? "" : `${location.file}:${location.line}:${location.col} `
    return `${at}${severity} ${code} ${message}`
  })

const config = (body: string) =>
  `import { defineConfig } from "@effx/cli/config"\n\nexport default defineConfig(${body})\n`

layer(Layer.merge(platform, SourceFrontend.layer), { excludeTestServices: true })((it) => {
  it.effect("compiles a project, and its outputs settle after one commit", () =>
    Effect.gen(function* () {
      const folder = yield* pings()
      const result = yield* generate(folder)
      expect(lines(result)).toEqual([])
      expect(result.compiled?.ir.nodes.filter(({ _tag }) => _tag === "Operation").map(({ id }) => id)).toEqual([
        "operation:Ping.Get"
      ])
      expect(result.settings).toMatchObject({
        outDir: `${folder}/.effx/generated`,
        emit: "all",
        target: "4.1",
        strictAccess: false,
        importExtension: ".js",
        api: { title: "pings", version: "2.0.0", description: "Answers" }
      })
      if (!isBuildable(result)) return expect.unreachable()
      expect(isSettled(yield* compareOutputs(result))).toBe(false)
      yield* commitOutputs(result, { overwrite: false })
      expect(isSettled(yield* compareOutputs(result))).toBe(true)
      const again = yield* generate(folder)
      expect(again.revision).toBe(result.revision)
      if (!isBuildable(again)) return expect.unreachable()
      expect(yield* commitOutputs(again, { overwrite: false })).toMatchObject({ written: [], removed: [] })
    })
  )

  it.effect("writes equal bytes in every checkout and gives them one revision", () =>
    Effect.gen(function* () {
      const built = Effect.fnUntraced(function* (folder: string, cwd: string) {
        const result = yield* generate(cwd, { project: folder })
        if (isBuildable(result)) yield* commitOutputs(result, { overwrite: false })
        const files = yield* contents(folder)
        return { files, revision: result.revision }
      })
      const one = yield* pings()
      const other = yield* pings()
      const first = yield* built(one, one)
      const second = yield* built(other, "/")
      expect(second).toEqual(first)
      expect(first.files[".effx/manifest.json"]).not.toContain(one)
    })
  )

  it.effect("lets a flag win over the config, and that over the tsconfig's effx block", () =>
    Effect.gen(function* () {
      const effx = { outDir: "from-tsconfig", emit: "contract", strictAccess: true, api: { title: "T", version: "1" } }
      const folder = yield* pings({
        "tsconfig.json": JSON.stringify({ ...JSON.parse(TSCONFIG), effx }),
        "conf/effx.config.ts": config(`{ project: "..", emit: "handlers", outDir: "out", api: { title: "C" } }`)
      })
      const settings = (flags: Flags) => Effect.map(check(folder, flags), (result) => result.settings)
      expect(yield* settings({})).toMatchObject({
        outDir: `${folder}/from-tsconfig`,
        emit: "contract",
        strictAccess: true,
        api: { title: "T", version: "1", description: "Answers" }
      })
      const configured = { config: "conf/effx.config.ts" }
      expect(yield* settings(configured)).toMatchObject({
        outDir: `${folder}/conf/out`,
        emit: "handlers",
        strictAccess: true,
        api: { title: "C", version: "1", description: "Answers" }
      })
      expect(yield* settings({ ...configured, outDir: "flag", emit: "all", strictAccess: false })).toMatchObject({
        outDir: `${folder}/flag`,
        emit: "all",
        strictAccess: false
      })
    })
  )

  it.effect("names the property of the config or of the effx block that is wrong", () =>
    Effect.gen(function* () {
      const findings = Effect.fnUntraced(function* (body: string, tsconfig: object = {}) {
        const folder = yield* pings({
          "tsconfig.json": JSON.stringify({ ...JSON.parse(TSCONFIG), ...tsconfig }, null, 1),
          ...(body !== "" && { "effx.config.ts": config(body) })
        })
        return lines(yield* check(folder))
      })
      expect(yield* findings(`{ outdir: "x" }`)).toEqual([
        "effx.config.ts:3:31 error EFFX0002 effx.config.ts is not valid: there is no option named outdir"
      ])
      expect(yield* findings(`{ api: { title: 1 } }`)).toEqual([
        "effx.config.ts:3:38 error EFFX0002 effx.config.ts is not valid: api.title must be a string"
      ])
      expect(yield* findings(`{ extensions: [{ name: "x" }] }`)).toEqual([
        "effx.config.ts:3:31 error EFFX0002 effx.config.ts is not valid: extensions[0].diagnostics is missing"
      ])
      expect(yield* findings(`{ extensions: () => { throw new Error("no luck") } }`)).toEqual([
        "effx.config.ts:3:31 error EFFX0002 effx.config.ts is not valid: extensions throws: no luck"
      ])
      expect(yield* findings(`{ generators: { htpp: false } }`)).toEqual([
        expect.stringMatching(/^effx\.config\.ts:3:45 error EFFX0002 .*there is no generator named htpp; there are /)
      ])
      expect(yield* findings("", { effx: { emit: "some" } })).toEqual([
        expect.stringMatching(
          /^tsconfig\.json:\d+:3 error EFFX0002 .*in effx, emit must be one of "contract", "handlers"/
        )
      ])
      expect(yield* findings(`{ outDir: "." }`)).toEqual([
        expect.stringMatching(/^error EFFX0002 tsconfig\.json is not valid: it lies in \., where effx writes/),
        expect.stringMatching(/^error EFFX0002 effx\.config\.ts is not valid: it lies in \./)
      ])
      expect(yield* findings(`{ outDir: "src" }`)).toEqual([
        expect.stringMatching(
          /^src\/pings\.ts:10:10 error EFFX0002 src\/pings\.ts is not valid: it lies where effx writes/
        )
      ])
    })
  )

  it.effect("says what is wrong with the installed Effect at its place in package.json", () =>
    Effect.gen(function* () {
      const old = yield* pings({
        "node_modules/effect/package.json": `{ "name": "effect", "version": "3.19.0" }`,
        "node_modules/effect/index.d.ts": "export declare const Effect: unknown"
      })
      expect(lines(yield* check(old))).toEqual([
        `package.json:1:${MANIFEST.indexOf('"effect"') + 1} error EFFX2701 The project uses Effect 3.19.0, but effx supports 4.0.0-rc.116, 4.0.x and 4.1.x`
      ])
      const fitting = yield* pings({ "effx.config.mjs": `export default { target: "4.0.0-rc.116" }` })
      expect(lines(yield* check(fitting))).toEqual([
        "effx.config.mjs:1:18 error EFFX2701 The target 4.0.0-rc.116 does not fit the installed Effect 4.1.0"
      ])
    })
  )

  it.effect("reports an invalid tsconfig, and no declaration at all, as findings", () =>
    Effect.gen(function* () {
      const broken = yield* pings({ "tsconfig.json": TSCONFIG.replace("es2022", "es2099") })
      expect(lines(yield* check(broken))).toEqual([expect.stringMatching(/^tsconfig\.json:1:\d+ error EFFX0002 /)])
      const silent = yield* pings({ "src/pings.ts": "export const x = 1\n" })
      expect(lines(yield* check(silent))).toEqual([
        expect.stringMatching(/^warning EFFX0003 tsconfig\.json selects one file/)
      ])
    })
  )

  it.effect("counts nothing to read as misuse", () =>
    Effect.gen(function* () {
      const empty = yield* project({ "tsconfig.json": TSCONFIG, "package.json": MANIFEST })
      expect(yield* Effect.flip(check(empty))).toMatchObject({
        _tag: "Misuse",
        message: "tsconfig.json selects no file"
      })
    })
  )

  it.effect("changes the revision with a source, with the config and with nothing else", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* pings({ "effx.config.mjs": "export default {}" })
      const revision = Effect.map(check(folder), (result) => result.revision)
      const first = yield* revision
      expect(first).toMatch(/^sha256:[0-9a-f]{64}$/)
      yield* fs.writeFileString(`${folder}/unrelated.txt`, "x")
      expect(yield* revision).toBe(first)
      yield* fs.writeFileString(`${folder}/src/pings.ts`, `${OPERATIONS}\n`)
      const second = yield* revision
      expect(second).not.toBe(first)
      yield* fs.writeFileString(`${folder}/effx.config.mjs`, "export default { }")
      expect(yield* revision).not.toBe(second)
    })
  )
})
