/** The users fixture, as a frontend collects it, compiles without a finding. */
import { describe, expect, it } from "@effect/vitest"
import { stableId } from "@effx/ir"
import { findings, run } from "./run.ts"
import {
  collect,
  list,
  model,
  nothing,
  number,
  object,
  operation,
  optional,
  refTo,
  schema,
  service,
  text
} from "./source.ts"

const file = "src/user.ts"
const UserId = schema("UserId", { _tag: "String", minLength: 1 }, { file, line: 4 })
const User = schema("User", object({ id: refTo(UserId), email: text, name: text }), {
  file,
  line: 8,
  identifier: "User"
})
const UserNotFound = schema("UserNotFound", object({ id: refTo(UserId) }), {
  file,
  line: 15,
  identifier: "UserNotFound",
  status: 404
})
const EmailTaken = schema("EmailTaken", object({ email: text }), {
  file,
  line: 22,
  identifier: "EmailTaken",
  status: 409
})
const UserList = schema("UserList", list(refTo(User)), { file, line: 28 })
const GetUser = schema("GetUser", object({ id: refTo(UserId) }), { file, line: 29 })
const ListUsers = schema("ListUsers", object({ limit: optional(text) }), { file, line: 30 })
const Done = schema("Done", nothing, { file, line: 33 })
const Users = service("Users")
const Count = schema("Count", number)

const schemas = [UserId, User, UserNotFound, EmailTaken, UserList, GetUser, ListUsers, Done, Count]
const known = { schemas, services: [Users] }

const declarations = [
  operation(
    "get",
    [
      ["Query", { name: "User.Get", input: GetUser, success: User }],
      ["Errors", UserNotFound],
      ["Requirements", Users],
      ["Http.Get", "/users/:id"],
      ["Http.Access", { exposure: "public" }],
      ["Rpc", "User.Get"],
      ["Cli", "users get"]
    ],
    { line: 20, errors: [UserNotFound], requires: [Users], docs: { summary: "Shows one user." } }
  ),
  operation(
    "list",
    [
      ["Query", { name: "User.List", input: ListUsers, success: UserList }],
      ["Errors"],
      ["Requirements", Users],
      ["Http.Get", "/users"],
      ["Http.Access", { exposure: "public" }],
      ["Cli", "users list"]
    ],
    { line: 40, requires: [Users] }
  ),
  operation(
    "remove",
    [
      ["Command", { name: "User.Remove", input: GetUser, success: Done }],
      ["Http.Delete", "/users/:id"],
      ["Http.Access", { exposure: "public" }]
    ],
    { line: 60, errors: [UserNotFound], requires: [Users] }
  ),
  model(User, [["PersistentModel", { table: "users", focus: ["id"], schema: User }]])
]

describe("users", () => {
  it("has no finding", () => {
    expect(findings(collect(declarations, known), { strictAccess: true })).toEqual([])
  })

  it("becomes the graph that its declarations describe", () => {
    const { ir, sites } = run(collect(declarations, known))
    const ids = ir.nodes.map(({ id }) => id).sort()
    expect(ids).toEqual([
      "exposure:User.Get/cli/users.get",
      "exposure:User.Get/http/GET/users/:id",
      "exposure:User.Get/rpc/User.Get",
      "exposure:User.List/cli/users.list",
      "exposure:User.List/http/GET/users",
      "exposure:User.Remove/http/DELETE/users/:id",
      "ext:core/docs/operation:User.Get",
      ...["Done", "GetUser", "ListUsers", "User", "UserId", "UserList", "UserNotFound"].map(
        (name) => `ext:core/schema/schema:src/user/${name}`
      ),
      "ext:core/service-key/service:Users",
      "ext:http/access/operation:User.Get",
      "ext:http/access/operation:User.List",
      "ext:http/access/operation:User.Remove",
      "focus:User/id",
      "model:User",
      "operation:User.Get",
      "operation:User.List",
      "operation:User.Remove",
      ...["Done", "GetUser", "ListUsers", "User", "UserId", "UserList", "UserNotFound"].map(
        (name) => `schema:src/user/${name}`
      ),
      "service:Users"
    ])
    const edges = ir.edges.map(
      ({ from, kind, qualifier, to }) => `${from} ${kind} ${to}${qualifier === undefined ? "" : ` (${qualifier})`}`
    )
    expect(edges.filter((edge) => !edge.startsWith("ext:")).sort()).toMatchInlineSnapshot(`
      [
        "model:User PersistsAs schema:src/user/User (users)",
        "operation:User.Get ExposedAs exposure:User.Get/cli/users.get (cli)",
        "operation:User.Get ExposedAs exposure:User.Get/http/GET/users/:id (http)",
        "operation:User.Get ExposedAs exposure:User.Get/rpc/User.Get (rpc)",
        "operation:User.Get Requires service:Users",
        "operation:User.List ExposedAs exposure:User.List/cli/users.list (cli)",
        "operation:User.List ExposedAs exposure:User.List/http/GET/users (http)",
        "operation:User.List Requires service:Users",
        "operation:User.Remove ExposedAs exposure:User.Remove/http/DELETE/users/:id (http)",
        "operation:User.Remove Requires service:Users",
        "schema:src/user/Done SuccessOf operation:User.Remove",
        "schema:src/user/GetUser InputOf operation:User.Get",
        "schema:src/user/GetUser InputOf operation:User.Remove",
        "schema:src/user/ListUsers InputOf operation:User.List",
        "schema:src/user/User SuccessOf operation:User.Get",
        "schema:src/user/UserList SuccessOf operation:User.List",
        "schema:src/user/UserNotFound ErrorOf operation:User.Get",
        "schema:src/user/UserNotFound ErrorOf operation:User.Remove",
      ]
    `)
    expect(sites[stableId("operation", "User.Get")]?.location).toEqual({ file: "src/main.ts", line: 20, col: 10 })
    expect(sites[stableId("schema", "src/user/User")]?.location).toEqual({ file, line: 8, col: 14 })
  })

  it("takes inferred sets where nothing is declared, and says so", () => {
    const operations = run(collect(declarations, known)).ir.nodes.filter((node) => node._tag === "Operation")
    expect(operations.map(({ errors, name, requirements }) => ({ name, errors, requirements }))).toMatchInlineSnapshot(`
      [
        {
          "errors": {
            "inferred": false,
            "values": [
              "schema:src/user/UserNotFound",
            ],
          },
          "name": "User.Get",
          "requirements": {
            "inferred": false,
            "values": [
              "service:Users",
            ],
          },
        },
        {
          "errors": {
            "inferred": false,
            "values": [],
          },
          "name": "User.List",
          "requirements": {
            "inferred": false,
            "values": [
              "service:Users",
            ],
          },
        },
        {
          "errors": {
            "inferred": true,
            "values": [
              "schema:src/user/UserNotFound",
            ],
          },
          "name": "User.Remove",
          "requirements": {
            "inferred": true,
            "values": [
              "service:Users",
            ],
          },
        },
      ]
    `)
  })
})
