/** The codes of the extension "http", each with the place that it names and the twin without a finding. */
import { describe, expect, it } from "@effect/vitest"
import type { Shape } from "@effx/ir"
import { findings } from "./run.ts"
import {
  collect,
  type DeclarationOptions,
  type Given,
  list,
  nothing,
  number,
  object,
  operation,
  optional,
  refTo,
  schema,
  symbol,
  text,
  union,
  type Written
} from "./source.ts"

const Key = schema("Key", object({ id: text }))
const Item = schema("Item", object({ id: text }), { line: 2 })
const NotFound = schema("NotFound", object({}), { line: 3, status: 404 })
const Bare = schema("Bare", object({}), { line: 4 })
const schemas = [Key, Item, NotFound, Bare]

const open: Written = ["Http.Access", { exposure: "public" }]
const query: Written = ["Query", { name: "Item.Get", input: Key, success: Item }]
const command: Written = ["Command", { name: "Item.Get", input: Key, success: Item }]
const get: Written = ["Http.Get", "/items/:id"]

const found = (annotations: ReadonlyArray<Written>, options: DeclarationOptions = {}, strictAccess = false) =>
  findings(collect([operation("get", annotations, options)], { schemas }), { strictAccess })

describe("methods and routes", () => {
  it("EFFX2401: a query over a method that writes", () => {
    for (const [verb, method] of [
      ["Post", "POST"],
      ["Put", "PUT"],
      ["Patch", "PATCH"],
      ["Delete", "DELETE"]
    ]) {
      expect(found([query, [`Http.${verb}`, "/items/:id"], open])).toEqual([
        `EFFX2401 error src/main.ts:102:3 Item.Get is a query, but ${method} is a method that writes`
      ])
      expect(found([command, [`Http.${verb}`, "/items/:id"], open])).toEqual([])
    }
    expect(found([query, get, open])).toEqual([])
  })

  it("EFFX2402: two operations of one method and path; names of parameters and case do not count", () => {
    const second = (path: string) =>
      findings(
        collect(
          [
            operation("get", [query, get, open]),
            operation(
              "other",
              [["Query", { name: "Item.Other", input: Key, success: Item }], ["Http.Get", path], open],
              { line: 200 }
            )
          ],
          { schemas }
        )
      ).filter((finding) => finding.includes("both answer"))
    const reported = (path: string) => [
      `EFFX2402 error src/main.ts:202:10 Item.Other and Item.Get both answer GET ${path}\n  > src/main.ts:102:10 Item.Get answers GET /items/:id`
    ]
    expect(second("/items/:id")).toEqual(reported("/items/:id"))
    expect(second("/items/:key")).toEqual(reported("/items/:key"))
    expect(second("/Items/:id")).toEqual(reported("/Items/:id"))
    expect(second("/items/:id/other")).toEqual([])
  })

  it("EFFX2402: a second route", () => {
    expect(found([command, get, ["Http.Post", "/items/:id"], open])).toEqual([
      "EFFX2402 error src/main.ts:103:3 Item.Get is exposed as POST /items/:id, but it is already exposed as GET /items/:id\n  > src/main.ts:102:3 The first route, GET /items/:id"
    ])
  })

  it("EFFX2402: path parameters and the input", () => {
    expect(found([query, ["Http.Get", "/items/:number"], open])).toEqual([
      "EFFX2402 error src/main.ts:102:10 The path of Item.Get has the parameter number, which its input Key does not have"
    ])
    expect(found([["Query", { name: "Item.Get", success: Item }], get, open])).toEqual([
      "EFFX2402 error src/main.ts:102:10 The path of Item.Get has the parameter id, but the operation takes no input"
    ])
    const withInput = (shape: Shape, path = "/items/:id") => {
      const Input = schema("Input", shape, { line: 9 })
      const annotations: ReadonlyArray<Written> = [
        ["Query", { name: "Item.Get", input: Input, success: Item }],
        ["Http.Get", path],
        open
      ]
      return findings(collect([operation("get", annotations)], { schemas: [...schemas, Input] }))
    }
    expect(withInput(object({ id: optional(text) }))).toEqual([
      "EFFX2402 error src/main.ts:102:10 The path of Item.Get has the parameter id, which its input makes optional"
    ])
    expect(withInput(text)).toEqual([
      "EFFX2402 error src/main.ts:101:12 The input of Item.Get cannot be taken from an HTTP request: Input is not an object with fields, so the parameter id of the path has no schema"
    ])
    expect(withInput({ _tag: "Any" })).toEqual([
      "EFFX2402 error src/main.ts:101:12 The input of Item.Get cannot be taken from an HTTP request: Input has fields that cannot be read from source, so the parameter id of the path has no schema"
    ])
    expect(withInput(text, "/items")).toEqual([
      "EFFX2402 error src/main.ts:101:12 The input of Item.Get cannot be taken from an HTTP request: Input is not an object with fields, so GET cannot take it from the query"
    ])
    expect(withInput({ _tag: "Any" }, "/items")).toEqual([])
    expect(withInput(refTo(Key))).toEqual([])
  })

  it("EFFX2402: paths that are not well formed", () => {
    const problem = (path: string) => found([query, ["Http.Get", path], open])
    const reported = (path: string, reason: string) => [
      `EFFX2402 error src/main.ts:102:10 The path ${path} of Item.Get is not valid: ${reason}`
    ]
    expect(problem("items/:id")).toEqual(reported("items/:id", "it does not begin with a slash"))
    expect(problem("/items//:id")).toEqual(reported("/items//:id", "it has an empty segment"))
    expect(problem("/items/:id/")).toEqual(reported("/items/:id/", "it ends with a slash"))
    expect(problem("/items/*")).toEqual(reported("/items/*", 'its segment * has the character "*"'))
    expect(problem("/items?x")).toEqual(reported("/items?x", 'its segment items?x has the character "?"'))
    expect(problem("/items/a:id")).toEqual(reported("/items/a:id", "its segment a:id mixes text with a parameter"))
    expect(problem("/:имя")).toEqual(
      reported("/:имя", "its parameter :имя is not a name of ASCII letters, digits and underscores")
    )
    expect(problem("/:id/:id")).toEqual(reported("/:id/:id", "it has the parameter id twice"))
    expect(problem("/товары/:id")).toEqual([])
  })

  it("EFFX2402: facts about a route that does not exist, or given twice", () => {
    expect(found([query, open])).toEqual([
      "EFFX2402 error src/main.ts:102:3 Item.Get gives @Http.Access, but it is not exposed over HTTP"
    ])
    expect(found([query, get, open, open])).toEqual([
      "EFFX2402 error src/main.ts:104:3 Item.Get gives @Http.Access more than once\n  > src/main.ts:103:3 The first @Http.Access"
    ])
  })

  it("EFFX1102: a path that is no text", () => {
    expect(found([query, ["Http.Get", 1], open])).toEqual([
      "EFFX1102 error src/main.ts:102:10 @Http.Get expects a path, but it is given the number 1"
    ])
  })
})

describe("fields of URLs", () => {
  const withField = (field: Shape | { readonly optional: Shape }, verb: Written = ["Http.Get", "/items"]) => {
    const Input = schema("Input", object({ f: field }), { line: 9 })
    const Other = schema("Other", object({ a: text }), { line: 10 })
    const annotations: ReadonlyArray<Written> = [
      ["Command", { name: "Item.Get", input: Input, success: Item }],
      verb,
      open
    ]
    return findings(collect([operation("get", annotations)], { schemas: [...schemas, Input, Other] }))
  }
  const inQuery = (encoded: string) => [
    `EFFX2406 error src/main.ts:101:12 The query field f of Item.Get is ${encoded}, which a URL cannot carry`
  ]
  const inPath = (encoded: string) => [
    `EFFX2406 error src/main.ts:102:10 The path field f of Item.Get is ${encoded}, which a URL cannot carry`
  ]

  it("EFFX2406: what no query carries", () => {
    expect(withField(object({ a: text }))).toEqual(inQuery("an object"))
    expect(withField({ _tag: "Record", values: text })).toEqual(inQuery("a record"))
    expect(withField(list(object({ a: text })))).toEqual(inQuery("a list with an object"))
    expect(withField(list(list(text)))).toEqual(inQuery("a list of lists"))
    expect(withField(union(text, object({})))).toEqual(inQuery("a union with an object"))
    expect(withField(union(text, nothing))).toEqual(inQuery("a union with a value that may be missing"))
  })

  it("EFFX2406: what no path carries", () => {
    const path: Written = ["Http.Get", "/items/:f"]
    expect(withField(list(text), path)).toEqual(inPath("a list"))
    expect(withField(object({}), path)).toEqual(inPath("an object"))
    expect(withField(union(text, number), path)).toEqual([])
  })

  it("texts, numbers, booleans, literals, null, unions and lists of them are fit", () => {
    const nil: Shape = { _tag: "Literal", value: null }
    for (const shape of [
      text,
      number,
      { _tag: "Boolean" } as const,
      nil,
      union(text, nil),
      list(text),
      list(union(number, text)),
      optional(union(text, nothing)),
      { _tag: "Any" } as const
    ]) {
      expect(withField(shape)).toEqual([])
    }
  })

  it("a payload carries everything", () => {
    expect(withField(object({ a: text }), ["Http.Post", "/items"])).toEqual([])
  })
})

describe("public identifiers", () => {
  const A = schema("A", object({ id: text }), { line: 5, identifier: "Thing" })
  const exposing = (other: ReturnType<typeof schema>, more: ReadonlyArray<ReturnType<typeof schema>> = []) =>
    findings(
      collect(
        [
          operation("a", [["Query", { name: "A", success: A }], ["Http.Get", "/a"], open]),
          operation("b", [["Query", { name: "B", success: other }], ["Http.Get", "/b"], open], { line: 200 })
        ],
        { schemas: [A, other, ...more] }
      )
    )

  it("EFFX2403: two shapes of one identifier", () => {
    expect(exposing(schema("B", object({ name: text }), { line: 6, identifier: "Thing" }))).toEqual([
      "EFFX2403 error src/schemas.ts:6:14 The schemas B and A both claim the public identifier Thing, but differ in shape\n  > src/schemas.ts:5:14 A claims Thing"
    ])
    expect(exposing(schema("B", object({ id: text }), { line: 6, identifier: "Thing" }))).toEqual([])
    expect(exposing(schema("B", object({ name: text }), { line: 6, identifier: "Other" }))).toEqual([])
  })

  it("EFFX2403: equal shapes are seen through references and circles", () => {
    const Id = schema("Id", text, { line: 7 })
    expect(exposing(schema("B", object({ id: refTo(Id) }), { line: 6, identifier: "Thing" }), [Id])).toEqual([])
  })

  it("EFFX2403: a circle without an identifier", () => {
    const tree = (identifier?: string) => {
      const self = schema("Tree", text, { line: 8 })
      return schema("Tree", object({ children: list(refTo(self)) }), { line: 8, ...(identifier && { identifier }) })
    }
    expect(exposing(tree())).toEqual([
      "EFFX2403 error src/schemas.ts:8:14 The schema Tree is recursive, but has no public identifier"
    ])
    expect(exposing(tree("Tree"))).toEqual([])
  })

  it("EFFX2403: a circle of two is reported once, and not where one of them has an identifier", () => {
    const even = schema("Even", text, { line: 8 })
    const Odd = schema("Odd", object({ next: refTo(even) }), { line: 9 })
    const Even = (identifier?: string) =>
      schema("Even", object({ next: refTo(Odd) }), { line: 8, ...(identifier && { identifier }) })
    expect(exposing(Even(), [Odd])).toEqual([
      "EFFX2403 error src/schemas.ts:8:14 The schema Even is recursive, but has no public identifier"
    ])
    expect(exposing(Even("Even"), [Odd])).toEqual([])
  })
})

describe("errors over HTTP", () => {
  it("EFFX2404: an error without a status, at the place that names it", () => {
    expect(found([query, ["Errors", NotFound, Bare], get, open], { errors: [NotFound, Bare] })).toEqual([
      "EFFX2404 warning src/main.ts:102:11 Item.Get can fail with Bare, which states no HTTP status and would be answered with 500"
    ])
    expect(found([query, get, open], { errors: [Bare] })).toEqual([
      "EFFX2404 warning src/main.ts:100:10 Item.Get can fail with Bare, which states no HTTP status and would be answered with 500"
    ])
    expect(found([query], { errors: [Bare] })).toEqual([])
    expect(found([query, get, open], { errors: [NotFound] })).toEqual([])
  })

  const problems = (options: Record<string, Given>): Written => [
    "Http.Problems",
    { registry: symbol("problems"), ...options }
  ]
  const withProblems = (options: Record<string, Given>) =>
    found([query, ["Errors", NotFound, Bare], get, open, problems(options)], { errors: [NotFound, Bare] })

  it("EFFX2205: an error without a code", () => {
    expect(withProblems({ codes: ["gone", "missing"], map: { NotFound: "missing" } })).toEqual([
      "EFFX2205 error src/main.ts:105:15 Item.Get can fail with Bare, to which @Http.Problems gives no problem code"
    ])
    expect(withProblems({ codes: ["gone", "missing"], map: { NotFound: "missing", Bare: "gone" } })).toEqual([])
  })

  it("EFFX2206: a code that is not listed", () => {
    expect(withProblems({ codes: ["missing"], map: { NotFound: "missing", Bare: "gone" } })).toEqual([
      "EFFX2206 error src/main.ts:105:16 @Http.Problems of Item.Get maps Bare to gone, which its codes do not list"
    ])
  })

  it("EFFX1102: codes, registry and map of another form", () => {
    const map = { NotFound: "a", Bare: "a" }
    expect(withProblems({ codes: ["a", "b", "a"], map })).toEqual([
      "EFFX1102 error src/main.ts:105:15 @Http.Problems lists the code a twice"
    ])
    expect(withProblems({ codes: [] })).toEqual(["EFFX1102 error src/main.ts:105:12 @Http.Problems lists no codes"])
    expect(withProblems({ codes: ["a"], map: { ...map, Other: "a" } })).toEqual([
      "EFFX1102 error src/main.ts:105:17 @Http.Problems maps Other, with which Item.Get cannot fail"
    ])
    expect(withProblems({ codes: ["a"], map, registry: "problems" })).toEqual([
      'EFFX1102 error src/main.ts:105:11 @Http.Problems expects an exported function as registry, but it is given the string "problems"'
    ])
  })
})

describe("access", () => {
  const Guard = symbol("Guard", { security: true })

  it("EFFX2503: protected without a guard", () => {
    expect(found([query, get, ["Http.Access", { exposure: "protected", middleware: [] }]])).toEqual([
      "EFFX2503 error src/main.ts:103:12 @Http.Access of Item.Get says protected, but names no security middleware"
    ])
    const counted: Written = [
      "Http.Access",
      { exposure: "protected", middleware: [symbol("Counted", { security: false })] }
    ]
    expect(found([query, get, counted])).toEqual([
      "EFFX2503 error src/main.ts:103:13 @Http.Access of Item.Get says protected, but Counted is not a security middleware"
    ])
    expect(found([query, get, ["Http.Access", { exposure: "protected", middleware: [Guard] }]])).toEqual([])
  })

  it("EFFX2504: no declaration; an error under strictAccess", () => {
    const message = "src/main.ts:102:3 Item.Get is exposed as GET /items/:id, but does not declare who may call it"
    expect(found([query, get])).toEqual([`EFFX2504 warning ${message}`])
    expect(found([query, get], {}, true)).toEqual([`EFFX2504 error ${message}`])
    expect(found([query, get, open], {}, true)).toEqual([])
  })

  it("EFFX2504: an access declaration that was reported already is no missing one", () => {
    expect(found([query, get], { dropped: ["Http.Access"] })).toEqual([])
    expect(found([query, get, ["Http.Access", { exposure: "secret" }]])).toEqual([
      'EFFX1102 error src/main.ts:103:11 @Http.Access expects an exposure that is "public" or "protected", but it is given the string "secret"'
    ])
  })

  it("EFFX1102: a public exposure with a guard", () => {
    expect(found([query, get, ["Http.Access", { exposure: "public", middleware: [Guard] }]])).toEqual([
      "EFFX1102 error src/main.ts:103:12 @Http.Access says public, but names a middleware"
    ])
  })
})
