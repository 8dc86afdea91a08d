/**
 * Generates `client.ts`: factories of the typed HTTP client and of the typed RPC client, for whichever of them the contract
 * has. They are made from the generated API and group, so they cannot differ from what the server answers.
 */
import type { GenerateInput, Generator } from "../extension.ts"
import { call, type Doc, hard, indent, join, object } from "./doc.ts"
import { groupsOf } from "./endpoint-view.ts"
import { groupExports, HTTP_FILE } from "./http.ts"
import { operationsOf } from "./operation-view.ts"
import { RPC_FILE, RPC_PATH, RPCS } from "./rpc.ts"
import { type SourceModule, sourceModule } from "./source-module.ts"

const block = (...lines: ReadonlyArray<Doc>): Doc => join(hard, lines)
const body = (...lines: ReadonlyArray<Doc>): Doc => indent(hard, block(...lines))

const httpDoc = (input: GenerateInput, module: SourceModule): Doc => {
  const [api, client, make] = [module.effect("HttpApi"), module.effect("HttpClient"), module.effect("HttpApiClient")]
  const groups = groupExports(input).map((name) => module.sibling(HTTP_FILE, name))
  const parts = groups.map((name, position) => ({ name, local: `part${position + 1}` }))
  return block(
    "/**",
    " * Makes a client of the HTTP API. A request that a guard refuses, and an error that an operation declares, fail with the",
    " * declared error; `transformClient` adds headers, retries and the like to every request.",
    " */",
    [
      "export const makeHttpClient = (options?: {",
      body(
        "readonly baseUrl?: string | undefined",
        `readonly transformClient?: ((client: ${client}.HttpClient) => ${client}.HttpClient) | undefined`
      ),
      hard,
      "}) =>",
      body([
        `${module.effect("Effect")}.gen(function* () {`,
        body(
          ...parts.map(
            ({ name, local }): Doc => [
              `const ${local} = yield* `,
              call(`${make}.make`, `${api}.make(${JSON.stringify(input.api.title)}).add(${name})`, "options")
            ]
          ),
          ["return ", object(parts.map(({ local }) => [`...${local}`, `...${local}`] as const))]
        ),
        hard,
        "})"
      ])
    ]
  )
}

const rpcDoc = (module: SourceModule): Doc => {
  const [rpc, layer, effect] = [module.effect("RpcClient"), module.effect("Layer"), module.effect("Effect")]
  const group = module.sibling(RPC_FILE, RPCS)
  return [
    block(`/** How the RPC client talks: NDJSON over HTTP to ${RPC_PATH} below \`baseUrl\`. */`, [
      "export const rpcProtocol = (options: { readonly baseUrl: string }) =>",
      body(
        `${rpc}.layerProtocolHttp({ url: \`\${options.baseUrl.replace(/\\/$/, "")}${RPC_PATH}\` }).pipe(`,
        `  ${layer}.provide(${module.effect("RpcSerialization")}.layerNdjson)`,
        ")"
      )
    ]),
    hard,
    hard,
    block("/** Makes a client of the procedures; it lives as long as the scope in which it is made. */", [
      "export const makeRpcClient = (options: { readonly baseUrl: string }) =>",
      body(
        `${effect}.flatMap(${layer}.build(rpcProtocol(options)), (context) =>`,
        `  ${effect}.provideContext(${rpc}.make(${group}), context)`,
        ")"
      )
    ])
  ]
}

const generate = (input: GenerateInput): string | undefined => {
  const runs = (name: string): boolean => input.generators?.includes(name) ?? true
  const module = sourceModule(input)
  for (const name of ["makeHttpClient", "makeRpcClient", "rpcProtocol"]) module.declare(name)
  const statements: Array<Doc> = []
  if (runs("http") && groupsOf(input.index).length > 0) statements.push(httpDoc(input, module))
  if (runs("rpc") && operationsOf(input.index).some(({ rpc }) => rpc.length > 0)) statements.push(rpcDoc(module))
  return statements.length === 0 ? undefined : module.text(statements)
}

export const client: Generator = {
  name: "client",
  generate: (input) => {
    const source = input.emit === "handlers" ? undefined : generate(input)
    return source === undefined ? [] : [{ path: "client.ts", text: source }]
  }
}
