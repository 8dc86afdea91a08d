/** The codes of the extension "core", each with the place that it names and the twin without a finding. */
import { describe, expect, it } from "@effect/vitest"
import { findings, run } from "./run.ts"
import {
  collect,
  type DeclarationOptions,
  model,
  object,
  operation,
  refTo,
  schema,
  service,
  text,
  union,
  type Written
} from "./source.ts"

const Item = schema("Item", object({ id: text }))
const NotFound = schema("NotFound", object({}), { line: 2 })
const Gone = schema("Gone", object({}), { line: 3 })
const Failure = schema("Failure", union(refTo(NotFound), refTo(Gone)), { line: 4 })
const Store = service("Store")
const Clock = service("Clock", { line: 2 })

const schemas = [Item, NotFound, Gone, Failure]
const query: Written = ["Query", { name: "Item.Get", success: Item }]

const found = (annotations: ReadonlyArray<Written>, options: DeclarationOptions = {}) =>
  findings(collect([operation("get", annotations, options)], { schemas, services: [Store, Clock] }))

describe("errors", () => {
  it("EFFX2201: an error that the declaration forgets is reported at the declaration", () => {
    const collected = collect([operation("get", [query, ["Errors", Gone]], { errors: [Gone, NotFound] })], { schemas })
    expect(findings(collected)).toEqual([
      "EFFX2201 error src/main.ts:102:3 Item.Get can fail with NotFound, which @Errors does not declare"
    ])
    expect(run(collected).diagnostics[0]?.notes).toEqual([
      { label: "inferred", text: "Gone, NotFound" },
      { label: "declared", text: "Gone" },
      { label: "fix", text: "add NotFound to @Errors, or handle it in the handler" }
    ])
    expect(found([query, ["Errors", Gone, NotFound]], { errors: [Gone, NotFound] })).toEqual([])
  })

  it("EFFX2201: the empty declaration asserts that there are none", () => {
    const collected = collect([operation("get", [query, ["Errors"]], { errors: [NotFound] })], { schemas })
    expect(findings(collected)).toEqual([
      "EFFX2201 error src/main.ts:102:3 Item.Get can fail with NotFound, which @Errors does not declare"
    ])
    expect(run(collected).diagnostics[0]?.notes[1]).toEqual({ label: "declared", text: "nothing" })
  })

  it("tells two errors of one export name apart", () => {
    const other = schema("Gone", object({}), { file: "src/other.ts" })
    const collected = collect([operation("get", [query, ["Errors", other]], { errors: [Gone, other] })], {
      schemas: [...schemas, other]
    })
    expect(findings(collected)).toEqual([
      "EFFX2201 error src/main.ts:102:3 Item.Get can fail with Gone (src/schemas/Gone), which @Errors does not declare"
    ])
  })

  it("EFFX2202: an error that is left over is reported at its argument", () => {
    expect(found([query, ["Errors", NotFound, Gone]], { errors: [NotFound] })).toEqual([
      "EFFX2202 error src/main.ts:102:11 Item.Get declares Gone in @Errors, but its handler cannot fail with it"
    ])
    expect(found([query, ["Errors", NotFound]], { errors: [NotFound] })).toEqual([])
  })

  it("a union of errors declares its members", () => {
    const collected = collect([operation("get", [query, ["Errors", Failure]], { errors: [Gone, NotFound] })], {
      schemas
    })
    const { diagnostics, ir } = run(collected)
    expect(diagnostics).toEqual([])
    expect(ir.nodes.flatMap((node) => (node._tag === "Operation" ? node.errors.values : []))).toEqual([
      "schema:src/schemas/Gone",
      "schema:src/schemas/NotFound"
    ])
  })

  it("EFFX2203: an error without a schema is reported at the handler, declared or not", () => {
    const finding = "EFFX2203 error src/main.ts:100:10 Item.Get can fail with Error, which is not an exported schema"
    expect(found([query], { errors: ["Error"] })).toEqual([finding])
    expect(found([query, ["Errors", NotFound]], { errors: ["Error", NotFound] })).toEqual([finding])
    expect(found([query], { errors: [NotFound] })).toEqual([])
  })

  it("EFFX2203: no declared error is called stale beside one, because inference may have merged it", () => {
    expect(found([query, ["Errors", NotFound]], { errors: ["Error"] })).toEqual([
      "EFFX2203 error src/main.ts:100:10 Item.Get can fail with Error, which is not an exported schema"
    ])
  })

  it("EFFX2204: errors that cannot be known are reported at the handler and not compared", () => {
    const unknowable = { _tag: "Unknowable", reason: "any", display: "any" } as const
    const finding =
      "EFFX2204 error src/main.ts:100:10 The errors of Item.Get cannot be known, because their type is any"
    expect(found([query], { errors: unknowable })).toEqual([finding])
    expect(found([query, ["Errors", NotFound]], { errors: unknowable })).toEqual([finding])
  })
})

describe("requirements", () => {
  it("EFFX2302: a service that the declaration forgets", () => {
    const collected = collect([operation("get", [query, ["Requirements"]], { requires: [Store] })], {
      schemas,
      services: [Store]
    })
    expect(findings(collected)).toEqual([
      "EFFX2302 error src/main.ts:102:3 Item.Get requires Store, which @Requirements does not declare"
    ])
    expect(run(collected).diagnostics[0]?.notes).toEqual([
      { label: "inferred", text: "Store" },
      { label: "declared", text: "nothing" },
      { label: "fix", text: "add Store to @Requirements, or provide it in the handler" }
    ])
    expect(found([query, ["Requirements", Store]], { requires: [Store] })).toEqual([])
  })

  it("EFFX2303: a service that is left over", () => {
    expect(found([query, ["Requirements", Store, Clock]], { requires: [Store] })).toEqual([
      "EFFX2303 error src/main.ts:102:11 Item.Get declares Clock in @Requirements, but its handler does not require it"
    ])
  })

  it("EFFX2304: a requirement without an identity, and requirements that cannot be known", () => {
    const finding = (requirement: string) =>
      `EFFX2304 error src/main.ts:100:10 Item.Get requires ${requirement}, which is not an exported service class`
    expect(found([query], { requires: ["{ now: number }"] })).toEqual([finding("{ now: number }")])
    expect(
      found([query, ["Requirements", Store]], { requires: { _tag: "Unknowable", reason: "any", display: "any" } })
    ).toEqual([finding("any")])
    expect(found([query], { requires: [Store] })).toEqual([])
  })

  it("EFFX2405: two services of one key", () => {
    const copy = service("Copy", { key: "app/Store", line: 7 })
    const declarations = [operation("get", [query], { requires: [copy, Store] })]
    expect(findings(collect(declarations, { schemas, services: [Store, copy] }))).toEqual([
      "EFFX2405 error src/services.ts:7:14 The services Copy and Store share the key app/Store\n  > src/services.ts:1:14 Store has the key app/Store too"
    ])
    expect(
      findings(
        collect([operation("get", [query], { requires: [Clock, Store] })], { schemas, services: [Store, Clock] })
      )
    ).toEqual([])
  })
})

describe("arguments and placement", () => {
  it("EFFX1102: arguments of another form, at the argument", () => {
    expect(found([["Query", { name: "Item.Get", success: "Item" }]])).toEqual([
      'EFFX1102 error src/main.ts:101:12 @Query expects a success schema, but it is given the string "Item"'
    ])
    expect(found([["Query", { name: "Item.Get" }]])).toEqual([
      "EFFX1102 error src/main.ts:101:10 @Query expects a success schema, but it is given nothing"
    ])
    expect(found([query, ["Errors", Store]], { errors: [NotFound] })).toEqual([
      "EFFX1102 error src/main.ts:102:10 @Errors expects error schemas, but it is given Store"
    ])
    expect(found([query, ["Requirements", Item]], { requires: [Store] })).toEqual([
      "EFFX1102 error src/main.ts:102:10 @Requirements expects service classes, but it is given the schema Item"
    ])
    expect(found([query, ["Authorize", "admin"]])).toEqual([
      'EFFX1102 error src/main.ts:102:10 @Authorize expects a capability made with Capability.make, but it is given the string "admin"'
    ])
  })

  it("an operation whose @Query is wrong gives one finding, not one for each annotation that needs it", () => {
    expect(
      found([
        ["Query", { success: 1 }],
        ["Http.Get", "/items"],
        ["Http.Access", { exposure: "public" }],
        ["Rpc", "get"],
        ["Cli", "get"]
      ])
    ).toHaveLength(1)
    expect(
      found([["Http.Get", "/items"], ["Errors"], ["Cli", "get"]], { dropped: ["Query"], errors: [NotFound] })
    ).toEqual([])
  })

  it("EFFX1103: annotations of operations elsewhere", () => {
    const reported = (annotation: string, line = 101) =>
      `EFFX1103 error src/main.ts:${line}:3 @${annotation} is on Items.get, which is neither a query nor a command`
    expect(found([["Http.Get", "/items"], ["Rpc", "get"], ["Cli", "get"], ["Errors"], ["Requirements"]])).toEqual([
      reported("Http.Get"),
      reported("Rpc", 102),
      reported("Cli", 103),
      reported("Errors", 104),
      reported("Requirements", 105)
    ])
    expect(
      findings(
        collect(
          [
            model(Item, [
              ["PersistentModel", { table: "items", schema: Item }],
              ["Rpc", "items"]
            ])
          ],
          { schemas }
        )
      )
    ).toEqual(["EFFX1103 error src/schemas.ts:52:3 @Rpc is on Item, which is neither a query nor a command"])
  })

  it("EFFX1104: an operation is one thing, and declares each set once", () => {
    expect(found([query, ["Command", { success: Item }]])).toEqual([
      "EFFX1104 error src/main.ts:102:3 Item.Get has both @Query and @Command, but it can only be one of them\n  > src/main.ts:101:3 The first is @Query"
    ])
    expect(found([query, ["Errors"], ["Errors"]])).toEqual([
      "EFFX1104 error src/main.ts:103:3 Item.Get has more than one @Errors\n  > src/main.ts:102:3 The first is @Errors"
    ])
  })

  it("a `Schema.Void` input is no input", () => {
    const Nothing = schema("Nothing", { _tag: "Void" }, { line: 9 })
    const compiled = run(
      collect([operation("get", [["Query", { input: Nothing, success: Item }]])], { schemas: [...schemas, Nothing] })
    )
    const without = run(collect([operation("get", [["Query", { success: Item }]])], { schemas }))
    expect(compiled.semanticHash).toBe(without.semanticHash)
  })
})

describe("models and capabilities", () => {
  const User = schema("User", object({ id: text, address: object({ city: text }) }), { line: 20 })
  const View = schema("View", object({ id: text }), { line: 21 })
  const authorized = (capability: Written[1] & {}) => [operation("get", [query, ["Authorize", capability]])]
  const users = (options = {}) => model(User, [["PersistentModel", { table: "users", schema: User, ...options }]])
  const known = { schemas: [...schemas, User, View] }

  it("become nodes and edges", () => {
    const { diagnostics, ir } = run(
      collect(
        [
          ...authorized({ name: "user:read", resource: "User", focus: ["address", "city"] }),
          users({ views: { short: View }, focus: ["id"] })
        ],
        known
      )
    )
    expect(diagnostics).toEqual([])
    expect(ir.nodes.filter(({ _tag }) => ["Model", "Capability", "Focus"].includes(_tag))).toEqual([
      {
        _tag: "Capability",
        id: "capability:user:read",
        name: "user:read",
        resource: "model:User",
        focus: "focus:User/address.city"
      },
      { _tag: "Focus", id: "focus:User/address.city", root: "model:User", path: ["address", "city"] },
      { _tag: "Focus", id: "focus:User/id", root: "model:User", path: ["id"] },
      {
        _tag: "Model",
        id: "model:User",
        name: "User",
        schema: User.ref,
        table: "users",
        views: [{ name: "short", schema: View.ref }]
      }
    ])
    expect(ir.edges.filter(({ kind }) => ["AuthorizedBy", "Focuses", "PersistsAs", "ViewOf"].includes(kind))).toEqual([
      { kind: "Focuses", from: "capability:user:read", to: "focus:User/address.city" },
      { kind: "PersistsAs", from: "model:User", to: User.ref.symbolId, qualifier: "users" },
      { kind: "AuthorizedBy", from: "operation:Item.Get", to: "capability:user:read" },
      { kind: "ViewOf", from: View.ref.symbolId, to: "model:User", qualifier: "short" }
    ])
  })

  it("EFFX1002: a capability over a class that is no model", () => {
    const capability = { name: "user:read", resource: "User", focus: ["id"] }
    expect(findings(collect(authorized(capability), known))).toEqual([
      "EFFX1002 error src/main.ts:102:10 The capability user:read refers to the model User, which is not declared"
    ])
    expect(findings(collect([...authorized(capability), users()], known))).toEqual([])
  })

  it("EFFX1102: a focus that names no field", () => {
    expect(findings(collect([users({ focus: ["address", "street"] })], known))).toEqual([
      "EFFX1102 error src/schemas.ts:51:13 @PersistentModel has the focus address.street, but User has no field street"
    ])
    expect(
      findings(collect([...authorized({ name: "user:read", resource: "User", focus: ["name"] }), users()], known))
    ).toEqual(["EFFX1102 error src/main.ts:102:10 @Authorize has the focus name, but User has no field name"])
  })
})
