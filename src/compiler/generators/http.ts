/**
 * Generates `http.ts`: the API, its groups and, unless only the contract is wanted, the layers of its handlers.
 *
 * Each group's handlers are registered against an API of that one group with the same identifier, so that the time to
 * typecheck grows linearly with the number of endpoints. The parts of a request are derived from the author's input
 * schema in the generated code itself, so optional fields, checks and transformations stay the author's.
 */
import type { ApiInfo, GenerateInput, Generator } from "../extension.ts"
import { array, call, type Doc, group, hard, hug, indent, join, line, object, soft } from "./doc.ts"
import { type EndpointView, type GroupView, groupsOf, plainErrors, problemCode } from "./endpoint-view.ts"
import { pascalCase, propertyKey } from "./names.ts"
import { isVoid, type OperationView } from "./operation-view.ts"
import { type SourceModule, sourceModule } from "./source-module.ts"

/** The base name of the file, for other generators. */
export const HTTP_FILE = "http"
/** The export that is the whole API. */
export const API = "Api"

const text = (value: string): string => JSON.stringify(value)

interface Names {
  readonly group: string
  readonly handlers: string
  /** Constants with an operation's problem schemas, by operation name. */
  readonly problems: ReadonlyMap<string, string>
}

const declareGroup = (module: SourceModule, view: GroupView): Names => ({
  group: module.declare(`${pascalCase(view.name)}Group`),
  handlers: module.declare(`${pascalCase(view.name)}Handlers`),
  problems: new Map(
    Array.from(new Set(view.endpoints.map(({ operation }) => operation)))
      .filter(({ problems }) => problems !== undefined)
      .map(({ name }) => [name, module.declare(`${pascalCase(name)}Problems`)])
  )
})

const openApi = (module: SourceModule, fields: ReadonlyArray<readonly [string, Doc | undefined]>): Doc =>
  hug(".annotateMerge", hug(`${module.effect("OpenApi")}.annotations`, object(fields)))

/** The parts of the request that carry the input, as options of the endpoint. */
const requestOptions = (
  module: SourceModule,
  { operation, parts }: EndpointView
): ReadonlyArray<readonly [string, Doc]> => {
  if (operation.input === undefined || parts._tag === "None") return []
  const schema = module.schema(operation.input.ref)
  if (parts._tag === "Whole") return [[parts.part, schema]]
  const keys = `[${parts.params.map(text).join(", ")}]`
  const struct = module.effect("Struct")
  const rest = `${struct}.omit(${schema}.fields, ${keys})`
  return [
    ["params", `${struct}.pick(${schema}.fields, ${keys})`],
    [parts.rest, parts.rest === "query" ? rest : `${module.effect("Schema")}.Struct(${rest})`]
  ]
}

const errorsOf = (module: SourceModule, names: Names, { operation, parts }: EndpointView): Doc | undefined => {
  const problems = names.problems.get(operation.name)
  const errors: Array<Doc> = plainErrors(operation).map(({ ref }) => module.schema(ref))
  if (problems !== undefined) errors.push(`...${problems}`)
  if (parts._tag !== "None") errors.push(`${module.effect("HttpApiError")}.BadRequestNoContent`)
  return errors.length === 0 ? undefined : array(errors)
}

const endpointDoc = (input: GenerateInput, module: SourceModule, names: Names, endpoint: EndpointView): Doc => {
  const { operation, name, method, path } = endpoint
  const success =
    isVoid(input.index, operation.success) && operation.success.facts.status === undefined
      ? `${module.effect("HttpApiSchema")}.NoContent`
      : module.schema(operation.success.ref)
  const { summary, description } = operation.docs
  const documented = summary !== undefined || description !== undefined
  return [
    hug(
      `${module.effect("HttpApiEndpoint")}.${method.toLowerCase()}`,
      text(name),
      text(path),
      object([...requestOptions(module, endpoint), ["success", success], ["error", errorsOf(module, names, endpoint)]])
    ),
    ...(operation.access?.middleware ?? []).map((ref) => `.middleware(${module.symbol(ref)})`),
    documented
      ? openApi(module, [
          ["summary", summary && text(summary)],
          ["description", description && text(description)]
        ])
      : ""
  ]
}

const problemsDoc = (module: SourceModule, name: string, { name: operation, problems }: OperationView): Doc =>
  problems === undefined
    ? ""
    : [
        `const ${name} = `,
        hug("Object.values", call(module.symbol(problems.registry), text(operation), array(problems.codes.map(text))))
      ]

const groupDoc = (input: GenerateInput, module: SourceModule, names: Names, view: GroupView): Doc => [
  `export const ${names.group} = ${module.effect("HttpApiGroup")}.make(${text(view.name)}${view.topLevel ? ", { topLevel: true }" : ""}).add(`,
  indent(
    hard,
    join(
      [",", hard],
      view.endpoints.map((endpoint) => endpointDoc(input, module, names, endpoint))
    )
  ),
  hard,
  ")"
]

/** The author's handler applied to `argument`; nothing for an operation without input. */
const callHandler = (module: SourceModule, { handler }: OperationView, argument: string): string =>
  `${module.symbol(handler)}(${argument})`

/** The helper that fills in what a problem says of one occurrence. */
const problemHelper = `/** The members of a problem that depend on the occurrence (RFC 9457): its code, and what the error says. */
const problem = <const Code extends string>(code: Code, error: unknown) => ({
  code,
  detail: error instanceof Error ? error.message : JSON.stringify(error)
})`

/** Turns the errors that the operation maps into problems; other errors stay as they are. */
const problemMapping = (module: SourceModule, names: Names, operation: OperationView): Doc | undefined => {
  const { errors, problems } = operation
  const constant = names.problems.get(operation.name)
  if (problems === undefined || constant === undefined) return undefined
  const mapped = errors.flatMap(({ ref }) => {
    const code = problemCode(problems.map, ref.export)
    return code === undefined ? [] : [{ ref, code }]
  })
  if (mapped.length === 0) return undefined
  const schema = module.effect("Schema")
  const cases = mapped.reduceRight<Doc>(
    (otherwise, { ref, code }) => [
      `${schema}.is(${module.schema(ref)})(error)`,
      indent(hard, `? ${schema}.Union(${constant}).make(problem(${text(code)}, error))`, hard, [": ", otherwise])
    ],
    "error"
  )
  return call(`${module.effect("Effect")}.mapError`, ["(error) =>", indent(hard, cases)])
}

const handlerDoc = (module: SourceModule, names: Names, endpoint: EndpointView): Doc => {
  const { operation, parts } = endpoint
  const mapping = problemMapping(module, names, operation)
  const effect = module.effect("Effect")
  const piped = (first: Doc, steps: ReadonlyArray<Doc>): Doc =>
    steps.length === 0 ? first : [first, ".pipe(", group(indent(soft, join([",", line], steps)), soft), ")"]
  const mappings = mapping === undefined ? [] : [mapping]
  switch (parts._tag) {
    case "None":
      return ["() => ", piped(callHandler(module, operation, ""), mappings)]
    case "Whole":
      return [`({ ${parts.part} }) => `, piped(callHandler(module, operation, parts.part), mappings)]
    case "Split": {
      const schema = operation.input === undefined ? "" : module.schema(operation.input.ref)
      return [
        `({ params, ${parts.rest} }) =>`,
        indent(
          hard,
          piped(`${schema}.makeEffect({ ...params, ...${parts.rest} })`, [
            `${effect}.mapError(() => new ${module.effect("HttpApiError")}.BadRequest({}))`,
            `${effect}.flatMap((input) => ${callHandler(module, operation, "input")})`,
            ...mappings
          ])
        )
      ]
    }
  }
}

const handlersDoc = (input: GenerateInput, module: SourceModule, names: Names, view: GroupView): Doc => [
  `export const ${names.handlers} = `,
  call(
    `${module.effect("HttpApiBuilder")}.group`,
    `${module.effect("HttpApi")}.make(${text(input.api.title)}).add(${names.group})`,
    text(view.name),
    [
      "(handlers) =>",
      indent(
        hard,
        hug("handlers.handleAll", [
          "{",
          indent(
            hard,
            join(
              [",", hard],
              view.endpoints.map(
                (endpoint): Doc => [`${propertyKey(endpoint.name)}: `, handlerDoc(module, names, endpoint)]
              )
            )
          ),
          hard,
          "}"
        ])
      )
    ]
  )
]

const apiInfo = ({
  title,
  version,
  description,
  servers
}: ApiInfo): ReadonlyArray<readonly [string, Doc | undefined]> => [
  ["title", text(title)],
  ["version", text(version)],
  ["description", description === undefined ? undefined : text(description)],
  [
    "servers",
    servers &&
      array(
        servers.map((server) =>
          object([
            ["url", text(server.url)],
            ["description", server.description === undefined ? undefined : text(server.description)]
          ])
        )
      )
  ]
]

const apiDoc = (input: GenerateInput, module: SourceModule, groups: ReadonlyArray<string>): Doc => [
  `export const ${API} = ${module.effect("HttpApi")}.make(${text(input.api.title)})`,
  indent(hard, call(".add", ...groups), hard, openApi(module, apiInfo(input.api)))
]

/** The layers that implement the API; `ApiLayer` adds its routes to the router of the application. */
const layersDoc = (module: SourceModule, handlers: string, layer: string, groups: ReadonlyArray<string>): Doc => {
  const [builder, layers] = [module.effect("HttpApiBuilder"), module.effect("Layer")]
  return [
    `export const ${handlers} = `,
    call(`${layers}.mergeAll`, ...groups),
    hard,
    hard,
    `/** The routes of the API. Its guards, and the services of its handlers, are to be provided. */`,
    hard,
    `export const ${layer} = ${builder}.layer(${API}).pipe(${layers}.provide(${handlers}))`
  ]
}

const generate = (input: GenerateInput): string | undefined => {
  const groups = groupsOf(input.index)
  if (groups.length === 0) return undefined
  const module = sourceModule(input)
  module.declare(API)
  const [handlers, layer] = [module.declare("ApiHandlers"), module.declare("ApiLayer")]
  module.declare("problem")
  const named = groups.map((view) => ({ view, names: declareGroup(module, view) }))

  const statements = named.flatMap(
    ({ view, names }): ReadonlyArray<Doc> => [
      ...Array.from(new Set(view.endpoints.map(({ operation }) => operation))).flatMap((operation) => {
        const name = names.problems.get(operation.name)
        return name === undefined ? [] : [problemsDoc(module, name, operation)]
      }),
      groupDoc(input, module, names, view)
    ]
  )
  statements.push(
    apiDoc(
      input,
      module,
      named.map(({ names }) => names.group)
    )
  )
  if (input.emit === "contract") return module.text(statements)

  if (
    named.some(({ view, names }) => view.endpoints.some(({ operation }) => problemMapping(module, names, operation)))
  ) {
    statements.push(problemHelper)
  }
  for (const { view, names } of named) statements.push(handlersDoc(input, module, names, view))
  statements.push(
    layersDoc(
      module,
      handlers,
      layer,
      named.map(({ names }) => names.handlers)
    )
  )
  return module.text(statements)
}

export const http: Generator = {
  name: "http",
  generate: (input) => {
    const source = generate(input)
    return source === undefined ? [] : [{ path: `${HTTP_FILE}.ts`, text: source }]
  }
}
