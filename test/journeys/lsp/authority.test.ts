/** Authority of the packed server (Spec 0018 §3): what it may run, and when it needs a restart. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { edit, project } from "../dev/driver.ts"
import { codesOf, open, spawnLsp, startLsp } from "./driver.ts"
import { treeHash } from "./fixtures.ts"

/** A config that counts its evaluations beside the project. */
const counting = (cwd: string): string => {
  const count = join(cwd, "../evaluations")
  writeFileSync(
    join(cwd, "effx.config.ts"),
    `import { appendFileSync } from "node:fs"
import "./helper.ts"
appendFileSync(${JSON.stringify(count)}, "x")
export default { executableCoverage: { files: ["alias"] } }
`
  )
  writeFileSync(join(cwd, "helper.ts"), "export {}\n")
  for (const target of ["one", "two"]) mkdirSync(join(cwd, target))
  symlinkSync("one", join(cwd, "alias"))
  return count
}

const FAULTY = ["@Errors(UserNotFound)", "@Errors()"] as const

describe("a config that is found", () => {
  it("is not evaluated without authority, also from an open document, and the client is told what gives it", async () => {
    const cwd = project()
    const count = counting(cwd)
    const before = treeHash(cwd)
    const server = spawnLsp(cwd)
    await expect(server.initialize()).rejects.toMatchObject({
      code: -32803,
      message: expect.stringMatching(/effx\.config\.ts.*--trust-config/)
    })
    open(server, join(cwd, "effx.config.ts"))
    await server.connection.sendNotification("exit")
    expect(await server.ended).toEqual({ code: 1, signal: null })
    expect(existsSync(count)).toBe(false)
    expect(treeHash(cwd)).toBe(before)
  })

  it("is evaluated once when it is trusted, never from an overlay, and a replaced route asks for a restart once", async () => {
    const cwd = project()
    const count = counting(cwd)
    const server = await startLsp(cwd, { args: ["--trust-config"] })
    await server.untilLog(/only you know/)
    const config = open(server, join(cwd, "effx.config.ts"))
    await config.diagnostics()
    config.edit(["appendFileSync(", "appendFileSync(/* unsaved */ "])
    await config.diagnostics()
    const document = open(server, join(cwd, "src/operations.ts"))
    expect(await document.diagnostics()).toEqual([])
    for (let round = 0; round < 2; round++) {
      document.edit(FAULTY)
      expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
      document.edit([FAULTY[1], FAULTY[0]])
      expect(await document.diagnostics()).toEqual([])
    }
    document.edit(FAULTY)
    expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
    const from = server.publications.length
    unlinkSync(join(cwd, "alias"))
    symlinkSync("two", join(cwd, "alias"))
    // The old target is as it was; its name leads elsewhere.
    await server.untilLog(/restart required/)
    const cleared = await server.until(({ uri }) => uri === document.uri, from)
    expect(cleared).toMatchObject({ diagnostics: [], version: document.version() })
    document.edit([FAULTY[1], FAULTY[0]])
    expect((await server.connection.sendRequest("probe").catch(({ code }) => code)) as number).toBe(-32601)
    expect(server.logs.filter(({ message }) => /restart required/.test(message))).toHaveLength(1)
    await server.end()
    expect(readFileSync(count, "utf8")).toBe("x")
    // A new process goes on.
    const again = await startLsp(cwd, { args: ["--trust-config"] })
    expect(await open(again, join(cwd, "src/operations.ts")).diagnostics()).toEqual([])
    await again.end()
    expect(readFileSync(count, "utf8")).toBe("xx")
  })
})

describe("code that is declared at the launch", () => {
  it("asks for a restart when it changes, from the working directory of the launch", async () => {
    const cwd = project()
    mkdirSync(join(cwd, "tools"))
    writeFileSync(join(cwd, "tools/a.ts"), "export {}\n")
    const server = await startLsp(cwd, { args: ["--exec-file", "package.json", "--exec-dir", "tools"] })
    const document = open(server, join(cwd, "src/operations.ts"))
    document.edit(FAULTY)
    expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
    appendFileSync(join(cwd, "tools/a.ts"), "export const changed = 1\n")
    await server.untilLog(/restart required: .*tools\/a\.ts changed/)
    expect(server.last(document.uri)?.diagnostics).toEqual([])
    await server.end()
  })
})

it("follows what is saved elsewhere, for what is open", async () => {
  const cwd = project()
  const server = await startLsp(cwd)
  const document = open(server, join(cwd, "src/operations.ts"))
  expect(await document.diagnostics()).toEqual([])
  const from = server.publications.length
  edit(join(cwd, "src/users.ts"), "UserNotFound>", "UserNotFound | Error>")
  const told = await server.until(({ uri }) => uri === document.uri, from)
  expect(told).toMatchObject({ version: 1 })
  expect(codesOf(told.diagnostics)).toEqual(["EFFX2203"])
  await server.end()
})
