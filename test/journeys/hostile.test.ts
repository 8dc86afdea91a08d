/**
 * Nothing of an application is ever evaluated: fixtures/hostile throws and leaves a file behind as soon as one of its modules
 * runs. The config is the one module that runs, once for each command (Spec 0018 §3).
 */
import { spawnSync } from "node:child_process"
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { copyFixture, run } from "./effx.ts"

const top = mkdtempSync(join(tmpdir(), "effx-hostile-"))
const evaluated = join(top, "evaluated")
const log = join(top, "config-runs")
let cwd: string

beforeAll(() => {
  cwd = copyFixture("hostile", top, "project")
  // Also seen when the project is copied somewhere else before it is compiled.
  const trap = join(cwd, "src/trap.ts")
  writeFileSync(
    trap,
    readFileSync(trap, "utf8").replace("throw", `writeFileSync(${JSON.stringify(evaluated)}, "")\nthrow`)
  )
  writeFileSync(
    join(cwd, "effx.config.ts"),
    `import { appendFileSync } from "node:fs"\nappendFileSync(${JSON.stringify(log)}, import.meta.url + "\\n")\nexport default {}\n`
  )
  const git = (...args: ReadonlyArray<string>) =>
    expect(spawnSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], { cwd: top }).status).toBe(0)
  git("init", "-q")
  git("add", "project")
  git("commit", "-qm", "first")
})
afterAll(() => rmSync(top, { recursive: true, force: true }))

const traces = (): ReadonlyArray<string> =>
  readdirSync(top, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith("evaluated") && !path.startsWith("node_modules")
  )

it("has a trap that works", () => {
  expect(spawnSync(process.execPath, [join(cwd, "src/operations.ts")], { cwd }).status).not.toBe(0)
  expect(traces()).toEqual(["evaluated", "project/evaluated"])
  rmSync(evaluated)
  rmSync(join(cwd, "evaluated"))
})

describe("no application module is evaluated, and the config once, by", () => {
  it.each([
    [["check"], 0],
    [["check", "--format", "json"], 0],
    [["build", "--check"], 1],
    [["inspect", "Trap.Look"], 0],
    [["graph"], 0],
    [["graph", "Trap.Look", "--as", "dot"], 0],
    [["graph", "--as", "json"], 0],
    [["graph", "--as", "html"], 0],
    [["diff", "."], 0],
    [["diff", "HEAD"], 0],
    [["build"], 0],
    [["build", "--check"], 0],
    [["build", "--emit", "contract", "--out-dir", "generated"], 0],
    [["diff", ".effx/ir.json"], 0],
    [["diff", "HEAD", "."], 0],
    [["explain", "EFFX0001", "--config", "effx.config.ts"], 0]
  ] as const)("effx %j", async (args, code) => {
    writeFileSync(log, "")
    const ended = await run(args, { cwd })
    expect({ code: ended.code, printed: ended.stdout !== "" || ended.stderr !== "" }).toEqual({ code, printed: true })
    const runs = readFileSync(log, "utf8")
      .trimEnd()
      .split("\n")
      .filter((line) => line !== "")
    expect(runs).toEqual(Array.from(new Set(runs)))
    // A revision is compiled in a folder of its own, with its own config.
    const own = runs.filter((url) => url === `file://${cwd}/effx.config.ts`)
    expect(own).toHaveLength(args[0] === "diff" && args.length === 3 ? 0 : 1)
    expect(traces()).toEqual([])
  })
})

it("is not evaluated either when the project is broken", async () => {
  appendFileSync(join(cwd, "src/operations.ts"), "\nexport const broken = (\n")
  for (const command of [["check"], ["build"]]) expect((await run(command, { cwd })).code).toBe(1)
  expect((await run(["graph"], { cwd })).stderr).toBe("effx: the project has an error; see effx check\n")
  expect(traces()).toEqual([])
})
