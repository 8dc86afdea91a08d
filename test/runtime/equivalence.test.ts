/**
 * Runtime equivalence (Spec 0002, "Law (runtime level)"): both syntaxes record the same annotations with the same live
 * objects, under the standard and under the legacy calling convention of decorators.
 *
 * The modules under test are loaded by the runtime itself and not by the test runner's transform, so that the project's
 * own tsconfig decides about the convention and there is one copy of everything.
 */
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"

const load = createRequire(import.meta.url)
const { Reflect } = load("@effx/runtime") as typeof import("@effx/runtime")
const schemas = load("./schemas.ts") as typeof import("./schemas.ts")
const builder = load("./builder-operations.ts") as typeof import("./builder-operations.ts")

const CONVENTIONS: ReadonlyArray<readonly [string, typeof import("./standard/operations.ts")]> = [
  ["standard", load("./standard/operations.ts")],
  ["legacy", load("./legacy/operations.ts")]
]

describe.each(CONVENTIONS)("the %s convention", (_convention, { Member, Operations }) => {
  it("records what the builder records, in source order", () => {
    expect(Reflect.annotationsOf(Operations.get)).toEqual(builder.get.annotations)
    expect(Reflect.annotationsOf(Operations.touch)).toEqual(builder.touch.annotations)
    expect(builder.get.annotations.map(({ name }) => name)).toEqual([
      "Query",
      "Errors",
      "Requirements",
      "Authorize",
      "Http.Get",
      "Http.Problems",
      "Http.Access",
      "Rpc",
      "Rpc",
      "Cli",
      "Annotate"
    ])
  })

  it("keeps the live objects themselves", () => {
    for (const annotations of [Reflect.annotationsOf(Operations.get), builder.get.annotations]) {
      const first = new Map(annotations.map(({ args, name }) => [name, args[0]]))
      expect(first.get("Query")).toHaveProperty("success", schemas.User)
      expect(first.get("Errors")).toBe(schemas.UserNotFound)
      expect(first.get("Requirements")).toBe(schemas.Users)
      expect(first.get("Authorize")).toBe(schemas.ReadUsers)
      expect(first.get("Http.Problems")).toHaveProperty("registry", schemas.problems)
    }
  })

  it("records a model with its schema", () => {
    const [annotation] = Reflect.annotationsOf(Member)
    const model = builder.persistent(Member as unknown as typeof schemas.User)
    expect(Reflect.annotationsOf(Member)).toEqual(model.annotations)
    expect(annotation?.args[0]).toHaveProperty("schema", Member)
    expect(model.schema).toBe(Member)
    expect(model._tag).toBe("Model")
  })

  it("leaves methods and classes as they are", () => {
    expect(Operations.plain()).toBe(1)
    expect(Operations.get.name).toBe("get")
    expect(Object.getOwnPropertyDescriptor(Operations, "get")).toMatchObject({ writable: true, configurable: true })
    expect(new Member({ id: "1" }).id).toBe("1")
    expect(Member.name).toBe("Member")
  })
})

describe("the legacy convention", () => {
  it("is accepted by the compiler of a project that selects it", () => {
    const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
    const { status, stdout } = spawnSync(at("../../node_modules/.bin/tsc"), ["-p", at("./legacy")], {
      encoding: "utf8"
    })
    expect(stdout).toBe("")
    expect(status).toBe(0)
  })
})

describe("Reflect.annotationsOf", () => {
  it("is empty for what carries no annotation", () => {
    expect(Reflect.annotationsOf({})).toEqual([])
    for (const [, { Operations }] of CONVENTIONS) {
      expect(Reflect.annotationsOf(Operations)).toEqual([])
      expect(Reflect.annotationsOf(Operations.plain)).toEqual([])
    }
  })
})

describe("a chain", () => {
  it("evaluates to plain data with its handler", () => {
    expect(Object.keys(builder.get)).toEqual(["_tag", "annotations", "handler"])
    expect(builder.get._tag).toBe("Operation")
    expect(builder.get.handler.length).toBe(1)
  })

  it("does not change the chain that it continues", () => {
    const { Operation } = load("@effx/runtime") as typeof import("@effx/runtime")
    const chain = Operation.query({ success: schemas.User })
    chain.rpc("a")
    chain.http.get("/a")
    const finished = chain.handler(() => builder.touch.handler())
    expect(finished.annotations.map(({ name }) => name)).toEqual(["Query"])
  })
})

describe("a decorator", () => {
  const runtime = load("@effx/runtime") as typeof import("@effx/runtime")
  const method = (): number => 1
  const applied: ReadonlyArray<readonly [string, (value: never, context: never) => unknown]> = [
    ["Errors", runtime.Errors()],
    ["Http.Get", runtime.Http.Get("/")],
    ["Rpc", runtime.Rpc("a")],
    ["Cli", runtime.Cli("a")],
    ["Annotate", runtime.Annotate("a")]
  ]

  it.each(applied)("%s returns nothing", (_name, decorate) => {
    expect(decorate(method as never, { kind: "method" } as never)).toBeUndefined()
  })

  it("on a class returns nothing", () => {
    expect(runtime.PersistentModel({ table: "t" })(class {})).toBeUndefined()
  })
})
