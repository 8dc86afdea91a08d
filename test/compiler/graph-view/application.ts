/** A small application with every kind of node, and one of any size. */
import { type ApplicationIR, applicationIR, type Edge, type Node, type StableId, stableId } from "@effx/ir"

const schemaId = (name: string) => stableId("schema", `src/user/${name}`)
const ref = (name: string) => ({ module: "../../src/user", export: name, symbolId: schemaId(name) })

const fact = (extension: string, tag: string, owner: StableId, data: Extract<Node, { _tag: "Extension" }>["data"]) => {
  const id = `ext:${extension}/${tag}/${owner}` as StableId
  return {
    node: { _tag: "Extension", id, extension, tag, data } satisfies Node,
    edge: { kind: "ExtensionOf", from: id, to: owner, qualifier: tag } satisfies Edge
  }
}

const shape = (name: string, fields: ReadonlyArray<readonly [string, object]>, more = {}) =>
  fact("core", "schema", schemaId(name), {
    shape: {
      _tag: "Object",
      fields: fields.map(([field, of]) => ({ name: field, shape: { ...of }, optional: false }))
    },
    ...more
  })

const string = { _tag: "String" }
const getUser = stableId("operation", "User.Get")
const users = stableId("service", "Users")
const user = stableId("model", "User")
const key = stableId("focus", "User.id")
const read = stableId("capability", "users.read")
const route = stableId("exposure", "User.Get/http/GET/users/:id")

const facts = [
  shape(
    "User",
    [
      ["id", string],
      ["team", { _tag: "Ref", id: schemaId("Team") }]
    ],
    { identifier: "User" }
  ),
  shape("Team", [["name", string]], { description: "A team <of> users." }),
  shape("GetUser", [["id", string]]),
  shape("NotFound", [["id", string]], { status: 404 }),
  fact("core", "docs", getUser, { summary: "Shows one user." }),
  fact("http", "access", getUser, {
    exposure: "protected",
    middleware: [{ module: "../../src/guards", export: "Bearer" }]
  }),
  fact("audit", "log", getUser, { reason: "law" })
]

/** The application of the examples. */
export const USERS: ApplicationIR = applicationIR(
  [
    ...["User", "Team", "GetUser", "NotFound"].map(
      (name): Node => ({ _tag: "Schema", id: schemaId(name), ref: ref(name) })
    ),
    {
      _tag: "Operation",
      id: getUser,
      name: "User.Get",
      kind: "Query",
      input: ref("GetUser"),
      success: ref("User"),
      errors: { values: [schemaId("NotFound")], inferred: false },
      requirements: { values: [users], inferred: true },
      handler: { module: "../../src/operations", export: "UserOperations", member: "get" }
    },
    { _tag: "Service", id: users, name: "Users", symbol: { module: "../../src/users", export: "Users" } },
    { _tag: "Model", id: user, name: "User", schema: ref("User"), table: "users", views: [] },
    { _tag: "Focus", id: key, root: user, path: ["id"] },
    { _tag: "Capability", id: read, name: "users.read", resource: user, focus: key },
    { _tag: "Exposure", id: route, operation: getUser, transport: { _tag: "http", method: "GET", path: "/users/:id" } },
    ...facts.map(({ node }) => node)
  ],
  [
    { kind: "InputOf", from: schemaId("GetUser"), to: getUser },
    { kind: "SuccessOf", from: schemaId("User"), to: getUser },
    { kind: "ErrorOf", from: schemaId("NotFound"), to: getUser },
    { kind: "Requires", from: getUser, to: users },
    { kind: "AuthorizedBy", from: getUser, to: read },
    { kind: "Focuses", from: read, to: key },
    { kind: "ExposedAs", from: getUser, to: route, qualifier: "http" },
    { kind: "PersistsAs", from: user, to: schemaId("User"), qualifier: "users" },
    ...facts.map(({ edge }) => edge)
  ]
)

/** An application of `count` queries in groups of ten, each with a schema, a route and an RPC name. */
export const largeApplication = (count: number): ApplicationIR => {
  const nodes: Array<Node> = [
    { _tag: "Service", id: users, name: "Users", symbol: { module: "../../src/users", export: "Users" } }
  ]
  const edges: Array<Edge> = []
  for (let n = 0; n < count; n++) {
    const name = `Group${Math.floor(n / 10)}.Get${n}`
    const id = stableId("operation", name)
    const success = `Item${n}`
    const exposures = [
      stableId("exposure", `${name}/http/GET/items${n}`),
      stableId("exposure", `${name}/rpc/${name}`)
    ] as const
    nodes.push(
      { _tag: "Schema", id: schemaId(success), ref: ref(success) },
      {
        _tag: "Operation",
        id,
        name,
        kind: "Query",
        success: ref(success),
        errors: { values: [], inferred: true },
        requirements: { values: [users], inferred: true },
        handler: { module: "../../src/operations", export: `get${n}` }
      },
      {
        _tag: "Exposure",
        id: exposures[0],
        operation: id,
        transport: { _tag: "http", method: "GET", path: `/items${n}` }
      },
      { _tag: "Exposure", id: exposures[1], operation: id, transport: { _tag: "rpc", name } }
    )
    edges.push(
      { kind: "SuccessOf", from: schemaId(success), to: id },
      { kind: "Requires", from: id, to: users },
      ...exposures.map((to): Edge => ({ kind: "ExposedAs", from: id, to }))
    )
  }
  return applicationIR(nodes, edges)
}
