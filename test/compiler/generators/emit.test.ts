import { describe, expect, it } from "@effect/vitest"
import { indexOf } from "@effx/ir"
import { Schema } from "effect"
import { anyIR, shuffled } from "../../ir/arbitraries.ts"
import { generateInput, object, operationParts, run, schemaParts, schemaRef, text } from "./builders.ts"
import { GENERATORS, shopInput, usersInput } from "./inputs.ts"

const paths = (input: Parameters<typeof run>[1]) => run(GENERATORS, input).map(({ path }) => path)
const fileOf = (input: Parameters<typeof run>[1], path: string): string =>
  run(GENERATORS, input).find((file) => file.path === path)?.text ?? ""

describe("emit", () => {
  it("contract: the API, the group, the client and the document, without handlers", () => {
    const input = shopInput({ emit: "contract" })
    expect(paths(input)).toEqual(["http.ts", "rpc.ts", "client.ts", "openapi.json"])
    for (const { text } of run(GENERATORS, input))
      expect(text).not.toMatch(/operations\.js|Handlers|Layer\b.*provide\(Api/)
  })

  it("handlers: the layers and the command line, without a client", () => {
    const input = shopInput({ emit: "handlers" })
    expect(paths(input)).toEqual(["http.ts", "rpc.ts", "cli.ts"])
    expect(fileOf(input, "http.ts")).toContain("export const ApiLayer")
    expect(fileOf(input, "rpc.ts")).toContain("export const RpcLayer")
  })

  it("nothing for a project without exposures", () => {
    expect(paths(generateInput([]))).toEqual([])
  })
})

describe("imports", () => {
  it("of siblings end as the project wants", () => {
    for (const extension of [".js", ".ts", ""] as const) {
      expect(fileOf(usersInput({ importExtension: extension }), "client.ts")).toContain(`from "./http${extension}"`)
    }
  })

  it("of a generator that is switched off do not appear", () => {
    const text = fileOf(usersInput({ generators: ["http", "client"] }), "client.ts")
    expect(text).toContain("makeHttpClient")
    expect(text).not.toContain("./rpc")
  })

  it("take the specifiers of the module map", () => {
    const modules = { "../../src/user": "#user", "../../src/operations": "@acme/operations" }
    const source = fileOf(usersInput({ modules }), "http.ts")
    expect(source).toContain('from "#user"')
    expect(source).toContain('from "@acme/operations"')
  })

  it("of names that Effect, the file itself or a keyword has are renamed", () => {
    const names = ["Effect", "Api", "default", "class", "input", "CheckGroup"]
    const schemas = names.map((name) => schemaRef("../../src/names", name))
    const input = generateInput([
      ...schemas.map((ref) => schemaParts(ref, { shape: object({ id: text }) })),
      ...schemas.map((ref, index) =>
        operationParts({
          name: `Check.Op${index}`,
          input: ref,
          success: ref,
          handler: { module: "../../src/names", export: "handlers", member: `op${index}` },
          http: ["POST", `/op${index}`]
        })
      )
    ])
    const source = fileOf(input, "http.ts")
    const imported = /import Names, \{([^}]*)\} from "..\/..\/src\/names"/
      .exec(source)?.[1]
      ?.split(",")
      .map((part) => part.trim())
    expect(imported).toEqual([
      "Api as Api2",
      "CheckGroup as CheckGroup2",
      "Effect as Effect2",
      "class as class2",
      "handlers as handlers2",
      "input as input2"
    ])
  })
})

describe("an API of one operation", () => {
  const { ir } = shopInput()
  const operations = ir.nodes.filter((node) => node._tag === "Operation")

  /** The local names that a module imports, and what follows its imports. */
  const partsOf = (module: string): readonly [locals: ReadonlyArray<string>, body: string] => {
    const start = module.indexOf("\nimport ")
    const end = module.indexOf("\n\n", start + 1)
    const clauses = module
      .slice(start, end)
      .replaceAll(/ from ".*"/g, "")
      .replaceAll(/"[^"]*" as|\S+ as|import|[{},]/g, " ")
    return [clauses.split(/\s+/).filter((name) => name !== ""), module.slice(end)]
  }

  for (const operation of operations) {
    it(`imports nothing that it does not use: ${operation.name}`, () => {
      const index = indexOf({
        ...ir,
        nodes: ir.nodes.filter((node) => node._tag !== "Operation" || node === operation)
      })
      const modules = run(GENERATORS, { ...shopInput(), ir: index.ir, index }).filter(({ path }) =>
        path.endsWith(".ts")
      )
      for (const { text } of modules) {
        const [locals, body] = partsOf(text)
        const names = new Set(body.match(/[\p{ID_Continue}$]+/gu))
        expect(locals.length).toBeGreaterThan(0)
        expect(locals.filter((local) => !names.has(local))).toEqual([])
      }
    })
  }
})

describe("laws", () => {
  const { ir } = shopInput()
  const expected = run(GENERATORS, shopInput())

  it.prop(
    "the order of nodes and edges changes no byte",
    { by: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 })) },
    ({ by }) => {
      const index = indexOf(shuffled(ir, by))
      expect(run(GENERATORS, { ...shopInput(), ir: index.ir, index })).toEqual(expected)
    }
  )

  it.prop("every IR gives files, the same ones each time", { ir: anyIR }, ({ ir }) => {
    const index = indexOf(ir)
    const input = { ...shopInput(), ir: index.ir, index }
    expect(run(GENERATORS, input)).toEqual(run(GENERATORS, input))
  })
})
