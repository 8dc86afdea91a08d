/**
 * What `effx build` writes for every clean fixture: it builds, typechecks as strictly as a project may, documents itself without an
 * error, and for two real projects is served, called and run. What generators do on each target is proved beside them.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "@effect/vitest"
import { Ruleset, Spectral } from "@stoplight/spectral-core"
import { oas } from "@stoplight/spectral-rulesets"
import { afterAll, beforeAll, describe, it } from "vitest"
import { generate } from "../../fixtures/large/generate.ts"
import { copyFixture, type Ended, repository, run } from "./effx.ts"
import { inTurn } from "./in-turn.ts"

const FIXTURES = ["users", "users-builder", "persistence", "persistence-swapped", "extension", "hostile"] as const
const PROJECTS = [...FIXTURES, "extension/builder", "large", "monorepo/apps/server", "monorepo/apps/worker"] as const
type Name = (typeof PROJECTS)[number]

/** Programs of fixtures/programs over the outputs of a project. */
const SERVED = { users: "users", "monorepo/apps/server": "orders" } as const

const top = mkdtempSync(join(tmpdir(), "effx-generated-"))
afterAll(() => rmSync(top, { recursive: true, force: true }))

const built = new Map<Name, Ended>()

beforeAll(async () => {
  for (const fixture of [...FIXTURES, "monorepo"]) copyFixture(fixture, top, fixture)
  generate(40, join(top, "large"))
  for (const [project, program] of Object.entries(SERVED)) {
    const checks = join(top, project, "checks")
    mkdirSync(checks)
    const programs = { "serve-node": "serve", "run-node": "run", outcome: "outcome", [program]: "program" }
    const files = { ...programs, [`${program}-routes`]: "routes", [`${program}-cli`]: "cli" }
    for (const [from, to] of Object.entries(files)) {
      cpSync(join(repository, "fixtures/programs", `${from}.ts`), join(checks, `${to}.ts`))
    }
  }
  await Promise.all(
    PROJECTS.map((project) =>
      inTurn(async () => void built.set(project, await run(["build", "--project", join(top, project)], { cwd: top })))
    )
  )
}, 240_000)

const generated = (project: Name): string => join(top, project, ".effx/generated")

describe.each(PROJECTS)("%s", (project) => {
  it("is built without an error", () => {
    expect(built.get(project)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^(wrote .*\n)+(EFFX\[effx-audit\]\/0001 warning .*\n)*0 errors, \d warnings, 0 infos\n$/
      ),
      stderr: ""
    })
    expect(readdirSync(generated(project)).length).toBeGreaterThan(1)
  })

  it("documents its API without an error under spectral:oas", async () => {
    const file = join(generated(project), "openapi.json")
    // Of the clean fixtures, only the worker has no route.
    expect(existsSync(file)).toBe(project !== "monorepo/apps/worker")
    if (!existsSync(file)) return
    const document = JSON.parse(readFileSync(file, "utf8"))
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(Object.keys(document.paths).length).toBeGreaterThan(0)
    const spectral = new Spectral()
    spectral.setRuleset(new Ruleset({ extends: [[oas, "all"]] } as never))
    const errors = (await spectral.run(document)).filter(({ severity }) => severity === 0)
    expect(errors.map(({ code, message, path }) => `${code} ${path.join(".")} ${message}`)).toEqual([])
  })
})

describe("sources and generated code typecheck", () => {
  const STRICT = {
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    noUnusedLocals: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["bun"]
  }
  /** One program for all projects that resolve alike, for the sake of time. */
  const ALIKE = PROJECTS.filter((project) => project !== "monorepo/apps/worker")
  const COMPILERS = { "TypeScript 7": "typescript", "TypeScript 5.9": "typescript-5.9" } as const

  const typecheck = (compiler: keyof typeof COMPILERS, tsconfig: string): Promise<Ended> => {
    const tsc = join(repository, "node_modules", COMPILERS[compiler], "bin/tsc")
    return inTurn(() => run([tsc, "-p", join(top, tsconfig), "--pretty", "false"], { cwd: top, program: "node" }))
  }

  const sources = (project: string) => ["src", "checks", ".effx/generated"].map((folder) => join(project, folder))

  beforeAll(() => {
    writeFileSync(
      join(top, "tsconfig.alike.json"),
      JSON.stringify({
        extends: "./users/tsconfig.json",
        compilerOptions: STRICT,
        include: ALIKE.flatMap((project) => sources(`./${project}`))
      })
    )
    writeFileSync(
      join(top, "monorepo/apps/worker/tsconfig.strict.json"),
      JSON.stringify({ extends: "./tsconfig.json", compilerOptions: STRICT, include: sources(".") })
    )
  })

  describe.each(Object.keys(COMPILERS) as Array<keyof typeof COMPILERS>)("with %s", (compiler) => {
    it.each(["tsconfig.alike.json", "monorepo/apps/worker/tsconfig.strict.json"])("%s", async (tsconfig) => {
      expect(await typecheck(compiler, tsconfig)).toMatchObject({ code: 0, stdout: "", stderr: "" })
    })
  })

  it("unless the code is wrong", async () => {
    const wrong = 'import { Api } from "./.effx/generated/http.js"\nexport const title: number = Api.identifier\n'
    writeFileSync(join(top, "users/wrong.ts"), wrong)
    writeFileSync(
      join(top, "users/tsconfig.wrong.json"),
      JSON.stringify({ extends: "./tsconfig.json", compilerOptions: STRICT, include: ["wrong.ts"] })
    )
    const { code, stdout } = await typecheck("TypeScript 7", "users/tsconfig.wrong.json")
    expect(code).not.toBe(0)
    expect(stdout).toMatch(/^users\/wrong\.ts\(2,14\): error TS2322/)
  })
})

describe("a server of built code answers its generated clients over HTTP and RPC", () => {
  const answers = async (project: keyof typeof SERVED) => {
    const program = [join(top, project, "checks/program.ts")]
    const { code, stderr, stdout } = await inTurn(() =>
      run(program, { program: process.execPath, cwd: join(top, project) })
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    return JSON.parse(stdout).results
  }
  const badRequest = { status: 400, type: null, body: "" }

  it("of users", async () => {
    const ada = { id: "u1", email: "a@b.c", name: "Ada" }
    expect(await answers("users")).toMatchObject({
      created: { success: ada },
      taken: { error: { _tag: "EmailTaken", email: "a@b.c" } },
      missing: { error: { _tag: "UserNotFound", id: "u9" } },
      badQuery: badRequest,
      badPayload: badRequest,
      rpcMissing: { error: { _tag: "UserNotFound", id: "u9" } },
      removedPlain: { status: 404, type: "application/json" }
    })
  })

  it("of a workspace package, with names of every script", async () => {
    const order = { id: "o1", lines: [{ sku: "chair", quantity: 2 }] }
    const listed = { items: [{ ...order, placedAt: "2026-01-02T03:04:05.000Z" }] }
    const closed = { _tag: "OrderClosed", orderId: "o1" }
    const missing = { error: { _tag: "OrderNotFound", orderId: "o9" } }
    expect(await answers("monorepo/apps/server")).toEqual({
      shown: { success: order },
      missing,
      listed: { success: { ...listed, next: "o0" } },
      listedPlain: { status: 200, type: "application/json", body: JSON.stringify(listed) },
      closed: { success: null },
      closedAgain: { error: closed },
      closedAgainPlain: { status: 409, type: "application/json", body: JSON.stringify(closed) },
      measured: { success: { länge: 2.5, einheit: "cm" } },
      badQuery: badRequest,
      badUnit: badRequest,
      rpcInvoice: { success: { number: "2026-1", lines: [{ text: "two chairs", cents: 4000 }] } },
      rpcMissing: missing
    })
  })
})

describe("the built command line runs", () => {
  const cli = (project: keyof typeof SERVED, ...args: ReadonlyArray<string>) =>
    inTurn(() =>
      run([join(top, project, "checks/cli.ts"), ...args], { program: process.execPath, cwd: join(top, project) })
    )

  it("of users", async () => {
    const created = await cli("users", "users", "create", "--email", "a@b.c", "--name", "Ada")
    expect(created).toMatchObject({ code: 0, stderr: "" })
    expect(JSON.parse(created.stdout)).toEqual({ id: "u1", email: "a@b.c", name: "Ada" })
    const missing = await cli("users", "users", "get", "--id", "u9")
    expect(missing).toMatchObject({ code: 1, stdout: "" })
    expect(JSON.parse(missing.stderr)).toEqual({ _tag: "UserNotFound", id: "u9" })
  })

  it("of a workspace package", async () => {
    expect(await cli("monorepo/apps/server", "orders", "close", "--id", "o1")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: ""
    })
    const missing = await cli("monorepo/apps/server", "orders", "close", "--id", "o9")
    expect(missing).toMatchObject({ code: 1, stdout: "" })
    expect(JSON.parse(missing.stderr)).toEqual({ _tag: "OrderNotFound", orderId: "o9" })
  })
})
