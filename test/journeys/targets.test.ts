/**
 * One project on each supported Effect, through the whole program: its types are read, its code is built for it, typechecks, what
 * is served answers the generated clients, and its command line runs. `generated.test.ts` looks closer at the newest.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { TARGETS } from "@effx/compiler"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { COMPILERS, type Project, typecheck } from "../compiler/generators/project.ts"
import { runProgram, servedProject, USERS } from "../compiler/generators/served.ts"
import { type Ended, run } from "./effx.ts"

const VERSIONS = { "4.0.0-rc.116": "4.0.0-rc.116", "4.0": "4.0.6", "4.1": "4.1.0" } as const

describe.each(TARGETS)("on Effect %s", (target) => {
  let project: Project
  let built: Ended
  beforeAll(async () => {
    project = servedProject(USERS, target, [])
    built = await run(["build", "--project", project.root], { cwd: project.root })
  }, 120_000)
  afterAll(() => project.remove())

  it("builds for the version that is installed", () => {
    expect(built).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("0 errors, 0 warnings") })
    const { versions } = JSON.parse(readFileSync(join(project.root, ".effx/manifest.json"), "utf8"))
    expect(versions.effect).toBe(VERSIONS[target])
  })

  it.each(Object.keys(COMPILERS) as Array<keyof typeof COMPILERS>)("typechecks with %s", (compiler) => {
    expect(typecheck(project, compiler)).toBe("")
  })

  it("answers the generated clients", async () => {
    const { code, stderr, stdout } = await runProgram(project, "checks/program.ts")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(JSON.parse(stdout).results).toMatchObject({
      created: { success: { id: "u1", email: "a@b.c", name: "Ada" } },
      taken: { error: { _tag: "EmailTaken", email: "a@b.c" } },
      badPayload: { status: 400 },
      rpcMissing: { error: { _tag: "UserNotFound", id: "u9" } }
    })
  })

  it("runs the generated command line", async () => {
    const cli = (...args: ReadonlyArray<string>) => runProgram(project, "checks/cli.ts", ...args)
    const created = await cli("users", "create", "--email", "a@b.c", "--name", "Ada")
    expect(created).toMatchObject({ code: 0, stderr: "" })
    expect(JSON.parse(created.stdout)).toEqual({ id: "u1", email: "a@b.c", name: "Ada" })
    const missing = await cli("users", "get", "--id", "u9")
    expect(missing).toMatchObject({ code: 1, stdout: "" })
    expect(JSON.parse(missing.stderr)).toEqual({ _tag: "UserNotFound", id: "u9" })
    const unknown = await cli("users", "create", "--mail", "x")
    expect(unknown.code).toBe(1)
    expect(unknown.stderr).toContain("--mail")
  })
})
