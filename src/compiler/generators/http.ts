/**
 * Generates `http.ts`: the API, its groups and, unless only the contract is wanted, the layers of its handlers.
 *
 * Each group's handlers are registered against an API of that one group with the same identifier, so that the time to
 * typecheck grows linearly with the number of endpoints. The parts of a request are derived from the author's input
 * schema in the generated code itself, so optional fields, checks and transformations stay the author's.
 */
import type { ApiInfo, GenerateInput, Generator } from "../extension.ts"
import { array, call, type Doc, hard, hug, indent, join, object } from "./doc.ts"
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

/** The author's handler applied to `argument`, or to nothing where it takes no input. */
const callHandler = (module: SourceModule, { handler, takesInput }: OperationView, argument: string): string =>
  `${module.symbol(handler)}(${takesInput ? argument : ""})`

/** The helper that fills in what a problem says of one occurrence. */
const problemHelper = `/** The members of a problem that depend on the occurrence (RFC 9457): its code, and what the error says. */
const problem = <const Code extends string>(code: Code, error: unknown) =>
  error instanceof Error && error.message !== "" ? { code, detail: error.message } : { code }`

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
  return [`${module.effect("Effect")}.mapError((error) =>`, indent(hard, cases), hard, ")"]
}

/**
 * The implementation of an endpoint. Where more than a call is needed, the author's handler is run by `yield*`, which takes
 * a union of effects as it takes one effect.
 */
const handlerDoc = (module: SourceModule, names: Names, endpoint: EndpointView): Doc => {
  const { operation, parts } = endpoint
  const mapping = problemMapping(module, names, operation)
  const parameters = {
    None: "()",
    Whole: "part" in parts && operation.takesInput ? `({ ${parts.part} })` : "()",
    Split: `({ params, ${"rest" in parts ? parts.rest : ""} })`
  }
  const argument = parts._tag === "None" ? "" : parts._tag === "Whole" ? parts.part : "input"
  const called = callHandler(module, operation, argument)
  if (parts._tag !== "Split" && mapping === undefined) return `${parameters[parts._tag]} => ${called}`

  const effect = module.effect("Effect")
  const statements: Array<Doc> = []
  if (parts._tag === "Split" && operation.input !== undefined) {
    const whole = `${module.schema(operation.input.ref)}.makeEffect({ ...params, ...${parts.rest} })`
    const refusal = `() => new ${module.effect("HttpApiError")}.BadRequest({})`
    statements.push([
      operation.takesInput ? "const input = yield* " : "yield* ",
      call(`${effect}.mapError`, whole, refusal)
    ])
  }
  statements.push(`return yield* ${called}`)
  return [
    `${parameters[parts._tag]} =>`,
    indent(
      hard,
      hug(`${effect}.gen`, ["function* () {", indent(hard, join(hard, statements)), hard, "}"]),
      mapping === undefined ? "" : hug(".pipe", mapping)
    )
  ]
}

const handlersDoc = (input: GenerateInput, module: SourceModule, names: Names, view: GroupView): Doc => [
  `export const ${names.handlers} = ${module.effect("HttpApiBuilder")}.group(`,
  `${module.effect("HttpApi")}.make(${text(input.api.title)}).add(${names.group}), ${text(view.name)}, (handlers) =>`,
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
  ),
  hard,
  ")"
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

/** What the module declares: fixed names, and those of each group. */
interface Declared {
  readonly handlers: string
  readonly layer: string
  readonly groups: ReadonlyArray<{ readonly view: GroupView; readonly names: Names }>
}

const declare = (module: SourceModule, groups: ReadonlyArray<GroupView>): Declared => {
  module.declare(API)
  module.declare("problem")
  const [handlers, layer] = [module.declare("ApiHandlers"), module.declare("ApiLayer")]
  return { handlers, layer, groups: groups.map((view) => ({ view, names: declareGroup(module, view) })) }
}

/** The exports of the generated groups, in the order of the groups. */
export const groupExports = (input: GenerateInput): ReadonlyArray<string> =>
  declare(sourceModule(input), groupsOf(input.index)).groups.map(({ names }) => names.group)

const generate = (input: GenerateInput): string | undefined => {
  const views = groupsOf(input.index)
  if (views.length === 0) return undefined
  const module = sourceModule(input)
  const { handlers, layer, groups } = declare(module, views)

  const statements = groups.flatMap(
    ({ view, names }): ReadonlyArray<Doc> => [
      ...Array.from(new Set(view.endpoints.map(({ operation }) => operation))).flatMap((operation) => {
        const name = names.problems.get(operation.name)
        return name === undefined ? [] : [problemsDoc(module, name, operation)]
      }),
      groupDoc(input, module, names, view)
    ]
  )
  const named = groups.map(({ names }) => names)
  statements.push(
    apiDoc(
      input,
      module,
      named.map(({ group }) => group)
    )
  )
  if (input.emit === "contract") return module.text(statements)

  const maps = groups.some(({ view, names }) =>
    view.endpoints.some(({ operation }) => problemMapping(module, names, operation))
  )
  if (maps) statements.push(problemHelper)
  for (const { view, names } of groups) statements.push(handlersDoc(input, module, names, view))
  statements.push(
    layersDoc(
      module,
      handlers,
      layer,
      named.map((names) => names.handlers)
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
