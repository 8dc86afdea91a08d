/** What annotation arguments become (Spec 0002, "Argument lowering"), and which are EFFX1102. */
import { expect, layer } from "@effect/vitest"
import type { AnnotationArg } from "@effx/compiler"
import { Effect } from "effect"
import { DOMAIN, type Files, siteOf, Workbench, withImports } from "./workbench.ts"

const MAIN = "src/main.ts"
const operation = (annotation: string): string => `export class C {
  @Query({ name: "C.m", success: Text })
  ${annotation}
  static m() { return Effect.succeed("") }
}`

const schema = (name: string, module = "src/domain"): AnnotationArg => ({
  _tag: "Schema",
  ref: { module: `../../${module}`, export: name, symbolId: `schema:${module}/${name}` as never }
})
const service = (name: string, module = "../../src/domain"): AnnotationArg => ({
  _tag: "Symbol",
  ref: { module, export: name },
  service: `service:${name}` as never
})

layer(Workbench.layer)("lowering", (it) => {
  /** `expression` is the argument of a custom annotation. */
  const lowers = (expression: string, expected: AnnotationArg, header = "", files: Files = {}) =>
    it.effect(`${header.split("\n")[0]} ${expression}`.trim(), () =>
      Effect.gen(function* () {
        const { run } = yield* Workbench
        const { annotation, findings } = yield* run({
          ...files,
          [MAIN]: withImports(`${header}\n${operation(`@Annotate("x", ${expression})`)}`)
        })
        expect(findings).toEqual([])
        expect(annotation("C.m", "Annotate").args).toEqual(["x", expected])
      })
    )

  lowers(`"text"`, "text")
  lowers("`no holes`", "no holes")
  lowers("2.5e3", 2500)
  lowers("-1", -1)
  lowers("true", true)
  lowers("null", null)
  lowers(`[1, "a", [false]]`, [1, "a", [false]])
  lowers(`{ a: 1, "b c": [2], [\`d\` as never as "d"]: 3 }`.replace('[`d` as never as "d"]', `["d"]`), {
    a: 1,
    "b c": [2],
    d: 3
  })
  lowers("{ a: undefined, b: 1 }", { b: 1 })
  lowers("() => 1", { _tag: "Lambda" })
  lowers("function () { return 1 }", { _tag: "Lambda" })
  lowers("User", schema("User"))
  lowers("User.Public", schema("User.Public"))
  lowers("[User, { at: NotFound }]", [schema("User"), { at: schema("NotFound") }])
  lowers("Users", service("Users"))
  lowers("{ User }", { User: schema("User") })
  lowers("PATH", "/a", `const PATH = "/a"`)
  lowers("PATH", "/a", `const PATH = "/a" as const satisfies string`)
  lowers("OPTIONS", { path: "/a", of: schema("User") }, `const OPTIONS = { path: "/a", of: User } as const`)
  lowers("PATHS.users", "/users", `const PATHS = { users: "/users" } as const`)
  lowers("A", "a", `const B = "a"\nconst A = B`)
  lowers("P", "/p", `import { PATH as P } from "./constants.ts"`, { "src/constants.ts": `export const PATH = "/p"` })
  lowers("D.User", schema("User"), `import * as D from "./domain.ts"`)
  lowers(`D["User"].Public`, schema("User.Public"), `import * as D from "./domain.ts"`)
  lowers("Person", schema("User"), `import { User as Person } from "./domain.ts"`)
  lowers("Person", schema("User"), `import { Person } from "./barrel.ts"`, {
    "src/barrel.ts": `export { User as Person } from "./domain.ts"`
  })
  lowers("Model2", schema("User"), `const Model2 = User`)
  lowers(
    "register",
    { _tag: "Symbol", ref: { module: "../../src/main", export: "register" } },
    `export const register = (name: string) => name`
  )
  lowers("Late", schema("Renamed", "src/main"), `const Late = Schema.Struct({})\nexport { Late as Renamed }`)
  lowers("Schema.Void", {
    _tag: "Schema",
    ref: { module: "effect", export: "Schema.Void", symbolId: "schema:effect/Schema.Void" as never }
  })
  lowers(`Capability.make("user:read", { resource: User })`, { name: "user:read", resource: "User" })
  lowers(
    "read",
    { name: "user:read", resource: "User", focus: ["id"] },
    `const read = Capability.make("user:read", { resource: User, focus: Focus.key(User, "id") })`
  )
  lowers(
    "read",
    { name: "user:read", resource: "User", focus: ["a", "b"] },
    `const read = Capability.make("user:read", { resource: User, focus: ["a", "b"] })`
  )
  lowers(
    "read",
    { name: "r", resource: "User" },
    `const people = Model.persistent(User, { table: "t" })\nconst read = Capability.make("r", { resource: people })\nexport { people }`
  )

  it.effect("knows whether the middleware of @Http.Access guards", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const header = `import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
export class Guard extends HttpApiMiddleware.Service<Guard>()("Guard", { security: { bearer: HttpApiSecurity.bearer } }) {}
export class Log extends HttpApiMiddleware.Service<Log>()("Log") {}`
      const access = `@Http.Access({ exposure: "protected", middleware: [Guard, Log] })`
      const { annotation, findings } = yield* run({ [MAIN]: withImports(`${header}\n${operation(access)}`) })
      const marker = (name: string, security: boolean) => ({
        _tag: "Symbol",
        ref: { module: "../../src/main", export: name },
        service: `service:${name}`,
        security,
        guard: {
          schemes: security ? [{ key: "bearer", scheme: { type: "http", scheme: "Bearer" } }] : [],
          errors: []
        }
      })
      expect(findings).toEqual([])
      expect(annotation("C.m", "Http.Access").args).toEqual([
        { exposure: "protected", middleware: [marker("Guard", true), marker("Log", false)] }
      ])
    })
  )

  it.effect("keeps a site for every argument and everything inside", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { annotation, marks } = yield* run({
        [MAIN]: withImports(
          operation(`@Annotate(/*<*/"x"/*>*/, /*<*/{ list: /*<*/[/*<*/1/*>*/, /*<*/User/*>*/]/*>*/ }/*>*/)`)
        )
      })
      const { sites } = annotation("C.m", "Annotate")
      expect(["/0", "/1", "/1/list", "/1/list/0", "/1/list/1"].map((pointer) => sites[pointer])).toEqual(marks(MAIN))
    })
  )

  /** `annotation` has one mark, the blamed argument; the message follows the annotation's name. */
  const refuses = (title: string, annotation: string, message: string, header = "") =>
    it.effect(`refuses ${title}`, () =>
      Effect.gen(function* () {
        const { run } = yield* Workbench
        const { declaration, findings, marks } = yield* run({
          [MAIN]: withImports(`${header}\n${operation(annotation)}`)
        })
        expect(findings.map(({ code, message }) => `${code} ${message}`)).toEqual([`EFFX1102 ${message}`])
        expect(findings.map(siteOf)).toEqual(marks(MAIN))
        expect(declaration("C.m").annotations.map(({ name }) => name)).toEqual(["Query"])
        expect(declaration("C.m").dropped).toEqual([annotation.slice(1, annotation.indexOf("("))])
      })
    )
  const unknown = (name: string, text: string) =>
    `@${name} cannot use ${text}, because its value is not known without running the program`

  refuses("a call", `@Http.Get(/*<*/["a"].join()/*>*/)`, unknown("Http.Get", `["a"].join()`))
  const holes = "`/$" + "{1}`"
  refuses("a template with holes", `@Http.Get(/*<*/${holes}/*>*/)`, unknown("Http.Get", holes))
  refuses("a variable", `@Http.Get(/*<*/path/*>*/)`, unknown("Http.Get", "path"), `let path = "/a"`)
  refuses(
    "a constant without static value",
    `@Http.Get(/*<*/path/*>*/)`,
    unknown("Http.Get", "path"),
    `const path = String(1)`
  )
  for (const number of ["1e999", "-1e999", "+1e999"]) {
    refuses(
      `${number}, which no double holds`,
      `@Annotate("x", /*<*/${number}/*>*/)`,
      `@Annotate takes finite numbers, and ${number} is too large to be one`
    )
  }
  refuses("a cycle", `@Http.Get(/*<*/a/*>*/)`, unknown("Http.Get", "a"), `const a: string = b\nconst b: string = a`)
  refuses(
    "a missing export",
    `@Errors(/*<*/Gone/*>*/)`,
    unknown("Errors", "Gone"),
    `import { Gone } from "./domain.ts"`
  )
  refuses("a missing name", `@Errors(/*<*/Nowhere/*>*/)`, unknown("Errors", "Nowhere"))
  refuses(
    "an anonymous schema",
    `@Errors(/*<*/Schema.Struct({})/*>*/)`,
    "@Errors cannot use Schema.Struct({}) in place, because generated code imports it by name"
  )
  refuses(
    "a schema that is not exported",
    `@Errors(NotFound, /*<*/Hidden/*>*/)`,
    "@Errors names Hidden, which is not exported; export it, so that generated code can import it",
    `class Hidden extends Schema.TaggedError<Hidden>()("Hidden", {}) {}`
  )
  refuses("a spread argument", `@Errors(/*<*/...[NotFound]/*>*/)`, unknown("Errors", "...[NotFound]"))
  refuses("a spread property", `@Annotate("x", { /*<*/...{ a: 1 }/*>*/ })`, unknown("Annotate", "...{ a: 1 }"))
  refuses("a computed key", `@Annotate("x", { /*<*/[String(1)]: 1/*>*/ })`, unknown("Annotate", "[String(1)]: 1"))
  refuses("an own _tag", `@Annotate("x", { /*<*/_tag: "Schema"/*>*/ })`, "@Annotate cannot take a property named _tag")

  it.effect("answers a name in two files with two identities", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { annotation } = yield* run({
        "src/other.ts": DOMAIN,
        [MAIN]: withImports(`import * as O from "./other.ts"\n${operation(`@Errors(NotFound, O.NotFound)`)}`)
      })
      expect(annotation("C.m", "Errors").args).toEqual([schema("NotFound"), schema("NotFound", "src/other")])
    })
  )
})
