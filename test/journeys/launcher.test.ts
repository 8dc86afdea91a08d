/** The launcher: found from anywhere, and deaf to whatever lies in the working directory or the environment. */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { describe } from "vitest"
import { effx, effxFromSource, repository, run, shell, temporaryFolder } from "./effx.ts"

const version =
  /^effx \d+\.\d+\.\d+\ncommit ([0-9a-f]{40}( \(modified\))?|unknown)\nbun [\d.]+\ntypescript \S+\neffect [\d.]+\n$/

describe("is found", () => {
  it("from any working directory", async () => {
    for (const cwd of ["/", temporaryFolder("with 'quotes\" & spaces")]) {
      expect(await run(["--version"], { cwd })).toMatchObject({
        code: 0,
        stderr: "",
        stdout: expect.stringMatching(version)
      })
    }
  })

  it("through chains of relative and absolute links, also of folders", async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, "a b"))
    symlinkSync(realpathSync(effx), join(folder, "a b", "one"))
    symlinkSync("a b", join(folder, "linked folder"))
    symlinkSync("linked folder/one", join(folder, "two"))
    symlinkSync("two", join(folder, "-n line\nbreak"))
    for (const program of ["two", "-n line\nbreak", "linked folder/one"]) {
      expect(await run(["--version"], { program: join(folder, program) })).toMatchObject({ code: 0, stderr: "" })
    }
    expect(
      await shell('cd "$folder" && CDPATH=/ && export CDPATH && ./two --version', { env: { folder } })
    ).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(version)
    })
  })

  it("on PATH", async () => {
    const PATH = `${join(effx, "..")}:${process.env.PATH}`
    expect(await shell("effx --version", { cwd: "/", env: { PATH } })).toMatchObject({ code: 0 })
  })

  it("without HOME and without PATH", async () => {
    const cwd = temporaryFolder()
    expect(await run(["--version"], { cwd, env: { HOME: "", PATH: "" } })).toMatchObject({ code: 0, stderr: "" })
    expect(await shell('unset HOME PATH; exec "$effx" --version', { cwd })).toMatchObject({ code: 0, stderr: "" })
    expect(readdirSync(cwd)).toEqual([])
  })

  it("says what to do when Bun is not set up, and when links form a loop", async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, "src/cli"), { recursive: true })
    cpSync(join(repository, "src/cli/bin"), join(folder, "src/cli/bin"), { recursive: true })
    const ended = await run(["--version"], { program: join(folder, "src/cli/bin/effx") })
    expect(ended).toMatchObject({ code: 3, stdout: "" })
    expect(ended.stderr).toBe(`effx: Bun is not set up in ${realpathSync(folder)}; run 'npm start' there once\n`)
  })
})

describe("is deaf to", () => {
  const trap = (folder: string) => {
    const mark = join(folder, "trapped")
    writeFileSync(join(folder, "evil.js"), `require("fs").appendFileSync(${JSON.stringify(mark)}, "x")`)
    return () => expect(existsSync(mark)).toBe(false)
  }

  it("a preloading bunfig.toml, .env and node_modules of the working directory", async () => {
    const cwd = temporaryFolder()
    const expectNoTrap = trap(cwd)
    writeFileSync(join(cwd, "bunfig.toml"), 'preload = ["./evil.js"]\n[define]\n"process.platform" = "\'plan9\'"\n')
    writeFileSync(join(cwd, ".env"), "NO_COLOR=1\nBUN_OPTIONS=--preload=./evil.js\n")
    mkdirSync(join(cwd, "node_modules/effect"), { recursive: true })
    writeFileSync(join(cwd, "node_modules/effect/package.json"), '{"name":"effect","main":"../../evil.js"}')
    expect(await run(["explain", "EFFX2201"], { cwd })).toMatchObject({ code: 0, stderr: "" })
    expectNoTrap()
  })

  it("a tsconfig.json of the working directory that does not parse or redirects modules", async () => {
    const cwd = temporaryFolder()
    const expectNoTrap = trap(cwd)
    for (const text of ["no json", '{"compilerOptions":{"baseUrl":".","paths":{"effect":["./evil.js"]}}}']) {
      writeFileSync(join(cwd, "tsconfig.json"), text)
      expect(await run(["explain", "EFFX2201"], { cwd })).toMatchObject({ code: 0, stderr: "" })
    }
    expectNoTrap()
  })

  it("a bunfig.toml that is a pipe or does not parse", async () => {
    for (const make of [
      (file: string) => spawnSync("mkfifo", [file]),
      (file: string) => writeFileSync(file, "[[[ no toml")
    ]) {
      const cwd = temporaryFolder()
      make(join(cwd, "bunfig.toml"))
      expect(existsSync(join(cwd, "bunfig.toml"))).toBe(true)
      expect(await run(["--version"], { cwd })).toMatchObject({ code: 0, stderr: "" })
    }
  })

  it("functions in the environment, where sh is Bash", async () => {
    const cwd = temporaryFolder()
    const expectNoTrap = trap(cwd)
    const sh = join(cwd, "sh")
    symlinkSync("/bin/bash", sh)
    const names = ["[", "cd", "command", "exec", "export", "printf", "read", "true", "unset"]
    const env = Object.fromEntries(
      names.map((name) => [`BASH_FUNC_${name}%%`, `() { echo x >'${join(cwd, "trapped")}'; }`])
    )
    expect(await run([realpathSync(effx), "--version"], { program: sh, cwd, env })).toMatchObject({
      code: 0,
      stderr: ""
    })
    expectNoTrap()
    // The trap works: the same shell runs such a function where nothing keeps it from it.
    await run(["-c", "printf x"], { program: sh, cwd, env })
    expect(existsSync(join(cwd, "trapped"))).toBe(true)
  })

  it("variables that re-arm Bun", async () => {
    const cwd = temporaryFolder()
    const expectNoTrap = trap(cwd)
    const evil = join(cwd, "evil.js")
    for (const env of [
      { BUN_OPTIONS: `--preload ${evil}` },
      { BUN_OPTIONS: '-e "process.exit(9)"' },
      { BUN_INSPECT_PRELOAD: evil },
      { BUN_INSPECT: "ws://localhost:0/x?break=1" },
      { BUN_BE_BUN: "1" },
      { BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(cwd, "cache") },
      { NODE_OPTIONS: `--require ${evil}` },
      { NODE_PATH: join(cwd, "node_modules") },
      { NODE_COMPILE_CACHE: join(cwd, "cache") },
      { TS_API_TIMING_DIR: join(cwd, "cache") }
    ]) {
      expect(await run(["--version"], { cwd, env }), JSON.stringify(env)).toMatchObject({ code: 0, stderr: "" })
    }
    expectNoTrap()
    expect(existsSync(join(cwd, "cache"))).toBe(false)
  })
})

it("leaves nothing behind in a folder that it may not write", async () => {
  const cwd = temporaryFolder()
  chmodSync(cwd, 0o555)
  expect(await run(["explain", "EFFX2201"], { cwd })).toMatchObject({ code: 0 })
  chmodSync(cwd, 0o755)
})

it("is one file for the archive and for the source, and starts the same program", async () => {
  expect(realpathSync(effx)).not.toBe(realpathSync(effxFromSource))
  expect(readFileSync(effx, "utf8")).toBe(readFileSync(effxFromSource, "utf8"))
  for (const args of [
    ["check", "--help"],
    ["explain", "EFFX2201"],
    ["check", "--project", "fixtures/users"],
    ["nothing"]
  ]) {
    const { code, stderr, stdout } = await run(args, { program: effxFromSource })
    expect(await run(args)).toMatchObject({ code, stderr, stdout })
  }
  const versions = (text: string) => text.split("\n").filter((line) => !line.startsWith("commit "))
  const { stdout } = await run(["--version"], { program: effxFromSource })
  expect(stdout).toMatch(version)
  expect(versions((await run(["--version"])).stdout)).toEqual(versions(stdout))
})

it("uses no GNU extension", () => {
  expect(readFileSync(join(repository, "src/cli/bin/effx"), "utf8")).not.toMatch(
    /readlink -f|realpath|\[\[|\blocal\b|\$'/
  )
})
