/**
 * Guards as source declares them, through the whole program on each supported Effect: `openapi.json` documents what Effect itself
 * documents of the generated API. Before 4.1 Effect documents guards that must all let pass as if one were enough.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { effectModule, TARGETS } from "@effx/compiler"
import { Ruleset, Spectral } from "@stoplight/spectral-core"
import { oas } from "@stoplight/spectral-rulesets"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { forTarget, makeProject, type Project } from "../compiler/generators/project.ts"
import { runProgram } from "../compiler/generators/served.ts"
import { type Ended, run } from "./effx.ts"

const SOURCE = `import { Operation } from "@effx/runtime"
import { Effect, Schema } from "effect"
import { HttpApiError, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"

export class Refused extends Schema.TaggedError<Refused>()("Refused", { why: Schema.String }, { httpApiStatus: 403 }) {}

/** Who is it? */
export class Session extends HttpApiMiddleware.Service<Session>()("Session", {
  error: [HttpApiError.Unauthorized, Refused],
  security: {
    token: HttpApiSecurity.bearer.pipe(HttpApiSecurity.annotate(OpenApi.Format, "JWT")),
    cookie: HttpApiSecurity.apiKey({ key: "session", in: "cookie" })
  }
}) {}

/** May the machine? */
export class Machine extends HttpApiMiddleware.Service<Machine>()("Machine", {
  error: HttpApiError.ForbiddenNoContent,
  security: { key: HttpApiSecurity.annotate(HttpApiSecurity.apiKey({ key: "X-Key" }), OpenApi.Description, "Of a machine") }
}) {}

/** Asks for nothing, but may refuse. */
export class Quota extends HttpApiMiddleware.Service<Quota>()("Quota", { error: HttpApiError.ServiceUnavailable }) {}

export const Word = Schema.String

export const open = Operation.query({ name: "Word.Open", success: Word })
  .errors()
  .http.get("/open")
  .http.access({ exposure: "public" })
  .handler(() => Effect.succeed(""))

export const one = Operation.query({ name: "Word.One", success: Word })
  .errors()
  .http.get("/one")
  .http.access({ exposure: "protected", middleware: [Session] })
  .handler(() => Effect.succeed(""))

export const all = Operation.query({ name: "Word.All", success: Word })
  .errors()
  .http.get("/all")
  .http.access({ exposure: "protected", middleware: [Session, Machine, Quota] })
  .handler(() => Effect.succeed(""))
`

interface Documented {
  readonly paths: Record<string, Record<string, { readonly security: object; readonly responses: object }>>
  readonly components: { readonly securitySchemes: object }
}

/** What a caller must know of guards, without the words. */
const guardsOf = ({ components, paths }: Documented) => ({
  schemes: components.securitySchemes,
  operations: Object.fromEntries(
    Object.entries(paths).map(([path, { get }]) => [
      path,
      {
        security: get?.security,
        responses: Object.entries(get?.responses ?? {}).map(([status, { content = {} }]) => [
          status,
          Object.keys(content)
        ])
      }
    ])
  )
})

describe.each(TARGETS)("on Effect %s", (target) => {
  let project: Project
  let built: Ended
  beforeAll(async () => {
    project = makeProject({
      target,
      files: [],
      sources: {
        "src/main.ts": forTarget(SOURCE, target),
        "checks/spec.ts": `import { OpenApi } from "${effectModule(target, "OpenApi")}"
import { Api } from "../.effx/generated/http.js"
console.log(JSON.stringify(OpenApi.fromApi(Api)))
`
      }
    })
    built = await run(["build", "--project", project.root], { cwd: project.root })
  }, 120_000)
  afterAll(() => project.remove())

  it("documents the schemes and refusals of guards as Effect does", async () => {
    expect(built).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("0 errors, 0 warnings") })
    const own = JSON.parse(readFileSync(join(project.root, ".effx/generated/openapi.json"), "utf8"))
    const { code, stderr, stdout } = await runProgram(project, "checks/spec.ts")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const [ours, effects] = [guardsOf(own), guardsOf(JSON.parse(stdout))]
    const all = [
      { token: [], key: [] },
      { cookie: [], key: [] }
    ]
    expect(ours.operations["/all"]?.security).toEqual(all)
    const { "/all": several, ...others } = effects.operations
    expect(ours).toEqual(
      target === "4.1" ? effects : { ...effects, operations: { ...others, "/all": { ...several, security: all } } }
    )
  })

  it("has no error under spectral:oas", async () => {
    const spectral = new Spectral()
    spectral.setRuleset(new Ruleset({ extends: [[oas, "all"]] } as never))
    const document = JSON.parse(readFileSync(join(project.root, ".effx/generated/openapi.json"), "utf8"))
    expect((await spectral.run(document)).filter(({ severity }) => severity === 0)).toEqual([])
  })
})
