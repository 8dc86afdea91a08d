/** Gate 3 of Spec 0018: everything that an analysis depended on is an input of the session (§4). */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "@effect/vitest"
import { repository, run } from "../effx.ts"
import { codes, type Dev, type DevRecord, edit, project, save, startDev } from "./driver.ts"

/** One operation with one EFFX2201, in a file of its own. */
const broken = (name: string) => `import { Errors, Http, Query, Requirements } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Key${name} = Schema.Struct({ id: Schema.String })

/** The only failure. */
export class Gone${name} extends Schema.TaggedError<Gone${name}>()("Gone${name}", {}, { httpApiStatus: 410 }) {}

export class ${name} {
  /** Fails with what it does not declare. */
  @Query({ name: "${name}.Get", input: Key${name}, success: Key${name} })
  @Errors()
  @Requirements()
  @Http.Get("/${name.toLowerCase()}/:id")
  @Http.Access({ exposure: "public" })
  static get(input: typeof Key${name}.Type) {
    return Effect.fail(new Gone${name}())
  }
}
`

const started = async (cwd: string, args: ReadonlyArray<string> = []): Promise<Dev> => {
  const dev = startDev(cwd, args)
  await dev.untilKind("settled")
  return dev
}

const places = ({ diagnostics }: DevRecord) =>
  diagnostics.map(({ code, file, message }) => `${code} ${file ?? message}`)

/** What a fresh process says about the same files. */
const checked = async (cwd: string): Promise<ReadonlyArray<string>> =>
  (await run(["check", "--format", "json"], { cwd })).stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === "diagnostic")
    .map(({ code, file, message }) => `${code} ${file ?? message}`)

it("sees every way in which editors save", async () => {
  const cwd = project()
  const dev = await started(cwd)
  const file = join(cwd, "src/operations.ts")
  const good = readFileSync(file, "utf8")
  const bad = good.replace("@Errors(UserNotFound)", "@Errors()")
  const ways: Readonly<Record<string, (text: string) => void>> = {
    "a write in place": (text) => writeFileSync(file, text),
    "a rename over it": (text) => save(file, text),
    "a backup, a new file, and the backup removed": (text) => {
      renameSync(file, `${file}~`)
      writeFileSync(file, text)
      unlinkSync(`${file}~`)
    },
    "a removal and a new file": (text) => {
      unlinkSync(file)
      writeFileSync(file, text)
    },
    "a temporary file in another folder": (text) => {
      const staged = join(dirname(cwd), "staged")
      writeFileSync(staged, text)
      renameSync(staged, file)
    }
  }
  for (const [way, put] of Object.entries(ways)) {
    put(bad)
    expect(codes(await dev.settled()), way).toEqual(["EFFX2201"])
    put(good)
    expect(codes(await dev.settled()), way).toEqual([])
  }
})

it("follows a source that is renamed, deleted and put back", async () => {
  const cwd = project()
  const [from, to] = [join(cwd, "src/extra.ts"), join(cwd, "src/other.ts")]
  save(from, broken("Extra"))
  const dev = await started(cwd)
  expect(places(await dev.settled())).toEqual(["EFFX2201 src/extra.ts"])
  renameSync(from, to)
  expect(places(await dev.settled())).toEqual(["EFFX2201 src/other.ts"])
  const text = readFileSync(to, "utf8")
  unlinkSync(to)
  expect(places(await dev.settled())).toEqual([])
  writeFileSync(to, text)
  expect(places(await dev.settled())).toEqual(["EFFX2201 src/other.ts"])
})

it("finds a new file, also in new folders and in a folder that is moved in", async () => {
  const cwd = project()
  const dev = await started(cwd)
  save(join(cwd, "src/extra.ts"), broken("Extra"))
  expect(places(await dev.settled())).toEqual(["EFFX2201 src/extra.ts"])
  save(join(cwd, "src/a/b/deep.ts"), broken("Deep"))
  expect(places(await dev.settled())).toEqual(["EFFX2201 src/a/b/deep.ts", "EFFX2201 src/extra.ts"])
  const outside = join(dirname(cwd), "outside")
  save(join(outside, "moved.ts"), broken("Moved"))
  renameSync(outside, join(cwd, "src/inside"))
  expect(places(await dev.settled())).toContain("EFFX2201 src/inside/moved.ts")
  renameSync(join(cwd, "src/inside"), outside)
  rmSync(join(cwd, "src/a"), { recursive: true })
  expect(places(await dev.settled())).toEqual(["EFFX2201 src/extra.ts"])
})

it("checks an operation again when a helper that it uses changes", async () => {
  const cwd = project()
  const dev = await started(cwd)
  edit(join(cwd, "src/users.ts"), "Effect.Effect<User, UserNotFound>", "Effect.Effect<User, UserNotFound | EmailTaken>")
  expect(places(await dev.settled())).toEqual(["EFFX2201 src/operations.ts"])
  edit(join(cwd, "src/users.ts"), "Effect.Effect<User, UserNotFound | EmailTaken>", "Effect.Effect<User, UserNotFound>")
  expect(places(await dev.settled())).toEqual([])
})

it("checks an operation again when a schema that it uses changes", async () => {
  const cwd = project()
  const dev = await started(cwd)
  edit(join(cwd, "src/user.ts"), "GetUser = Schema.Struct({ id: UserId })", "GetUser = Schema.Struct({ key: UserId })")
  const said = await dev.settled()
  expect(said.errors).toBeGreaterThan(0)
  expect(places(said)).toEqual(await checked(cwd))
  edit(join(cwd, "src/user.ts"), "GetUser = Schema.Struct({ key: UserId })", "GetUser = Schema.Struct({ id: UserId })")
  expect(places(await dev.settled())).toEqual([])
})

it("repairs an import that was missing when its file, its folder or its package comes", async () => {
  const cwd = project()
  const operations = join(cwd, "src/operations.ts")
  const good = readFileSync(operations, "utf8")
  const keys = 'import { Schema } from "effect"\nexport const Key = Schema.Struct({ id: Schema.String })\n'
  const dev = await started(cwd)
  const wants = (specifier: string) =>
    save(
      operations,
      `import { Key } from "${specifier}"\n${good.replace("input: GetUser, success: User", "input: Key, success: User")}`
    )
  const cases: ReadonlyArray<readonly [string, () => void]> = [
    ["./keys.js", () => save(join(cwd, "src/keys.ts"), keys)],
    ["./some/where/keys.js", () => save(join(cwd, "src/some/where/keys.ts"), keys)],
    [
      "keys",
      () => {
        const staged = join(dirname(cwd), "keys")
        save(
          join(staged, "package.json"),
          '{ "name": "keys", "version": "1.0.0", "type": "module", "exports": "./index.ts" }'
        )
        save(join(staged, "index.ts"), keys)
        mkdirSync(join(cwd, "node_modules"))
        renameSync(staged, join(cwd, "node_modules/keys"))
      }
    ]
  ]
  for (const [specifier, create] of cases) {
    wants(specifier)
    const missing = await dev.settled()
    expect(missing.errors, specifier).toBeGreaterThan(0)
    create()
    await dev.until(({ errors, kind }) => kind === "diagnostics" && errors === 0)
    save(operations, good)
    await dev.settled()
  }
})

it("follows extends, include and references of the tsconfig", async () => {
  const cwd = project()
  const tsconfig = join(cwd, "tsconfig.json")
  const original = JSON.parse(readFileSync(tsconfig, "utf8"))
  const { include: _include, ...rest } = original
  save(join(cwd, "base.json"), '{ "include": ["src"] }')
  save(tsconfig, JSON.stringify({ ...rest, extends: "./base.json" }))
  save(join(cwd, "more/extra.ts"), broken("Extra"))
  const dev = await started(cwd)
  expect(places(await dev.settled())).toEqual([])
  save(join(cwd, "base.json"), '{ "include": ["src", "more"] }')
  expect(places(await dev.settled())).toEqual(["EFFX2201 more/extra.ts"])
  save(tsconfig, JSON.stringify({ ...rest, extends: "./base.json", include: ["src"] }))
  expect(places(await dev.settled())).toEqual([])
  save(tsconfig, JSON.stringify({ ...original, references: [{ path: "./lib" }] }))
  const without = await dev.settled()
  expect(without.diagnostics).toHaveLength(1)
  expect(places(without)).toEqual(await checked(cwd))
  save(join(cwd, "lib/tsconfig.json"), '{ "compilerOptions": { "composite": true }, "files": ["one.ts"] }')
  save(join(cwd, "lib/one.ts"), "export {}\n")
  expect(places(await dev.settled())).toEqual(await checked(cwd))
  expect(dev.records.at(-1)).toMatchObject({ kind: "settled" })
})

it("recovers when a tsconfig, an extended one and a package manifest were broken and are repaired", async () => {
  const cwd = project()
  const tsconfig = join(cwd, "tsconfig.json")
  const original = readFileSync(tsconfig, "utf8")
  save(join(cwd, "base.json"), "{}")
  save(tsconfig, original.replace("{", '{ "extends": "./base.json",'))
  const dev = await started(cwd)
  for (const file of ["tsconfig.json", "base.json", "package.json"]) {
    const good = readFileSync(join(cwd, file), "utf8")
    save(join(cwd, file), `${good.trimEnd().slice(0, -1)} "half": `)
    const broken = await dev.settled()
    expect(places(broken), file).toEqual(await checked(cwd))
    if (file !== "package.json") expect(codes(broken), file).toContain("EFFX0002")
    save(join(cwd, file), good)
    expect(await dev.settled(), file).toMatchObject({ diagnostics: [] })
  }
  unlinkSync(tsconfig)
  expect(await dev.untilKind("fault")).toMatchObject({ stage: "check" })
  save(tsconfig, original)
  await dev.until(({ errors, kind }) => kind === "diagnostics" && errors === 0)
  expect(await dev.settled()).toMatchObject({ diagnostics: [] })
})

/** Gives the project a dependency folder of its own, in which links lead to the repository's packages. */
const ownDependencies = (cwd: string): string => {
  const modules = join(dirname(cwd), "node_modules")
  unlinkSync(modules)
  mkdirSync(modules)
  const installed = join(repository, "node_modules")
  for (const name of readdirSync(installed)) {
    if (name.startsWith(".")) continue
    if (name === "effect" || name === "typescript") {
      mkdirSync(join(modules, name))
      for (const part of readdirSync(join(installed, name))) {
        if (part === "package.json") cpSync(join(installed, name, part), join(modules, name, part))
        else symlinkSync(join(installed, name, part), join(modules, name, part))
      }
    } else symlinkSync(join(installed, name), join(modules, name))
  }
  return modules
}

it("follows the versions of TypeScript and of Effect that the project installs", async () => {
  const cwd = project()
  const modules = ownDependencies(cwd)
  const dev = await started(cwd)
  const versions = { typescript: ["5.9.2", "EFFX0001"], effect: ["3.19.0", "EFFX2701"] } as const
  for (const [name, [version, code]] of Object.entries(versions)) {
    const manifest = join(modules, name, "package.json")
    const good = readFileSync(manifest, "utf8")
    save(manifest, good.replace(/"version": "[^"]*"/, `"version": "${version}"`))
    await dev.until((record) => record.kind === "diagnostics" && codes(record).includes(code))
    save(manifest, good)
    await dev.until((record) => record.kind === "diagnostics" && record.diagnostics.length === 0)
  }
})

it("follows the project's own package manifest", async () => {
  const cwd = project()
  const dev = await started(cwd, ["--build"])
  edit(join(cwd, "package.json"), '"version": "1.0.0"', '"version": "1.2.0"')
  await dev.untilKind("written")
  await dev.settled()
  expect(readFileSync(join(cwd, ".effx/generated/openapi.json"), "utf8")).toContain('"version": "1.2.0"')
})

it("follows a dependency's link that is led elsewhere, and keeps the identity of what is declared", async () => {
  const cwd = project()
  for (const [name, field] of Object.entries({ a: "id", b: "key" })) {
    save(join(cwd, `libs/${name}/package.json`), '{ "name": "keys", "type": "module", "exports": "./index.ts" }')
    save(
      join(cwd, `libs/${name}/index.ts`),
      `import { Schema } from "effect"\nexport const Key = Schema.Struct({ ${field}: Schema.String })\n`
    )
  }
  mkdirSync(join(cwd, "node_modules"))
  const link = join(cwd, "node_modules/keys")
  symlinkSync("../libs/a", link)
  edit(join(cwd, "src/operations.ts"), "import { Cli", 'import { Key } from "keys"\nimport { Cli')
  edit(join(cwd, "src/operations.ts"), "input: GetUser, success: User", "input: Key, success: User")
  const dev = await started(cwd)
  expect(codes(await dev.settled())).toEqual([])
  unlinkSync(link)
  symlinkSync("../libs/b", link)
  const led = await dev.until(({ errors, kind }) => kind === "diagnostics" && errors > 0)
  expect(places(led)).toEqual(await checked(cwd))
  expect(places(led).every((place) => place.endsWith(" src/operations.ts"))).toBe(true)
  symlinkSync("../libs/a", `${link}.new`)
  renameSync(`${link}.new`, link)
  await dev.until(({ errors, kind }) => kind === "diagnostics" && errors === 0)
})

it("follows an edit behind a link to a package outside of the project", async () => {
  const cwd = project()
  const outside = join(dirname(cwd), "packages/keys")
  save(join(outside, "package.json"), '{ "name": "keys", "type": "module", "exports": "./index.ts" }')
  const text = (field: string) =>
    `import { Schema } from "effect"\nexport const Key = Schema.Struct({ ${field}: Schema.String })\n`
  save(join(outside, "index.ts"), text("id"))
  mkdirSync(join(cwd, "node_modules"))
  symlinkSync(outside, join(cwd, "node_modules/keys"))
  edit(join(cwd, "src/operations.ts"), "import { Cli", 'import { Key } from "keys"\nimport { Cli')
  edit(join(cwd, "src/operations.ts"), "input: GetUser, success: User", "input: Key, success: User")
  const dev = await started(cwd)
  expect(codes(await dev.settled())).toEqual([])
  save(join(outside, "index.ts"), text("key"))
  await dev.until(({ errors, kind }) => kind === "diagnostics" && errors > 0)
  save(join(outside, "index.ts"), text("id"))
  await dev.until(({ errors, kind }) => kind === "diagnostics" && errors === 0)
})

it("stays finite where links form a loop", async () => {
  const cwd = project()
  const plain = startDev(cwd)
  const { inputs } = await plain.untilKind("settled")
  await plain.end()
  symlinkSync(".", join(cwd, "src/loop"))
  symlinkSync("../src", join(cwd, "src/again"))
  symlinkSync("self", join(cwd, "src/self"))
  const dev = await started(cwd)
  const looped = await dev.settled()
  expect(places(looped)).toEqual(await checked(cwd))
  expect(dev.records.findLast(({ kind }) => kind === "settled")?.inputs).toBeLessThan(inputs + 100)
  unlinkSync(join(cwd, "src/self"))
  unlinkSync(join(cwd, "src/loop"))
  unlinkSync(join(cwd, "src/again"))
  expect(places(await dev.settled())).toEqual([])
})

it("watches source folders whatever they are called", async () => {
  const cwd = project()
  for (const folder of ["dist", "cache", "build", "out"]) {
    save(join(cwd, `src/${folder}/extra.ts`), broken(`In${folder}`))
  }
  const dev = await started(cwd)
  for (const folder of ["dist", "cache", "build", "out"]) {
    expect(places(await dev.settled()), folder).toContain(`EFFX2201 src/${folder}/extra.ts`)
    edit(join(cwd, `src/${folder}/extra.ts`), "@Errors()", `@Errors(GoneIn${folder})`)
    expect(places(await dev.settled()), folder).not.toContain(`EFFX2201 src/${folder}/extra.ts`)
  }
})

it("leaves out what TypeScript itself would write, and follows a new place of it", async () => {
  const cwd = project()
  const tsconfig = join(cwd, "tsconfig.json")
  const original = JSON.parse(readFileSync(tsconfig, "utf8"))
  const { noEmit: _noEmit, allowImportingTsExtensions: _allow, ...options } = original.compilerOptions
  const write = (outDir: string) =>
    save(
      tsconfig,
      JSON.stringify({
        compilerOptions: {
          ...options,
          rootDir: ".",
          outDir,
          tsBuildInfoFile: "./state/info.tsbuildinfo",
          incremental: true
        },
        include: ["."]
      })
    )
  write("lib")
  mkdirSync(join(cwd, "state"))
  save(join(cwd, "lib/old.js"), "")
  const dev = await started(cwd)
  await dev.settled()
  const cycles = () => dev.records.filter(({ kind }) => kind === "cycle-started").flatMap(({ files }) => files)
  save(join(cwd, "lib/new.js"), "export {}\n")
  save(join(cwd, "lib/new.d.ts"), "export {}\n")
  save(join(cwd, "state/info.tsbuildinfo"), "{}")
  save(join(cwd, ".git/index"), "1")
  save(join(cwd, ".git/HEAD.ts"), "1")
  await dev.settled()
  await dev.settled()
  expect(cycles().filter((file) => !String(file).startsWith("src/"))).toEqual([])
  write("other")
  save(join(cwd, "lib/extra.ts"), broken("Extra"))
  expect(places(await dev.settled())).toEqual(await checked(cwd))
})

it("calls a source or a config in an owned folder an invalid selection", async () => {
  const cwd = project()
  save(join(cwd, "gen/extra.ts"), broken("Extra"))
  edit(join(cwd, "tsconfig.json"), '"include": ["src"]', '"include": ["src", "gen"]')
  const dev = await started(cwd, ["--build", "--out-dir", "gen"])
  const said = await dev.settled()
  expect(said.diagnostics).toContainEqual(
    expect.objectContaining({ code: "EFFX0002", file: "gen/extra.ts", severity: "error" })
  )
  expect(existsSync(join(cwd, ".effx/manifest.json"))).toBe(false)
  await dev.end()
  save(join(cwd, "gen/effx.config.mjs"), "export default {}\n")
  const other = startDev(cwd, ["--config", "gen/effx.config.mjs", "--out-dir", "gen"])
  expect(await other.ended).toEqual({ code: 2, signal: null })
  expect(other.stderr()).toMatch(/^effx: effx\.config\.mjs lies where effx writes its outputs; .*\n$/)
})
