import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { TARGETS, type Target } from "@effx/compiler"
import { filesOf } from "./inputs.ts"
import type { Project } from "./project.ts"
import { type Ran, runProgram, type Served, SHOP, servedProject, USERS } from "./served.ts"

const commandLine = (served: Served, target: Target) => {
  let project: Project
  beforeAll(() => {
    project = servedProject(served, target, filesOf[served.name](target))
  })
  afterAll(() => project.remove())
  return (...args: ReadonlyArray<string>): Promise<Ran> => runProgram(project, "checks/cli.ts", ...args)
}

describe.each(TARGETS)("the generated command line of the shop on Effect %s", { timeout: 120_000 }, (target) => {
  const shop = commandLine(SHOP, target)

  it("prints the encoded success as JSON", async () => {
    const { code, stdout, stderr } = await shop("articles", "search", "--sort", "name", "--tags", "wood")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(JSON.parse(stdout)).toEqual([{ id: 1, name: "chair", tags: ["wood"] }])
  })

  it("prints a declared error as JSON on stderr and exits with 1", async () => {
    const { code, stdout, stderr } = await shop("articles", "find", "--id", "9")
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(JSON.parse(stderr)).toEqual({ _tag: "ArticleNotFound", id: 9 })
  })

  it("prints nothing for a void success", async () => {
    expect(await shop("articles", "remove", "--id", "1")).toEqual({ code: 0, stdout: "", stderr: "" })
    expect(await shop("ping")).toEqual({ code: 0, stdout: "", stderr: "" })
  })

  it("gives a class handler an instance, and runs commands without input", async () => {
    const renamed = await shop("articles", "rename", "--id", "1", "--name", "stool", "--note", "soft")
    expect(JSON.parse(renamed.stdout)).toEqual({ id: 1, name: "STOOL", tags: ["wood"] })
    expect(JSON.parse((await shop("version")).stdout)).toBe("3")
  })

  it("takes JSON where a field is no plain value, and names of every script", async () => {
    const echoed = await shop("categories", "echo", "--name", "a", "--children", '[{"name":"b","children":[]}]')
    expect(JSON.parse(echoed.stdout)).toEqual({ name: "a", children: [{ name: "b", children: [] }] })
    expect(JSON.parse((await shop("größe", "prüfen", "--länge", "2")).stdout)).toEqual({ länge: "2" })
  })

  it("gives every field a flag of its kind, and none to a field with one possible text", async () => {
    const flags = [
      "--user-id",
      "a",
      "--user-id2",
      "b",
      "--version-value",
      "3",
      "--loud",
      "--sizes",
      "1.5",
      "--sizes",
      "2"
    ]
    const printed = await shop("lines", "flags", ...flags, "--note", "n", "--place", '{"x":1}')
    const expected = { _tag: "Flags", userId: "a", user_id: "b", version: 3, loud: true, sizes: [1.5, 2], note: "n" }
    expect(JSON.parse(printed.stdout)).toEqual({ ...expected, place: { x: 1 } })
    expect(JSON.parse((await shop("lines", "flags", "--user-id", "a", "--no-loud")).stdout)).toEqual({
      _tag: "Flags",
      userId: "a",
      loud: false,
      sizes: []
    })
    expect(JSON.parse((await shop("lines", "tagged")).stdout)).toEqual({ _tag: "Tagged" })
  })

  it("refuses input that the schema refuses with one message and exit 1", async () => {
    const { code, stdout, stderr } = await shop("größe", "prüfen", "--länge", "long")
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toMatch(/länge/)
    expect(stderr).not.toMatch(/\.[jt]s:\d+/)
  })

  it("shows JSDoc as help", async () => {
    const { code, stdout } = await shop("articles", "find", "--help")
    expect(code).toBe(0)
    expect(stdout).toContain("Only what visitors may see.")
  })
})

describe.each(TARGETS)("the generated command line of users on Effect %s", { timeout: 120_000 }, (target) => {
  const users = commandLine(USERS, target)

  it("creates, and refuses unknown flags", async () => {
    const created = await users("users", "create", "--email", "a@b.c", "--name", "Ada")
    expect(JSON.parse(created.stdout)).toEqual({ id: "u1", email: "a@b.c", name: "Ada" })
    expect((await users("users", "create", "--mail", "x")).code).toBe(1)
  })
})
