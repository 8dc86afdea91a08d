/** `effx build` from the command line: what it prints, when it refuses, and `--check`. */
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { copyFixture, run, temporaryFolder } from "./effx.ts"

const counts = "0 errors, 0 warnings, 0 infos\n"

const project = () => copyFixture("users", temporaryFolder("effx build"), "my api")

it("writes outputs, then finds them unchanged, and says both", async () => {
  const cwd = project()
  const first = await run(["build"], { cwd })
  expect(first).toMatchObject({ code: 0, stderr: "" })
  const lines = first.stdout.trimEnd().split("\n")
  expect(lines).toContain("wrote    .effx/generated/http.ts")
  expect(lines.at(-1)).toBe(counts.trimEnd())
  for (const line of lines.slice(0, -1)) {
    expect(line).toMatch(/^wrote {4}\.effx\//)
    expect(existsSync(join(cwd, line.slice(9))), line).toBe(true)
  }
  const before = statSync(join(cwd, ".effx/generated/http.ts")).mtimeMs
  expect(await run(["build"], { cwd })).toMatchObject({
    code: 0,
    stdout: `${lines.length - 1} files are unchanged\n${counts}`,
    stderr: ""
  })
  expect(statSync(join(cwd, ".effx/generated/http.ts")).mtimeMs).toBe(before)
})

it("fails with --check exactly when the outputs on disk differ, and writes nothing", async () => {
  const cwd = project()
  const absent = await run(["build", "--check"], { cwd })
  expect(absent).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^would write {3}\.effx\/generated\/http\.ts$/m),
    stderr: expect.stringMatching(/^effx: \d+ output files are not what a build would leave; run effx build\n$/)
  })
  expect(existsSync(join(cwd, ".effx"))).toBe(false)
  await run(["build"], { cwd })
  expect(await run(["build", "--check"], { cwd })).toMatchObject({ code: 0, stdout: counts, stderr: "" })
  const operations = join(cwd, "src/operations.ts")
  writeFileSync(operations, readFileSync(operations, "utf8").replace("Shows one user.", "Shows a user."))
  expect(await run(["build", "--check"], { cwd })).toMatchObject({ code: 1 })
})

it("stops at an edited file by name until --overwrite", async () => {
  const cwd = project()
  await run(["build"], { cwd })
  const http = join(cwd, ".effx/generated/http.ts")
  const written = readFileSync(http, "utf8")
  appendFileSync(http, "// mine\n")
  const refused = await run(["build", "--project", "my api"], { cwd: join(cwd, "..") })
  expect(refused).toMatchObject({ code: 1, stdout: "" })
  expect(refused.stderr).toMatch(/^effx: my api\/\.effx\/generated\/http\.ts was edited .*--overwrite.*\n$/)
  expect(await run(["build", "--check"], { cwd })).toMatchObject({ code: 1 })
  expect(readFileSync(http, "utf8")).toBe(`${written}// mine\n`)
  expect(await run(["build", "--overwrite"], { cwd })).toMatchObject({ code: 0, stderr: "" })
  expect(readFileSync(http, "utf8")).toBe(written)
})

it("writes nothing when the check fails, also by a denied warning", async () => {
  for (const [fixture, flags] of [
    ["broken/EFFX2201/broken", []],
    ["broken/EFFX2504/broken", ["--deny-warnings"]]
  ] as const) {
    const cwd = copyFixture(fixture, temporaryFolder(), "p")
    expect(await run(["build", ...flags], { cwd })).toMatchObject({ code: 1, stderr: "" })
    expect(readdirSync(cwd)).not.toContain(".effx")
  }
})

it("prints nothing but the records in the forms for programs", async () => {
  const cwd = project()
  const { code, stdout } = await run(["build", "--format", "json"], { cwd })
  expect(code).toBe(0)
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).kind)
  ).toEqual(["verified"])
})

it("takes --out-dir and --emit from the command line", async () => {
  const cwd = project()
  expect(await run(["build", "--out-dir", "src/gen", "--emit", "contract"], { cwd })).toMatchObject({ code: 0 })
  expect(existsSync(join(cwd, "src/gen/http.ts"))).toBe(true)
  expect(readFileSync(join(cwd, "src/gen/http.ts"), "utf8")).not.toContain("HttpApiBuilder")
})

it("names the former outDir where it lies outside the project, with what it keeps there", async () => {
  const cwd = project()
  const out = join(cwd, "../elsewhere")
  expect(await run(["build", "--out-dir", "../elsewhere"], { cwd })).toMatchObject({ code: 0, stderr: "" })
  const generated = readdirSync(out).sort()
  appendFileSync(join(out, "http.ts"), "// mine now\n")
  const moved = await run(["build"], { cwd })
  const kept = generated.filter((file) => file !== "http.ts").join(", ")
  expect(moved).toMatchObject({
    code: 0,
    stderr: `effx: ../elsewhere was the outDir and lies outside the project, so effx leaves there what it generated: ${kept}; delete it by hand\n`
  })
  expect(readdirSync(out).sort()).toEqual(generated)
  // It is said once: the manifest knows the old folder no longer.
  expect(await run(["build"], { cwd })).toMatchObject({ code: 0, stderr: "" })
})

it("removes what it generated when an outDir inside the project changes, and says nothing more", async () => {
  const cwd = project()
  await run(["build", "--out-dir", "gen"], { cwd })
  const moved = await run(["build"], { cwd })
  expect(moved).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("removed  gen/http.ts\n") })
  expect(existsSync(join(cwd, "gen"))).toBe(false)
})
