/** What is read of the middleware that `@Http.Access` names, and when nothing is. */
import { expect, layer } from "@effect/vitest"
import type { AnnotationArg, GuardFacts } from "@effx/compiler"
import { Effect } from "effect"
import { HttpApiError } from "effect/http-api"
import { HttpApiError as HttpApiError40 } from "effect-4.0/http-api"
import { HttpApiError as HttpApiErrorRc } from "effect-rc.116/unstable/httpapi"
import { describe, it as test } from "vitest"
import { effectHttpStatus } from "../../src/frontend-ts/shape/effect-http-errors.ts"
import { Workbench, withImports } from "./workbench.ts"

const MAIN = "src/main.ts"
const refOf = (name: string) => ({
  module: "../../src/domain",
  export: name,
  symbolId: `schema:src/domain/${name}` as never
})
const bearer = { key: "bearer", scheme: { type: "http", scheme: "Bearer" } } as const

layer(Workbench.layer)("a guard", (it) => {
  /** `options` of the guard's declaration, and what is read of them. */
  const reads = (title: string, options: string, expected: GuardFacts, before = "") =>
    it.effect(title, () =>
      Effect.gen(function* () {
        const { run } = yield* Workbench
        const { annotation, collected, findings } = yield* run({
          [MAIN]:
            withImports(`import { HttpApiError, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
${before}
export class Guard extends HttpApiMiddleware.Service<Guard>()("Guard", ${options}) {}
export class C {
  @Query({ name: "C.m", success: Text })
  @Http.Get("/m")
  @Http.Access({ exposure: "protected", middleware: [Guard] })
  static m() { return Effect.succeed("") }
}`)
        })
        expect(findings).toEqual([])
        const [access] = annotation("C.m", "Http.Access").args as ReadonlyArray<{
          readonly middleware: ReadonlyArray<Extract<AnnotationArg, { readonly _tag: "Symbol" }>>
        }>
        expect(access?.middleware[0]?.guard).toEqual(expected)
        for (const { symbolId } of expected.errors ?? []) expect(collected.schemas[symbolId]).toBeDefined()
      })
    )

  reads("with Effect's own schemes", "{ security: { bearer: HttpApiSecurity.bearer, b: HttpApiSecurity.basic } }", {
    schemes: [bearer, { key: "b", scheme: { type: "http", scheme: "basic" } }],
    errors: []
  })
  reads(
    "with schemes that are made",
    `{ security: {
      header: HttpApiSecurity.apiKey({ key: "X-Key" }),
      "query": HttpApiSecurity.apiKey({ in: "query", key: KEY }),
      cookie: HttpApiSecurity.apiKey({ in: "cookie", key: "k" } as const),
      digest: HttpApiSecurity.http({ scheme: "Digest" })
    } }`,
    {
      schemes: [
        { key: "header", scheme: { type: "apiKey", name: "X-Key", in: "header" } },
        { key: "query", scheme: { type: "apiKey", name: "key", in: "query" } },
        { key: "cookie", scheme: { type: "apiKey", name: "k", in: "cookie" } },
        { key: "digest", scheme: { type: "http", scheme: "Digest" } }
      ],
      errors: []
    },
    `const KEY = "key"`
  )
  reads(
    "with schemes that are described, behind constants",
    "{ security }",
    {
      schemes: [
        { ...bearer, scheme: { ...bearer.scheme, description: "A token", bearerFormat: "JWT" } },
        { key: "key", scheme: { type: "apiKey", name: "k", in: "header", description: "A key" } }
      ],
      errors: []
    },
    `const token = HttpApiSecurity.bearer.pipe(HttpApiSecurity.annotate(OpenApi.Description, "A token"), HttpApiSecurity.annotate(OpenApi.Format, "JWT"), HttpApiSecurity.annotate(OpenApi.Title, "ignored"))
const security = { bearer: token, key: HttpApiSecurity.annotate(HttpApiSecurity.apiKey({ key: "k" }), OpenApi.Description, "A key") }`
  )
  reads("with one error", "{ error: NotFound, security: { bearer: HttpApiSecurity.bearer } }", {
    schemes: [bearer],
    errors: [refOf("NotFound")]
  })
  reads("with errors", "{ error: [NotFound, Taken], security: { bearer: HttpApiSecurity.bearer } }", {
    schemes: [bearer],
    errors: [refOf("NotFound"), refOf("Taken")]
  })
  reads(
    "with a scheme that only runs tell",
    "{ error: NotFound, security: { bearer: HttpApiSecurity.bearer, other: make() } }",
    { errors: [refOf("NotFound")] },
    `const make = () => HttpApiSecurity.apiKey({ key: "k" })`
  )
  reads(
    "with an error that nobody can import",
    "{ error: Hidden, security: { bearer: HttpApiSecurity.bearer } }",
    { schemes: [bearer] },
    `class Hidden extends Schema.TaggedError<Hidden>()("Hidden", {}, { httpApiStatus: 401 }) {}`
  )

  const chain = (length: number) =>
    [
      "const c0 = HttpApiSecurity.bearer",
      ...Array.from({ length }, (_, index) => `const c${index + 1} = c${index}`)
    ].join("\n")
  reads("behind 8 constants", "{ security: { bearer: c7 } }", { schemes: [bearer], errors: [] }, chain(7))
  reads("behind 9 constants", "{ security: { bearer: c8 } }", { errors: [] }, chain(8))

  it.effect("that refuses with an error of Effect's has its status", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { collected } = yield* run({
        [MAIN]: withImports(`import { HttpApiError, HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
export class Guard extends HttpApiMiddleware.Service<Guard>()("Guard", {
  error: [HttpApiError.Unauthorized, HttpApiError.ForbiddenNoContent],
  security: { bearer: HttpApiSecurity.bearer }
}) {}
export class C {
  @Query({ name: "C.m", success: Text })
  @Http.Get("/m")
  @Http.Access({ exposure: "protected", middleware: [Guard] })
  static m() { return Effect.succeed("") }
}`)
      })
      const infos = Object.values(collected.schemas).filter(({ ref }) => ref.module.startsWith("effect"))
      expect(infos.map(({ ref, shape, status }) => [ref.export, status, shape._tag])).toEqual([
        ["HttpApiError.ForbiddenNoContent", 403, "Void"],
        ["HttpApiError.Unauthorized", 401, "Object"]
      ])
    })
  )
})

describe("the statuses of Effect's errors", () => {
  /** Every schema class of the module with the status that it has in truth. */
  const statuses = (module: object) =>
    Object.entries(module).flatMap(([name, value]) => {
      const annotations = typeof value === "function" ? value.ast?.annotations : undefined
      return typeof annotations?.httpApiStatus === "number" ? [[name, annotations.httpApiStatus] as const] : []
    })
  const declared = (name: string) =>
    effectHttpStatus({
      name,
      declarations: [{ path: "/app/node_modules/effect/dist/http-api/HttpApiError.d.ts" }]
    } as never)

  test.each([
    ["4.1", HttpApiError],
    ["4.0", HttpApiError40],
    ["4.0.0-rc.116", HttpApiErrorRc]
  ])("are those of Effect %s", (_, module) => {
    const known = statuses(module)
    expect(known.length).toBeGreaterThan(10)
    expect(known.map(([name]) => [name, declared(name)])).toEqual(known)
  })
})
