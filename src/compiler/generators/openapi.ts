/**
 * Generates `openapi.json`: OpenAPI 3.1 of the HTTP endpoints, from wire shapes alone. Nothing is executed.
 *
 * Guarantees: paths, parameters, request bodies and statuses are those of the generated server. What source does not tell
 * is documented as open: the scheme and the errors of a guard that is not declared in plain sight, and the status of a problem
 * that no declared error is mapped to.
 */
import type { Field, GraphIndex, StableId } from "@effx/ir"
import { sortedBy } from "@effx/ir"
import type { GenerateInput, Generator } from "../extension.ts"
import { dereference } from "../shapes.ts"
import { type EndpointView, groupsOf, plainErrors, problemCode, templatedPath } from "./endpoint-view.ts"
import { type Components, type Json, type JsonObject, makeComponents } from "./json-schema.ts"
import { isVoid, type SchemaView, schemaView } from "./operation-view.ts"
import { makeSecurity, type Security } from "./security.ts"

const JSON_TYPE = "application/json"
const PROBLEM_TYPE = "application/problem+json"
const PROBLEM = "#/components/schemas/Problem"

/** What an error without a status answers. */
const DEFAULT_ERROR_STATUS = 500

const BAD_REQUEST = "The request does not fit the declared input"

/** RFC 9457: the members of a problem; `code` is the code of the application's registry. */
const problemSchema: JsonObject = {
  type: "object",
  description: "A problem (RFC 9457)",
  properties: {
    type: { type: "string", format: "uri-reference" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    instance: { type: "string", format: "uri-reference" },
    code: { type: "string" }
  },
  additionalProperties: true
}

const present = (fields: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined))

const describe = (parts: ReadonlyArray<string | undefined>, otherwise: string): string => {
  const known = Array.from(new Set(parts.filter((part) => part !== undefined && part !== "")))
  return known.length === 0 ? otherwise : known.join(" | ")
}

const parameters = (
  components: Components,
  { parts, fields = [] }: EndpointView,
  path: string
): ReadonlyArray<Json> => {
  const parameter =
    (location: "path" | "query") =>
    (field: Field): Json =>
      present({
        name: field.name,
        in: location,
        required: location === "path" || !field.optional,
        description: field.description,
        schema: components.schemaOf(field.shape)
      })
  const isInPath = ({ name }: Field): boolean => path.includes(`{${name}}`)
  switch (parts._tag) {
    case "None":
      return []
    case "Whole":
      return parts.part === "payload" ? [] : fields.map(parameter(parts.part === "params" ? "path" : "query"))
    case "Split":
      return [
        ...fields.filter(isInPath).map(parameter("path")),
        ...(parts.rest === "query" ? fields.filter((field) => !isInPath(field)).map(parameter("query")) : [])
      ]
  }
}

const requestBody = (components: Components, { operation, parts, fields = [] }: EndpointView): Json | undefined => {
  if (operation.input === undefined) return undefined
  const body = (schema: JsonObject): Json => ({ required: true, content: { [JSON_TYPE]: { schema } } })
  if (parts._tag === "Whole" && parts.part === "payload") return body(components.refTo(operation.input.id))
  if (parts._tag === "Split" && parts.rest === "payload") {
    return body(
      components.schemaOf({ _tag: "Object", fields: fields.filter(({ name }) => !parts.params.includes(name)) })
    )
  }
  return undefined
}

/** Responses by status while they are gathered; several schemas of one status and media type are alternatives. */
interface Gathered {
  readonly descriptions: Array<string>
  readonly schemas: Map<string, Map<string, JsonObject>>
}

const success = (index: GraphIndex, components: Components, schema: SchemaView): readonly [string, JsonObject] => {
  const status = String(schema.facts.status ?? (isVoid(index, schema) ? 204 : 200))
  const description = describe([schema.facts.description], "Success")
  return [
    status,
    isVoid(index, schema)
      ? { description }
      : { description, content: { [JSON_TYPE]: { schema: components.refTo(schema.id) } } }
  ]
}

/** The errors of a guard; `undefined` where one is not known, or has alternatives whose statuses are not. */
const refusals = (index: GraphIndex, errors: ReadonlyArray<StableId> | undefined) => {
  const views = errors?.map((id) => schemaView(index, id))
  return views?.every((view) => view !== undefined && (view.facts.status !== undefined || !isUnion(index, view)))
    ? (views as ReadonlyArray<SchemaView>)
    : undefined
}

const isUnion = (index: GraphIndex, { facts }: SchemaView): boolean => {
  const { _tag } = dereference(index, facts.shape)
  return _tag === "Union" || _tag === "Any"
}

const failures = (index: GraphIndex, components: Components, endpoint: EndpointView): ReadonlyMap<string, Gathered> => {
  const gathered = new Map<string, Gathered>()
  const add = (
    status: string,
    description: string,
    content?: readonly [type: string, key: string, schema: JsonObject]
  ) => {
    const entry: Gathered = gathered.get(status) ?? { descriptions: [], schemas: new Map() }
    gathered.set(status, entry)
    entry.descriptions.push(description)
    if (content === undefined) return
    const [type, key, schema] = content
    entry.schemas.set(type, (entry.schemas.get(type) ?? new Map<string, JsonObject>()).set(key, schema))
  }
  const { operation } = endpoint
  const addError = (error: SchemaView) => {
    const { facts, id, ref } = error
    add(
      String(facts.status ?? DEFAULT_ERROR_STATUS),
      facts.description ?? facts.identifier ?? ref.export,
      isVoid(index, error) ? undefined : [JSON_TYPE, id, components.refTo(id)]
    )
  }
  plainErrors(operation).forEach(addError)
  const { problems } = operation
  if (problems !== undefined) {
    for (const code of problems.codes) {
      const mapped = operation.errors.filter(({ ref }) => problemCode(problems.map, ref.export) === code)
      const schema = { allOf: [{ $ref: PROBLEM }, { properties: { code: { type: "string", enum: [code] } } }] }
      for (const error of mapped.length === 0 ? [undefined] : mapped) {
        const status = error === undefined ? "default" : String(error.facts.status ?? DEFAULT_ERROR_STATUS)
        add(status, error?.facts.description ?? code, [PROBLEM_TYPE, code, schema])
      }
    }
  }
  if (endpoint.parts._tag !== "None") add("400", BAD_REQUEST)
  for (const { errors, export: name } of operation.access?.middleware ?? []) {
    const known = refusals(index, errors)
    if (known === undefined) add("4XX", `The guard ${name} refused the request`)
    else known.forEach(addError)
  }
  return gathered
}

const responses = (index: GraphIndex, components: Components, endpoint: EndpointView): JsonObject => {
  const failing = Array.from(failures(index, components, endpoint), ([status, { descriptions, schemas }]) => {
    const content = sortedBy(schemas, ([type]) => type).map(([type, alternatives]) => {
      const all = Array.from(alternatives.values())
      const [only] = all
      return [type, { schema: only !== undefined && all.length === 1 ? only : { anyOf: all } }]
    })
    return [
      status,
      present({
        description: describe(descriptions, "Error"),
        content: content.length === 0 ? undefined : Object.fromEntries(content)
      })
    ] as const
  })
  const [status, response] = success(index, components, endpoint.operation.success)
  return Object.fromEntries([[status, response], ...sortedBy(failing, ([status]) => status)])
}

const operationDoc = (
  index: GraphIndex,
  components: Components,
  security: Security,
  tag: string,
  id: string,
  endpoint: EndpointView,
  path: string
): JsonObject => {
  const { docs, access } = endpoint.operation
  return present({
    operationId: id,
    summary: docs.summary,
    description: docs.description ?? docs.summary ?? id,
    tags: [tag],
    parameters: parameters(components, endpoint, path),
    requestBody: requestBody(components, endpoint),
    responses: responses(index, components, endpoint),
    security: security.demanded(access?.middleware ?? [])
  })
}

const document = ({ index, api }: GenerateInput): JsonObject | undefined => {
  const groups = groupsOf(index)
  if (groups.length === 0) return undefined
  const components = makeComponents(index)
  const paths = new Map<string, Map<string, JsonObject>>()
  const security = makeSecurity(
    groups.flatMap(({ endpoints }) => endpoints.flatMap(({ operation }) => operation.access?.middleware ?? []))
  )
  let hasProblems = false
  for (const group of groups) {
    for (const endpoint of group.endpoints) {
      const path = templatedPath(endpoint.path)
      const id = group.topLevel ? endpoint.name : `${group.name}.${endpoint.name}`
      const methods = paths.get(path) ?? new Map<string, JsonObject>()
      paths.set(
        path,
        methods.set(
          endpoint.method.toLowerCase(),
          operationDoc(index, components, security, group.name, id, endpoint, path)
        )
      )
      hasProblems ||= endpoint.operation.problems !== undefined
    }
  }
  const schemas = { ...components.schemas(), ...(hasProblems ? { Problem: problemSchema } : {}) }
  return present({
    openapi: "3.1.0",
    info: present({ title: api.title, version: api.version, description: api.description }),
    servers: api.servers?.map(({ url, description }) => present({ url, description })),
    tags: groups.map(({ name }) => ({ name })),
    paths: Object.fromEntries(
      sortedBy(paths, ([path]) => path).map(([path, methods]) => [
        path,
        Object.fromEntries(sortedBy(methods, ([method]) => method))
      ])
    ),
    components: present({
      schemas,
      securitySchemes: Object.keys(security.schemes).length === 0 ? undefined : security.schemes
    })
  })
}

export const openapi: Generator = {
  name: "openapi",
  generate: (input) => {
    const content = input.emit === "handlers" ? undefined : document(input)
    return content === undefined ? [] : [{ path: "openapi.json", text: `${JSON.stringify(content, null, 2)}\n` }]
  }
}
