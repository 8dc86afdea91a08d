/**
 * Generates `rpc.ts`: a procedure per RPC exposure, their group and, unless only the contract is wanted, its layers.
 *
 * One `RpcGroup` of many members is more than the type checker takes, so procedures are grouped by twenties that are merged;
 * handlers are registered by the same twenties.
 */
import { type SymbolRef, sortedBy } from "@effx/ir"
import type { GenerateInput, Generator } from "../extension.ts"
import { call, type Doc, group, hard, hug, indent, join, object, soft } from "./doc.ts"
import { pascalCase, propertyKey } from "./names.ts"
import { type OperationView, operationsOf } from "./operation-view.ts"
import { type SourceModule, sourceModule } from "./source-module.ts"

/** The base name of the file, for other generators. */
export const RPC_FILE = "rpc"
/** The export that is the whole group. */
export const RPCS = "Rpcs"
/** The path that the generated layer serves and the generated client calls. */
export const RPC_PATH = "/rpc"

/** How many procedures one group has at most. */
const GROUP_SIZE = 20

interface Procedure {
  readonly name: string
  readonly operation: OperationView
  readonly middleware: ReadonlyArray<SymbolRef>
  /** The constant that is the procedure. */
  readonly constant: string
}

interface Chunk {
  readonly group: string
  readonly handlers: string
  readonly procedures: ReadonlyArray<Procedure>
}

const text = (value: string): string => JSON.stringify(value)

const comment = ({ docs }: OperationView): Doc =>
  docs.summary === undefined ? "" : [`/** ${docs.summary.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ")} */`, hard]

const procedureDoc = (module: SourceModule, { name, operation, middleware, constant }: Procedure): Doc => {
  const errors = operation.errors.map(({ ref }) => module.schema(ref))
  const error: Doc | undefined =
    errors.length > 1
      ? call(`${module.effect("Schema")}.Union`, ["[", group(indent(soft, join(", ", errors))), "]"])
      : errors[0]
  return [
    comment(operation),
    `export const ${constant} = `,
    hug(
      `${module.effect("Rpc")}.make`,
      text(name),
      object([
        ["payload", operation.input && module.schema(operation.input.ref)],
        ["success", module.schema(operation.success.ref)],
        ["error", error]
      ])
    ),
    ...middleware.map((ref) => `.middleware(${module.symbol(ref)})`)
  ]
}

const chunkDoc = (module: SourceModule, chunk: Chunk): Doc => [
  `export const ${chunk.group} = `,
  call(`${module.effect("RpcGroup")}.make`, ...chunk.procedures.map(({ constant }) => constant))
]

const handlersDoc = (module: SourceModule, chunk: Chunk): Doc => [
  `export const ${chunk.handlers} = `,
  hug(`${chunk.group}.toLayer`, [
    "{",
    indent(
      hard,
      join(
        [",", hard],
        chunk.procedures.map(({ name, operation }) => {
          const input = operation.takesInput ? "input" : ""
          return `${propertyKey(name)}: (${input}) => ${module.symbol(operation.handler)}(${input})`
        })
      )
    ),
    hard,
    "}"
  ])
]

const proceduresOf = (input: GenerateInput, module: SourceModule): ReadonlyArray<Procedure> => {
  const exposed = operationsOf(input.index).flatMap((operation) =>
    operation.rpc.map(({ transport, middleware }) => ({ name: transport.name, operation, middleware }))
  )
  return sortedBy(exposed, ({ name }) => name).map((procedure) => ({
    ...procedure,
    constant: module.declare(`${pascalCase(procedure.name)}Rpc`)
  }))
}

const chunksOf = (module: SourceModule, procedures: ReadonlyArray<Procedure>): ReadonlyArray<Chunk> => {
  const count = Math.ceil(procedures.length / GROUP_SIZE)
  return Array.from({ length: count }, (_, index) => ({
    group: count === 1 ? RPCS : module.declare(`${RPCS}${index + 1}`),
    handlers: count === 1 ? "RpcHandlers" : module.declare(`RpcHandlers${index + 1}`),
    procedures: procedures.slice(index * GROUP_SIZE, (index + 1) * GROUP_SIZE)
  }))
}

const layerDoc = (module: SourceModule): Doc => {
  const layer = module.effect("Layer")
  return [
    `/** The procedures as NDJSON over HTTP at ${RPC_PATH}. Their guards, and the services of their handlers, are to be provided. */`,
    hard,
    `export const RpcLayer = ${module.effect("RpcServer")}.layerHttp({ group: ${RPCS}, path: ${text(RPC_PATH)}, protocol: "http" }).pipe(`,
    indent(
      hard,
      join(
        [",", hard],
        [`${layer}.provide(RpcHandlers)`, `${layer}.provide(${module.effect("RpcSerialization")}.layerNdjson)`]
      )
    ),
    hard,
    ")"
  ]
}

const generate = (input: GenerateInput): string | undefined => {
  const module = sourceModule(input)
  for (const name of [RPCS, "RpcHandlers", "RpcLayer"]) module.declare(name)
  const procedures = proceduresOf(input, module)
  if (procedures.length === 0) return undefined
  const chunks = chunksOf(module, procedures)
  const [first, ...rest] = chunks.map((chunk) => chunk.group)
  const statements: Array<Doc> = procedures.map((procedure) => procedureDoc(module, procedure))
  for (const chunk of chunks) statements.push(chunkDoc(module, chunk))
  if (rest.length > 0) statements.push([`export const ${RPCS} = `, call(`${first}.merge`, ...rest)])
  if (input.emit === "contract") return module.text(statements)

  for (const chunk of chunks) statements.push(handlersDoc(module, chunk))
  if (rest.length > 0) {
    statements.push([
      "export const RpcHandlers = ",
      call(`${module.effect("Layer")}.mergeAll`, ...chunks.map((chunk) => chunk.handlers))
    ])
  }
  statements.push(layerDoc(module))
  return module.text(statements)
}

export const rpc: Generator = {
  name: "rpc",
  generate: (input) => {
    const source = generate(input)
    return source === undefined ? [] : [{ path: `${RPC_FILE}.ts`, text: source }]
  }
}
