/** Gate 1 of Spec 0018: a session that only checks (§3). */
import { createHash } from "node:crypto"
import { appendFileSync, lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { childrenOf } from "../../children.ts"
import { run } from "../effx.ts"
import { codes, edit, eventually, isRunning, project, startDev } from "./driver.ts"

/** Every entry of a folder with what it holds. */
const treeOf = (folder: string): ReadonlyArray<string> =>
  (readdirSync(folder, { recursive: true }) as Array<string>).sort().map((name) => {
    const file = join(folder, name)
    const stats = lstatSync(file)
    const holds = stats.isSymbolicLink()
      ? readlinkSync(file)
      : stats.isFile()
        ? createHash("sha256").update(readFileSync(file)).digest("hex")
        : "folder"
    return `${name} ${holds} ${stats.mtimeMs}`
  })

it("tells a first cycle, an error at its point, and its repair with an explicit zero", async () => {
  const cwd = project()
  const dev = startDev(cwd, ["--project", "tsconfig.json"])
  expect(await dev.untilKind("session-started")).toMatchObject({ project: join(cwd, "tsconfig.json") })
  expect(await dev.untilKind("cycle-started")).toMatchObject({ cycle: 1, reason: "start", files: [] })
  expect(await dev.untilKind("diagnostics")).toMatchObject({ cycle: 1, diagnostics: [], errors: 0, warnings: 0 })
  const first = await dev.untilKind("settled")
  expect(first).toMatchObject({ cycle: 1, revision: expect.stringMatching(/^sha256:/) })
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  expect(await dev.untilKind("cycle-started")).toMatchObject({ reason: "changed", files: ["src/operations.ts"] })
  const broken = await dev.untilKind("diagnostics")
  expect(broken).toMatchObject({
    errors: 1,
    diagnostics: [{ code: "EFFX2201", severity: "error", file: "src/operations.ts", line: 19, col: 3 }]
  })
  edit(join(cwd, "src/operations.ts"), "@Errors()", "@Errors(UserNotFound)")
  const repaired = await dev.untilKind("diagnostics")
  expect(repaired).toMatchObject({ errors: 0, warnings: 0, infos: 0, diagnostics: [] })
  expect(repaired.cycle).toBeGreaterThan(broken.cycle)
  expect(await dev.untilKind("settled")).toMatchObject({ revision: first.revision })
  expect(await dev.end()).toEqual({ code: 130, signal: null })
  expect(dev.records.at(-1)).toMatchObject({ kind: "session-ended" })
  expect(dev.stderr()).toBe("")
})

it("says the same of an error as a check of the same files", async () => {
  const cwd = project()
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  const dev = startDev(cwd)
  const { diagnostics } = await dev.untilKind("diagnostics")
  const checked = (await run(["check", "--format", "json"], { cwd })).stdout.trimEnd().split("\n")
  const records = checked.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "diagnostic")
  expect(diagnostics).toEqual(records.map(({ kind: _kind, schema: _schema, ...rest }) => rest))
  expect(diagnostics).toHaveLength(1)
})

it("ends on SIGINT with nothing left running, and works no more afterwards", async () => {
  const cwd = project()
  const dev = startDev(cwd)
  await dev.untilKind("settled")
  const children = childrenOf(dev.pid)
  expect(children).toHaveLength(1)
  const before = performance.now()
  expect(await dev.end("SIGINT")).toEqual({ code: 130, signal: null })
  expect(performance.now() - before).toBeLessThan(2_000)
  await eventually(() => !children.some(isRunning))
  const said = dev.records.length
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  expect(isRunning(dev.pid)).toBe(false)
  expect(dev.records).toHaveLength(said)
})

it("touches no file without --build, also with generators and an outDir in the config", async () => {
  const cwd = project()
  writeFileSync(
    join(cwd, "effx.config.mjs"),
    'export default { outDir: "generated", generators: { openapi: true }, emit: "all" }\n'
  )
  const before = treeOf(cwd)
  const dev = startDev(cwd)
  await dev.untilKind("settled")
  await dev.end()
  expect(treeOf(cwd)).toEqual(before)
})

it("checks again on a write in place and on an append", async () => {
  const cwd = project()
  const dev = startDev(cwd)
  await dev.untilKind("settled")
  appendFileSync(join(cwd, "src/operations.ts"), "export const more = ;\n")
  expect(codes(await dev.untilKind("diagnostics"))).toEqual(["EFFX1107"])
  writeFileSync(join(cwd, "src/operations.ts"), "export {}\n")
  expect(codes(await dev.settled())).toEqual([])
})
