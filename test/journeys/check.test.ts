/** `effx check` on real projects: the formats, the exit codes and where paths are relative to. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { describe } from "vitest"
import { repository, run, shell, temporaryFolder } from "./effx.ts"

const users = join(repository, "fixtures/users")
const broken = "fixtures/broken/EFFX2201/broken"
const warned = "fixtures/broken/EFFX2504/broken"

const schema = JSON.parse(readFileSync(join(repository, "docs/schemas/effx.check.v1.json"), "utf8"))
const validate = new Ajv({ strict: true }).compile(schema)

it("finds nothing in a right project", async () => {
  expect(await run(["check"], { cwd: users })).toEqual({
    code: 0,
    signal: null,
    stdout: "0 errors, 0 warnings, 0 infos\n",
    stderr: ""
  })
})

it("prints one line a finding with a place that the working directory understands", async () => {
  const line = /^EFFX2201 error {2}Item\.Get can fail with NotFound, which @Errors does not declare {2}(.*)$/m
  for (const [cwd, project, place] of [
    [repository, broken, `${broken}/src/main.ts:10:3`],
    [join(repository, broken), ".", "src/main.ts:10:3"],
    [join(repository, broken, "src"), "../tsconfig.json", "main.ts:10:3"]
  ] as const) {
    const { code, stderr, stdout } = await run(["check", "--project", project], { cwd })
    expect({ code, stderr, place: line.exec(stdout)?.[1] }).toEqual({ code: 1, stderr: "", place })
    expect(stdout).toMatch(/\n1 errors, 0 warnings, 0 infos\n$/)
  }
})

it("prints an absolute place to people where the relative one would climb far, and a relative one to programs", async () => {
  const cwd = join(repository, "test/journeys/golden")
  const project = join(repository, broken)
  const people = await run(["check", "--project", project, "--format", "plain"], { cwd })
  expect(people.stdout).toContain(`  ${project}/src/main.ts:10:3\n`)
  const pretty = await run(["check", "--project", project, "--format", "pretty", "--color", "never"], { cwd })
  expect(pretty.stdout).toContain(`  ${project}/src/main.ts:10:3\n`)
  const github = await run(["check", "--project", project, "--format", "github"], { cwd })
  expect(github.stdout).toContain(`file=../../../${broken}/src/main.ts,`)
})

it("prints records that the documented schema accepts, the same from every working directory", async () => {
  const here = await run(["check", "--project", broken, "--format", "json"])
  expect(here.code).toBe(1)
  const records = here.stdout.trimEnd().split("\n")
  for (const record of records) expect(validate(JSON.parse(record)), JSON.stringify(validate.errors)).toBe(true)
  expect(JSON.parse(records[0] ?? "")).toMatchObject({ code: "EFFX2201", file: "src/main.ts", line: 10, col: 3 })
  expect(JSON.parse(records.at(-1) ?? "")).toMatchObject({ kind: "failed", errors: 1 })
  expect((await run(["check", "--format", "json"], { cwd: join(repository, broken) })).stdout).toBe(here.stdout)
})

it("fails on warnings only when they are denied", async () => {
  expect(await run(["check", "--project", warned])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/0 errors, [1-9]/)
  })
  expect(await run(["check", "--project", warned, "--deny-warnings"])).toMatchObject({ code: 1 })
  expect(await run(["check", "--project", warned, "--strict-access"])).toMatchObject({ code: 1 })
})

it("keeps its exit code when the reader closes", async () => {
  const line = '{ "$effx" check --project "$project"; echo "code $?" >&2; } | head -c 1'
  expect(await shell(line, { env: { project: broken } })).toMatchObject({ stdout: "E", stderr: "code 1\n" })
})

describe("on a terminal", () => {
  const terminal = (command: string, env: Readonly<Record<string, string>> = {}) =>
    shell(`exec script -qec 'stty cols 72; "$effx" ${command}' /dev/null`, {
      env: { project: broken, TERM: "xterm", ...env }
    })
  const escape = "\u001b["
  const uncoloured = (text: string) => Bun.stripANSI(text).replaceAll("\r", "")

  it("shows a code frame in colour", async () => {
    const { code, stdout } = await terminal('check --project "$project"')
    expect(code).toBe(1)
    expect(stdout).toContain(`${escape}1;31merror${escape}0m`)
    expect(uncoloured(stdout)).toContain(
      `  ${broken}/src/main.ts:10:3\n    9 |   @Query({ name: "Item.Get", input: Key, success: Item })\n   10 |   @Errors()\n      |   ^\n`
    )
  })

  it("shows no colour with NO_COLOR or --color never, and always with --color always", async () => {
    expect((await terminal('check --project "$project"', { NO_COLOR: "1" })).stdout).not.toContain(escape)
    expect((await terminal('check --project "$project" --color never')).stdout).not.toContain(escape)
    expect((await terminal('check --project "$project" --color always', { NO_COLOR: "1" })).stdout).toContain(escape)
    expect((await run(["check", "--project", broken, "--color", "always"])).stdout).toContain(escape)
  })
})

describe("says in one line that there is nothing to check", () => {
  it.each([
    [["--project", "nowhere"], /^effx: nowhere does not exist\n$/],
    [["--project", "fixtures"], /^effx: the folder fixtures has no tsconfig\.json\n$/]
  ] as const)("%j", async (flags, line) => {
    const ended = await run(["check", ...flags])
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toMatch(line)
  })

  it("in a folder without tsconfig, and in one that no longer exists", async () => {
    const ended = await run(["check"], { cwd: temporaryFolder() })
    expect(ended).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^effx: there is no tsconfig.json in .*\n$/)
    })
    const gone = await shell('mkdir gone && cd gone && rmdir ../gone && exec "$effx" check', { cwd: temporaryFolder() })
    expect(gone).toMatchObject({ code: 2, stdout: "" })
    expect(gone.stderr).toMatch(/^effx: the working directory no longer exists; change to another one\n$/m)
  })
})

it("logs to standard error, so that records stay records", async () => {
  const { code, stderr, stdout } = await run([
    "check",
    "--project",
    "fixtures/users",
    "--format",
    "json",
    "--log-level",
    "debug"
  ])
  expect(code).toBe(0)
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).kind)
  ).toEqual(["verified"])
  for (const name of ["open", "collect", "compile"]) expect(stderr).toMatch(new RegExp(`phase ${name} \\d+ ms`))
})
