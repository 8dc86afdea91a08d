/**
 * The diff of the public surface: given two small applications, expect these changes. Each expectation is the plain
 * rendering, so that it reads as a user sees it.
 */

import { describe, expect, it } from "@effect/vitest"
import { diff, isBreaking, renderDiffPlain } from "../../../src/compiler/diff/index.ts"
import {
  type ApplicationSpec,
  application,
  array,
  literal,
  number,
  object,
  ref,
  string,
  USERS,
  union,
  withOperation,
  withoutOperation,
  withSchema
} from "./application.ts"

const changes = (after: ApplicationSpec, before: ApplicationSpec = USERS): ReadonlyArray<string> =>
  renderDiffPlain(diff(application(before), application(after)))
    .trimEnd()
    .split("\n")

const { "User.Get": get = {}, "User.First": first = {} } = USERS.operations

describe("operations", () => {
  it("removed", () =>
    expect(changes(withoutOperation("User.Get"))).toEqual([
      "breaking  User.Get  operation removed: query (callers find nothing there)",
      "breaking  User.Get  route removed: GET /users/:id (callers that use the route find nothing there)",
      "breaking  User.Get  rpc removed: User.Get (callers that use the RPC name find nothing there)",
      "breaking  User.Get  command removed: users get (callers that use the command find nothing there)",
      "4 breaking, 0 not breaking"
    ]))

  it("removed without exposure", () => {
    const before = withOperation("User.Internal", { input: "GetUser", errors: ["EmailTaken"] })
    expect(changes(USERS, before)).toEqual([
      "not breaking  User.Internal  operation removed: query (it is not exposed, so nobody outside calls it)",
      "0 breaking, 1 not breaking"
    ])
  })

  it("added", () =>
    expect(changes(withOperation("User.Last", { route: "GET /users/last", errors: ["EmailTaken"] }))).toEqual([
      "not breaking  User.Last  operation added: query (nobody calls it yet)",
      "not breaking  User.Last  route added: GET /users/last (nobody calls it yet)",
      "0 breaking, 2 not breaking"
    ]))

  it("renamed, known by its route", () => {
    const after = withOperation("Member.Get", { ...get, handler: "UserOperations" }, withoutOperation("User.Get"))
    expect(changes(after).filter((line) => !line.includes("handler moved"))).toEqual([
      "breaking  Member.Get  operation renamed: User.Get → Member.Get (programs call it by its name in the generated client and in the API description)",
      "1 breaking, 1 not breaking"
    ])
  })

  it("renamed together with all its exposures, known by its contract", () => {
    const moved = { ...get, route: "GET /members/:id", rpc: "Member.Get", cli: "members get" }
    const after = withOperation("Member.Get", moved, withoutOperation("User.Get"))
    expect(changes(after).filter((line) => !line.includes("handler moved"))).toEqual([
      "breaking  Member.Get  operation renamed: User.Get → Member.Get (programs call it by its name in the generated client and in the API description)",
      "breaking  Member.Get  route changed: GET /users/:id → GET /members/:id (callers that use the old route find nothing there)",
      "breaking  Member.Get  rpc renamed: User.Get → Member.Get (callers that use the old RPC name find nothing there)",
      "breaking  Member.Get  command renamed: users get → members get (callers that use the old command find nothing there)",
      "4 breaking, 1 not breaking"
    ])
  })

  it("renamed without a route", () => {
    const before = withOperation("User.Count", { rpc: "count", errors: ["EmailTaken"] })
    const after = withOperation("User.Total", { rpc: "count", errors: ["EmailTaken"] })
    expect(changes(after, before)[0]).toBe(
      "not breaking  User.Total  operation renamed: User.Count → User.Total (callers do not see the operation's own name)"
    )
  })

  it("two operations with one contract are not guessed to be a rename", () => {
    const before = withOperation("User.Other", { ...first, route: "GET /users/other" })
    const after = withOperation(
      "User.Second",
      { ...first, route: "GET /users/second" },
      {
        ...USERS,
        operations: { "User.Get": get }
      }
    )
    expect(changes(after, before).filter((line) => line.includes("operation"))).toEqual([
      "breaking  User.First  operation removed: query (callers find nothing there)",
      "breaking  User.Other  operation removed: query (callers find nothing there)",
      "not breaking  User.Second  operation added: query (nobody calls it yet)"
    ])
  })

  it.each([
    [
      "Query",
      "Command",
      "breaking  User.First  operation kind changed: query → command (callers may no longer repeat it freely)"
    ],
    [
      "Command",
      "Query",
      "not breaking  User.First  operation kind changed: command → query (callers may repeat it freely now)"
    ]
  ] as const)("from %s to %s", (from, to, line) => {
    expect(changes(withOperation("User.First", { kind: to }), withOperation("User.First", { kind: from }))[0]).toBe(
      line
    )
  })
})

describe("exposures", () => {
  it("another route", () =>
    expect(changes(withOperation("User.Get", { route: "GET /people/:id" }))).toEqual([
      "breaking  User.Get  route changed: GET /users/:id → GET /people/:id (callers that use the old route find nothing there)",
      "1 breaking, 0 not breaking"
    ]))

  it("another method", () =>
    expect(changes(withOperation("User.Get", { route: "POST /users/:id" }))[0]).toMatch(
      /^breaking {2}User.Get {2}route changed/
    ))

  it("the name of a path parameter is not part of the route", () =>
    expect(changes(withOperation("User.Get", { route: "GET /users/:key" }))).toEqual([
      "no change of the public surface"
    ]))

  it("a removed RPC name and a removed command", () => {
    const { cli: _cli, rpc: _rpc, ...rest } = get
    expect(changes({ ...USERS, operations: { ...USERS.operations, "User.Get": rest } })).toEqual([
      "breaking  User.Get  rpc removed: User.Get (callers that use the RPC name find nothing there)",
      "breaking  User.Get  command removed: users get (callers that use the command find nothing there)",
      "2 breaking, 0 not breaking"
    ])
  })

  it("an added RPC name", () =>
    expect(changes(withOperation("User.First", { rpc: "first" }))).toEqual([
      "not breaking  User.First  rpc added: first (nobody calls it yet)",
      "0 breaking, 1 not breaking"
    ]))
})

describe("inputs", () => {
  const input = (shape: Parameters<typeof withSchema>[1]["shape"]) =>
    changes(withSchema("GetUser", shape === undefined ? {} : { shape }))

  it("a required field is added", () =>
    expect(input(object({ id: string, tenant: string }))).toEqual([
      "breaking  User.Get  input field added: GetUser.tenant: required string (callers do not send the field yet, so they are refused)",
      "1 breaking, 0 not breaking"
    ]))

  it("an optional field is added", () =>
    expect(input(object({ id: string, "tenant?": string }))).toEqual([
      "not breaking  User.Get  input field added: GetUser.tenant: optional string (callers may leave the field out)",
      "0 breaking, 1 not breaking"
    ]))

  it("a field is removed", () =>
    expect(input(object({}))[0]).toBe(
      "breaking  User.Get  input field removed: GetUser.id: string (callers that give the field no longer compile, and what they send is ignored)"
    ))

  it("a field becomes optional, then required again", () => {
    const optional = withSchema("GetUser", { shape: object({ "id?": string }) })
    expect(changes(optional)[0]).toMatch(/^not breaking {2}User.Get {2}input field made optional: GetUser.id/)
    expect(changes(USERS, optional)[0]).toMatch(/^breaking {2}User.Get {2}input field made required: GetUser.id/)
  })

  it("a field accepts more, then less", () => {
    const wide = withSchema("GetUser", { shape: object({ id: union(string, number) }) })
    expect(changes(wide)[0]).toBe(
      "not breaking  User.Get  input widened: GetUser.id: string → string | number (everything that was accepted still is)"
    )
    expect(changes(USERS, wide)[0]).toBe(
      "breaking  User.Get  input narrowed: GetUser.id: string | number → string (some of what callers send is refused now)"
    )
  })

  it("a field gets another type", () =>
    expect(input(object({ id: number }))[0]).toBe(
      "breaking  User.Get  input replaced: GetUser.id: string → number (what callers send is refused now)"
    ))

  it("an input appears", () =>
    expect(changes(withOperation("User.First", { input: "GetUser" }))[0]).toBe(
      "breaking  User.First  input replaced: GetUser: nothing → { id } (what callers send is refused now)"
    ))

  it.each([
    ["minLength", { minLength: 1 }, "narrowed"],
    ["a format", { format: "uuid" }, "narrowed"],
    ["a pattern", { pattern: "^u" }, "narrowed"]
  ] as const)("%s is added", (_name, constraint, verdict) => {
    expect(input(object({ id: { _tag: "String", ...constraint } }))[0]).toContain(`input ${verdict}: GetUser.id`)
  })

  it("a bound of a number moves", () => {
    const at = (bounds: object) => withSchema("GetUser", { shape: object({ id: { _tag: "Number", ...bounds } }) })
    expect(changes(at({ minimum: 0 }), at({ exclusiveMinimum: 0 }))[0]).toContain("input widened")
    expect(changes(at({ maximum: 9 }), at({ maximum: 10 }))[0]).toContain("input narrowed")
    expect(changes(at({ integer: true }), at({}))[0]).toContain("input narrowed")
    expect(changes(at({ minimum: 1 }), at({ maximum: 1 }))[0]).toContain("input replaced")
  })
})

describe("outputs", () => {
  const output = (shape: Parameters<typeof object>[0]) =>
    changes(withSchema("User", { shape: object(shape) })).slice(0, -1)

  it("a field is removed, of every operation that gives it", () =>
    expect(output({ id: string, "name?": string })).toEqual([
      "breaking  User.First  output field removed: User.email: string (callers that read the field no longer find it)",
      "breaking  User.Get  output field removed: User.email: string (callers that read the field no longer find it)"
    ]))

  it("a field is added", () =>
    expect(output({ id: string, email: string, "name?": string, age: number })[0]).toBe(
      "not breaking  User.First  output field added: User.age: required number (callers ignore fields that they do not know)"
    ))

  it("a field becomes optional", () =>
    expect(output({ id: string, "email?": string, "name?": string })[0]).toBe(
      "breaking  User.First  output field made optional: User.email: string (callers have to expect that the field is missing)"
    ))

  it("a field becomes required", () =>
    expect(output({ id: string, email: string, name: string })[0]).toBe(
      "not breaking  User.First  output field made required: User.name: string (callers that expect the field to be missing still work)"
    ))

  it("a union gains and loses members", () => {
    const status = (...values: ReadonlyArray<string>) =>
      withSchema("User", { shape: object({ status: union(...values.map(literal)) }) })
    expect(changes(status("on", "off", "lost"), status("on", "off")).slice(0, 1)).toEqual([
      'breaking  User.First  output widened: User.status: also "lost" (callers receive values that they do not expect)'
    ])
    expect(changes(status("on"), status("on", "off")).slice(0, 1)).toEqual([
      'not breaking  User.First  output narrowed: User.status: without "off" (callers expect everything that they receive)'
    ])
    expect(changes(status("on", "gone"), status("on", "off")).slice(0, 2)).toEqual([
      'breaking  User.First  output widened: User.status: also "gone" (callers receive values that they do not expect)',
      'not breaking  User.First  output narrowed: User.status: without "off" (callers expect everything that they receive)'
    ])
  })

  it("a member of a tagged union changes inside", () => {
    const pet = (cat: Parameters<typeof object>[0]) =>
      withSchema("User", {
        shape: union(object({ _tag: literal("Cat"), ...cat }), object({ _tag: literal("Dog") }))
      })
    expect(changes(pet({ lives: string }), pet({ lives: number }))[0]).toBe(
      "breaking  User.First  output replaced: User<Cat>.lives: number → string (callers receive something else than they expect)"
    )
  })

  it("items of a list change", () => {
    const tags = (items: Parameters<typeof array>[0]) => withSchema("User", { shape: object({ tags: array(items) }) })
    expect(changes(tags(number), tags(string))[0]).toContain("output replaced: User.tags[]: string → number")
  })
})

describe("recursive schemas", () => {
  const tree = (leaf: Parameters<typeof array>[0], name = "Tree") =>
    withOperation(
      "Tree.Get",
      { success: name, route: "GET /tree" },
      withSchema(name, { shape: object({ leaf, children: array(ref(name)) }) })
    )

  it("are compared once around", () =>
    expect(changes(tree(number), tree(string))).toEqual([
      "breaking  Tree.Get  output replaced: Tree.leaf: string → number (callers receive something else than they expect)",
      "1 breaking, 0 not breaking"
    ]))

  it("are equal under another name", () =>
    expect(changes(tree(string, "Forest"), tree(string)).filter((line) => line.startsWith("breaking"))).toEqual([]))
})

describe("errors", () => {
  it("a new one", () =>
    expect(changes(withOperation("User.Get", { errors: ["NotFound", "EmailTaken"] }))).toEqual([
      "breaking  User.Get  error added: EmailTaken (callers that handle every error do not know this one)",
      "1 breaking, 0 not breaking"
    ]))

  it("one less", () =>
    expect(changes(withOperation("User.Get", { errors: [] }))).toEqual([
      "not breaking  User.Get  error removed: NotFound (callers no longer meet the error)",
      "0 breaking, 1 not breaking"
    ]))

  it("another status", () =>
    expect(changes(withSchema("NotFound", { status: 410 }))).toEqual([
      "breaking  User.Get  status changed: NotFound: 404 → 410 (callers that look at the HTTP status take it for something else)",
      "1 breaking, 0 not breaking"
    ]))

  it("another content", () =>
    expect(changes(withSchema("NotFound", { shape: object({ _tag: literal("NotFound") }) }))[0]).toBe(
      "breaking  User.Get  error field removed: NotFound.id: string (callers that read the field no longer find it)"
    ))

  it("problem documents", () => {
    const problems = (codes: ReadonlyArray<string>, map = {}) => withOperation("User.Get", { problems: { codes, map } })
    expect(changes(problems(["not-found"]))[0]).toContain("problems changed: errors → problem documents")
    expect(changes(problems(["not-found", "gone"]), problems(["not-found"]))[0]).toContain(
      "problems changed: new problem gone"
    )
    expect(changes(problems(["a", "b"], { NotFound: "b" }), problems(["a", "b"], { NotFound: "a" }))[0]).toContain(
      "breaking  User.Get  problems changed: NotFound: a → b"
    )
  })
})

describe("access", () => {
  const access = (value: "public" | ReadonlyArray<string>) => withOperation("User.Get", { access: value })

  it("from public to protected", () =>
    expect(changes(access(["Bearer"]))).toEqual([
      "breaking  User.Get  access changed: public → protected by Bearer (callers over HTTP without credentials are refused now)",
      "1 breaking, 0 not breaking"
    ]))

  it("from protected to public", () =>
    expect(changes(USERS, access(["Bearer"]))[0]).toBe(
      "not breaking  User.Get  access changed: protected by Bearer → public (everyone may call it over HTTP now)"
    ))

  it("another guard", () =>
    expect(changes(access(["Cookie"]), access(["Bearer"]))[0]).toMatch(
      /^breaking .* \(callers over HTTP may need other credentials\)$/
    ))

  it("a declaration of what was so already", () =>
    expect(changes(withOperation("User.First", { access: "public" }))).toEqual(["no change of the public surface"]))

  it("a guarded remote procedure", () =>
    expect(changes(withOperation("User.Get", { guards: ["Guard"] }))[0]).toBe(
      "breaking  User.Get  access changed: User.Get: unguarded → guarded by Guard (callers over RPC without credentials are refused now)"
    ))

  it("a declared capability", () =>
    expect(changes(withOperation("User.Get", { capability: "users.read" }))[0]).toBe(
      "not breaking  User.Get  authority changed: now users.read (a declared capability enforces nothing by itself)"
    ))
})

describe("not breaking", () => {
  it("nothing", () => expect(changes(USERS)).toEqual(["no change of the public surface"]))

  it("reorderings", () => {
    const reversed = {
      schemas: Object.fromEntries(Object.entries(USERS.schemas).toReversed()),
      operations: Object.fromEntries(Object.entries(USERS.operations).toReversed())
    }
    expect(changes(reversed)).toEqual(["no change of the public surface"])
    expect(changes(withSchema("User", { shape: object({ "name?": string, email: string, id: string }) }))).toEqual([
      "no change of the public surface"
    ])
  })

  it("a schema that moves to another file", () =>
    expect(
      changes(withSchema("NotFound", { module: "src/errors" }, withSchema("User", { module: "src/model/user" })))
    ).toEqual([
      "not breaking  User.First  schema moved: User of src/user → User of src/model/user (callers see the same values)",
      "not breaking  User.Get  schema moved: User of src/user → User of src/model/user (callers see the same values)",
      "not breaking  User.Get  schema moved: NotFound of src/user → NotFound of src/errors (callers see the same values)",
      "0 breaking, 3 not breaking"
    ]))

  it("a handler that moves", () =>
    expect(changes(withOperation("User.Get", { handler: "Members" }))[0]).toMatch(
      /^not breaking {2}User.Get {2}handler moved/
    ))

  it("documentation", () =>
    expect(
      changes(withOperation("User.Get", { summary: "Shows a user." }, withSchema("NotFound", { description: "None." })))
    ).toEqual([
      "not breaking  User.Get  documentation changed: description of NotFound (only the documentation differs)",
      "not breaking  User.Get  documentation changed: summary (only the documentation differs)",
      "0 breaking, 2 not breaking"
    ]))

  it("another public identifier", () =>
    expect(changes(withSchema("User", { identifier: "Member" }))[0]).toBe(
      "not breaking  User.First  identifier changed: User → Member (only API descriptions name the schema; its values are the same)"
    ))
})

describe("isBreaking", () => {
  it("is true as soon as one change breaks", () => {
    const of = (after: ApplicationSpec) => isBreaking(diff(application(USERS), application(after)))
    expect(of(USERS)).toBe(false)
    expect(of(withOperation("User.Get", { summary: "x" }))).toBe(false)
    expect(of(withOperation("User.Get", { summary: "x", errors: ["NotFound", "EmailTaken"] }))).toBe(true)
  })
})
