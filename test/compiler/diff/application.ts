/** Small applications as IRs: what a frontend would have collected, written down as data. */
import {
  type ApplicationIR,
  applicationIR,
  type Edge,
  type Field,
  type Node,
  type SchemaFacts,
  type SchemaRef,
  type Shape,
  type StableId,
  stableId
} from "@effx/ir"

export const string: Shape = { _tag: "String" }
export const number: Shape = { _tag: "Number" }
export const literal = (value: string | number): Shape => ({ _tag: "Literal", value })
export const union = (...members: ReadonlyArray<Shape>): Shape => ({ _tag: "Union", members })
export const array = (items: Shape): Shape => ({ _tag: "Array", items })

/** Fields of an object; a name that ends with `?` is optional. */
export const object = (fields: Readonly<Record<string, Shape>>): Shape => ({
  _tag: "Object",
  fields: Object.entries(fields).map(
    ([name, shape]): Field => ({ name: name.replace(/\?$/, ""), shape, optional: name.endsWith("?") })
  )
})

export const schemaId = (name: string, module = "src/user"): StableId => stableId("schema", `${module}/${name}`)
export const ref = (name: string, module?: string): Shape => ({ _tag: "Ref", id: schemaId(name, module) })

export interface SchemaSpec extends Partial<Omit<SchemaFacts, "shape">> {
  readonly shape: Shape
  /** The project-relative module without extension. */
  readonly module?: string
}

export interface OperationSpec {
  readonly kind?: "Query" | "Command"
  readonly input?: string
  readonly success?: string
  readonly errors?: ReadonlyArray<string>
  readonly route?: string
  readonly rpc?: string
  readonly guards?: ReadonlyArray<string>
  readonly cli?: string
  readonly access?: "public" | ReadonlyArray<string>
  readonly problems?: { readonly codes: ReadonlyArray<string>; readonly map?: Readonly<Record<string, string>> }
  readonly capability?: string
  readonly summary?: string
  readonly handler?: string
}

export interface ApplicationSpec {
  readonly schemas: Readonly<Record<string, SchemaSpec>>
  readonly operations: Readonly<Record<string, OperationSpec>>
}

const symbol = (name: string) => ({ module: "../../src/guards", export: name })

/** Builds the IR of an application. */
export const application = ({ operations, schemas }: ApplicationSpec): ApplicationIR => {
  const nodes: Array<Node> = []
  const edges: Array<Edge> = []
  const fact = (extension: string, tag: string, owner: StableId, data: unknown): void => {
    const id = `ext:${extension}/${tag}/${owner}` as StableId
    nodes.push({ _tag: "Extension", id, extension, tag, data: JSON.parse(JSON.stringify(data)) })
    edges.push({ kind: "ExtensionOf", from: id, to: owner, qualifier: tag })
  }
  const idOf = (name: string): StableId => schemaId(name, schemas[name]?.module)
  const refOf = (name: string): SchemaRef => ({
    module: `../../${schemas[name]?.module ?? "src/user"}`,
    export: name,
    symbolId: idOf(name)
  })

  for (const [name, { module: _, ...facts }] of Object.entries(schemas)) {
    nodes.push({ _tag: "Schema", id: idOf(name), ref: refOf(name) })
    fact("core", "schema", idOf(name), facts)
  }

  for (const [name, spec] of Object.entries(operations)) {
    const {
      access,
      capability,
      cli,
      errors = [],
      guards,
      handler = "UserOperations",
      input,
      kind = "Query",
      problems,
      route,
      rpc,
      success = "User",
      summary
    } = spec
    const id = stableId("operation", name)
    nodes.push({
      _tag: "Operation",
      id,
      name,
      kind,
      ...(input === undefined ? {} : { input: refOf(input) }),
      success: refOf(success),
      errors: { values: errors.map(idOf), inferred: false },
      requirements: { values: [], inferred: true },
      handler: { module: "../../src/operations", export: handler, member: name }
    })
    if (input !== undefined) edges.push({ kind: "InputOf", from: idOf(input), to: id })
    edges.push({ kind: "SuccessOf", from: idOf(success), to: id })
    for (const error of errors) edges.push({ kind: "ErrorOf", from: idOf(error), to: id })
    const expose = (transport: Extract<Node, { _tag: "Exposure" }>["transport"], rest: string): StableId => {
      const exposure = stableId("exposure", `${name}/${transport._tag}/${rest}`)
      nodes.push({ _tag: "Exposure", id: exposure, operation: id, transport })
      edges.push({ kind: "ExposedAs", from: id, to: exposure, qualifier: transport._tag })
      return exposure
    }
    if (route !== undefined) {
      const [method = "", path = ""] = route.split(" ")
      expose({ _tag: "http", method: method as "GET", path }, `${method}${path}`)
    }
    if (rpc !== undefined) {
      const exposure = expose({ _tag: "rpc", name: rpc }, rpc)
      if (guards !== undefined) fact("rpc", "middleware", exposure, { middleware: guards.map(symbol) })
    }
    if (cli !== undefined) expose({ _tag: "cli", words: cli.split(" ") }, cli.replaceAll(" ", "."))
    if (access !== undefined) {
      const data =
        access === "public" ? { exposure: "public" } : { exposure: "protected", middleware: access.map(symbol) }
      fact("http", "access", id, data)
    }
    if (problems !== undefined) fact("http", "problems", id, { registry: symbol("problems"), ...problems })
    if (summary !== undefined) fact("core", "docs", id, { summary })
    if (capability !== undefined) {
      const capabilityId = stableId("capability", capability)
      nodes.push({ _tag: "Capability", id: capabilityId, name: capability, resource: stableId("model", "User") })
      edges.push({ kind: "AuthorizedBy", from: id, to: capabilityId })
    }
  }
  return applicationIR(nodes, edges)
}

/** The application that the cases change. */
export const USERS: ApplicationSpec = {
  schemas: {
    User: { shape: object({ id: string, email: string, "name?": string }), identifier: "User" },
    GetUser: { shape: object({ id: string }) },
    NotFound: { shape: object({ _tag: literal("NotFound"), id: string }), identifier: "NotFound", status: 404 },
    EmailTaken: { shape: object({ _tag: literal("EmailTaken") }), identifier: "EmailTaken", status: 409 }
  },
  operations: {
    "User.Get": {
      input: "GetUser",
      errors: ["NotFound"],
      route: "GET /users/:id",
      rpc: "User.Get",
      cli: "users get",
      access: "public",
      summary: "Shows one user."
    },
    "User.First": { route: "GET /users/first" }
  }
}

/** A copy with one schema changed. */
export const withSchema = (name: string, spec: Partial<SchemaSpec>, base = USERS): ApplicationSpec => ({
  ...base,
  schemas: { ...base.schemas, [name]: { ...(base.schemas[name] ?? { shape: string }), ...spec } }
})

/** A copy with one operation changed. */
export const withOperation = (name: string, spec: Partial<OperationSpec>, base = USERS): ApplicationSpec => ({
  ...base,
  operations: { ...base.operations, [name]: { ...base.operations[name], ...spec } }
})

/** A copy without one operation. */
export const withoutOperation = (name: string, base = USERS): ApplicationSpec => {
  const { [name]: _, ...operations } = base.operations
  return { ...base, operations }
}
