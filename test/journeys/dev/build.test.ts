/** Gate 2 of Spec 0018: a session that also builds, and that owns what it builds (§3, §5). */
import { spawn } from "node:child_process"
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "@effect/vitest"
import { effx, run } from "../effx.ts"
import { codes, type Dev, edit, project, startDev } from "./driver.ts"

const FLAGS = ["--out-dir", "gen", "--emit", "contract", "--target", "4.1.0"] as const

/** The bytes of every file below a folder, by relative path. */
const filesBelow = (...folders: ReadonlyArray<string>): ReadonlyMap<string, string> =>
  new Map(
    folders.flatMap((folder) =>
      (readdirSync(folder, { recursive: true }) as Array<string>)
        .filter((name) => lstatSync(join(folder, name)).isFile())
        .sort()
        .map((name) => [join(folder, name).slice(dirname(folder).length), readFileSync(join(folder, name), "latin1")])
    )
  )

const outputs = (cwd: string) => filesBelow(join(cwd, ".effx"), join(cwd, "gen"))

/** What a build leaves in a copy of the project that has never been built. */
const freshBuild = async (cwd: string, flags: ReadonlyArray<string>): Promise<ReadonlyMap<string, string>> => {
  const twin = join(dirname(cwd), "twin")
  rmSync(twin, { recursive: true, force: true })
  cpSync(cwd, twin, { recursive: true, filter: (file) => !/\/(\.effx|gen)(\/|$)/.test(file) })
  expect(await run(["build", ...flags], { cwd: twin })).toMatchObject({ code: 0 })
  return outputs(twin)
}

const withoutLock = (files: ReadonlyMap<string, string>) =>
  new Map([...files].filter(([name]) => name !== "/.effx/lock"))

const mentioned = (dev: Dev) => dev.records.filter(({ kind }) => kind === "cycle-started").flatMap(({ files }) => files)

it("writes at every success what one build of the same files writes, byte for byte, manifest included", async () => {
  const cwd = project()
  const dev = startDev(cwd, ["--build", ...FLAGS])
  const first = await dev.untilKind("written")
  expect(first.files).toContainEqual({ path: "gen/http.ts", hash: expect.stringMatching(/^[0-9a-f]{64}$|^sha256:/) })
  await dev.untilKind("settled")
  expect(withoutLock(outputs(cwd))).toEqual(await freshBuild(cwd, FLAGS))
  edit(join(cwd, "src/operations.ts"), '@Http.Get("/users")', '@Http.Get("/people")')
  await dev.untilKind("written")
  await dev.untilKind("settled")
  expect(withoutLock(outputs(cwd))).toEqual(await freshBuild(cwd, FLAGS))
  expect(await dev.end()).toMatchObject({ code: 130 })
  expect(outputs(cwd)).toEqual(await freshBuild(cwd, FLAGS))
})

it("starts no cycle for what it writes itself, in the state folder and in a custom outDir", async () => {
  const cwd = project()
  // Everything in the folder is selected, so only the policy keeps outputs out.
  edit(join(cwd, "tsconfig.json"), '"include": ["src"]', '"include": ["."]')
  const dev = startDev(cwd, ["--build", "--out-dir", "gen"])
  await dev.untilKind("settled")
  edit(join(cwd, "src/operations.ts"), '@Http.Get("/users")', '@Http.Get("/people")')
  await dev.untilKind("written")
  expect(codes(await dev.settled())).toEqual([])
  await dev.settled()
  expect(mentioned(dev).filter((file) => !String(file).startsWith("src/"))).toEqual([])
  const batches = dev.records.filter(({ kind }) => kind === "written")
  expect(batches).toHaveLength(2)
})

it("writes nothing while there is an error, and leaves the last success", async () => {
  const cwd = project()
  const dev = startDev(cwd, ["--build", "--out-dir", "gen"])
  await dev.untilKind("settled")
  const before = outputs(cwd)
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  expect(codes(await dev.settled())).toEqual(["EFFX2201"])
  expect(outputs(cwd)).toEqual(before)
  expect(dev.records.filter(({ kind }) => kind === "written")).toHaveLength(1)
})

it("removes with a declaration only what it owned, and nothing of anybody else", async () => {
  const cwd = project()
  const dev = startDev(cwd, ["--build", "--out-dir", "gen"])
  await dev.untilKind("settled")
  expect(existsSync(join(cwd, "gen/cli.ts"))).toBe(true)
  writeFileSync(join(cwd, "gen/sentinel.ts"), "// mine\n")
  edit(join(cwd, "src/operations.ts"), / *@Cli\(.*\)\n/g, "")
  expect((await dev.untilKind("written")).removed).toEqual(["gen/cli.ts"])
  await dev.settled()
  expect(existsSync(join(cwd, "gen/cli.ts"))).toBe(false)
  expect(readFileSync(join(cwd, "gen/sentinel.ts"), "utf8")).toBe("// mine\n")
})

it("says which generated file was edited by hand, and keeps it", async () => {
  const cwd = project()
  const dev = startDev(cwd, ["--build", "--out-dir", "gen"])
  await dev.untilKind("settled")
  const http = join(cwd, "gen/http.ts")
  writeFileSync(http, `${readFileSync(http, "utf8")}// mine\n`)
  edit(join(cwd, "src/operations.ts"), '@Http.Get("/users")', '@Http.Get("/people")')
  expect(await dev.untilKind("fault")).toMatchObject({
    stage: "write",
    message: expect.stringMatching(/gen\/http\.ts was edited/)
  })
  expect(readFileSync(http, "utf8")).toMatch(/\/\/ mine\n$/)
  rmSync(http)
  edit(join(cwd, "src/operations.ts"), '@Http.Get("/people")', '@Http.Get("/persons")')
  await dev.untilKind("written")
})

it("refuses a second owner before it writes, also through a symbolic link and as a one-shot build", async () => {
  const cwd = project()
  const alias = join(dirname(cwd), "alias")
  symlinkSync(cwd, alias)
  const dev = startDev(cwd, ["--build"])
  await dev.untilKind("settled")
  const before = filesBelow(join(cwd, ".effx"))
  for (const folder of [cwd, alias]) {
    const second = startDev(folder, ["--build"])
    expect(await second.ended).toEqual({ code: 1, signal: null })
    expect(second.stderr()).toMatch(new RegExp(`^effx: another effx \\(process ${dev.pid}\\) is writing to .*\\n$`))
    const once = await run(["build"], { cwd: folder })
    expect(once).toMatchObject({ code: 1, stderr: expect.stringMatching(/^effx: another effx \(process/) })
  }
  expect(filesBelow(join(cwd, ".effx"))).toEqual(before)
})

it("is refused while a one-shot build writes the same outputs", async () => {
  const cwd = project()
  const lock = join(cwd, ".effx/lock")
  // A build that is stopped while it holds the lock; one that was too fast for that starts again.
  const stopped = async (): Promise<() => Promise<void>> => {
    for (;;) {
      rmSync(join(cwd, ".effx"), { recursive: true, force: true })
      const build = spawn(effx, ["build"], { cwd, stdio: "ignore" })
      const ended = new Promise<void>((resolve) => build.on("close", () => resolve()))
      while (!existsSync(lock) && build.exitCode === null) await new Promise((resolve) => setImmediate(resolve))
      build.kill("SIGSTOP")
      if (existsSync(lock)) {
        return () => {
          build.kill("SIGCONT")
          return ended
        }
      }
      build.kill("SIGKILL")
      await ended
    }
  }
  const goOn = await stopped()
  const dev = startDev(cwd, ["--build"])
  expect(await dev.ended).toEqual({ code: 1, signal: null })
  expect(dev.stderr()).toMatch(/^effx: another effx \(process \d+\) is writing to .*\n$/)
  expect(dev.records.filter(({ kind }) => kind === "written")).toEqual([])
  await goOn()
  expect(existsSync(lock)).toBe(false)
})

it("starts again after a clean end", async () => {
  const cwd = project()
  for (let round = 0; round < 2; round++) {
    const dev = startDev(cwd, ["--build"])
    await dev.untilKind("settled")
    expect(existsSync(join(cwd, ".effx/lock"))).toBe(true)
    await dev.end("SIGTERM")
    expect(existsSync(join(cwd, ".effx/lock"))).toBe(false)
    expect(await run(["build", "--check"], { cwd })).toMatchObject({ code: 0 })
  }
})

it("completes a batch that has begun when it is told to end", async () => {
  const cwd = project()
  const journal = join(cwd, ".effx/journal.json")
  const dev = startDev(cwd, ["--build", "--out-dir", "gen"])
  while (!existsSync(journal)) await new Promise((resolve) => setImmediate(resolve))
  expect(await dev.end("SIGINT")).toMatchObject({ code: 130 })
  expect(existsSync(journal)).toBe(false)
  expect([...outputs(cwd).keys()].filter((name) => name.endsWith("effx-tmp"))).toEqual([])
  expect(existsSync(join(cwd, ".effx/lock"))).toBe(false)
  expect(await run(["build", "--check", "--out-dir", "gen"], { cwd })).toMatchObject({ code: 0 })
})

it("writes only states that nothing has superseded", async () => {
  const cwd = project()
  const dev = startDev(cwd, ["--build"])
  await dev.untilKind("settled")
  for (let turn = 0; turn < 12; turn++) {
    edit(join(cwd, "src/operations.ts"), /@Http\.Get\("\/users\w*"\)/, `@Http.Get("/users${turn}")`)
    await dev.untilKind("cycle-started")
    edit(join(cwd, "src/operations.ts"), /@Http\.Get\("\/users\w*"\)/, `@Http.Get("/users${turn}b")`)
    await dev.settled()
  }
  dev.records.forEach(({ cycle, kind }, index) => {
    if (kind !== "written") return
    const after = dev.records.slice(index + 1).find((record) => record.cycle !== undefined)
    expect(after).toMatchObject({ kind: "settled", cycle })
  })
  expect(readFileSync(join(cwd, ".effx/generated/http.ts"), "utf8")).toContain("/users11b")
})

it("does without an output folder that was removed meanwhile, and writes it anew", async () => {
  const cwd = project()
  const dev = startDev(cwd, ["--build", "--out-dir", "gen"])
  await dev.untilKind("settled")
  renameSync(join(cwd, "gen"), join(cwd, "old"))
  mkdirSync(join(cwd, "gen"))
  rmSync(join(cwd, "old"), { recursive: true })
  edit(join(cwd, "src/operations.ts"), '@Http.Get("/users")', '@Http.Get("/people")')
  await dev.untilKind("written")
  await dev.settled()
  expect(withoutLock(outputs(cwd))).toEqual(await freshBuild(cwd, ["--out-dir", "gen"]))
})
