import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Guard, SecurityScheme } from "@effx/compiler"
import { Ruleset, Spectral } from "@stoplight/spectral-core"
import { oas } from "@stoplight/spectral-rulesets"
import { generateInput, list, object, operationParts, refTo, run, schemaParts, schemaRef, text } from "./builders.ts"
import { filesOf, GENERATORS } from "./inputs.ts"
import type { Project } from "./project.ts"
import { runProgram, SHOP, servedProject } from "./served.ts"

const documentOf = (name: keyof typeof filesOf) =>
  JSON.parse(filesOf[name]("4.1").find(({ path }) => path === "openapi.json")?.text ?? "")

type Document = ReturnType<typeof documentOf>

/** Findings of severity error. */
const lint = async (document: Document): Promise<ReadonlyArray<string>> => {
  const spectral = new Spectral()
  spectral.setRuleset(new Ruleset({ extends: [[oas, "all"]] } as never))
  const findings = await spectral.run(document)
  return findings
    .filter(({ severity }) => severity === 0)
    .map(({ code, path, message }) => `${code} ${path.join(".")} ${message}`)
}

describe("openapi.json", () => {
  for (const name of ["users", "shop"] as const) {
    it(`of ${name} has no error under spectral:oas`, { timeout: 120_000 }, async () => {
      expect(await lint(documentOf(name))).toEqual([])
    })
  }

  it("documents guards whose schemes are unknown or contradict each other", async () => {
    const word = schemaRef("../../src/main", "Word")
    const guard = (name: string, scheme?: SecurityScheme) => ({
      module: "../../src/guards",
      export: name,
      ...(scheme && { schemes: [{ key: "key", scheme }], errors: [] })
    })
    const operation = (name: string, middleware: ReadonlyArray<Guard>) =>
      operationParts({
        name,
        success: word,
        handler: { module: "../../src/main", export: name },
        http: ["GET", `/${name}`],
        middleware
      })
    const input = generateInput([
      schemaParts(word, { shape: text }),
      operation("unread", [guard("Wächter")]),
      operation("one", [guard("A", { type: "apiKey", name: "X-Key", in: "header" })]),
      operation("same", [guard("B", { type: "apiKey", name: "x-key", in: "header" })]),
      operation("other", [guard("C", { type: "http", scheme: "Bearer" }), guard("Wächter")])
    ])
    const document = JSON.parse(run(GENERATORS, input).find(({ path }) => path === "openapi.json")?.text ?? "")
    expect(document.components.securitySchemes).toEqual({
      "A.key": { type: "apiKey", name: "X-Key", in: "header" },
      "B.key": { type: "apiKey", name: "x-key", in: "header" },
      "C.key": { type: "http", scheme: "Bearer" },
      W_chter: {
        type: "http",
        scheme: "bearer",
        description: "Decided by the middleware Wächter of src/guards; the scheme is not read from source"
      }
    })
    expect(document.paths["/other"].get.security).toEqual([{ "C.key": [], W_chter: [] }])
    expect(Object.keys(document.paths["/unread"].get.responses)).toEqual(["200", "4XX"])
    expect(Object.keys(document.paths["/one"].get.responses)).toEqual(["200"])
    expect(await lint(document)).toEqual([])
  })

  it("refers to a schema that recurses, also without an identifier", async () => {
    const tree = schemaRef("../../src/tree", "Tree")
    const input = generateInput([
      schemaParts(tree, { shape: object({ name: text, children: list(refTo(tree)) }) }),
      operationParts({
        name: "Tree.Echo",
        input: tree,
        success: tree,
        handler: { module: "../../src/tree", export: "echo" },
        http: ["POST", "/trees"]
      })
    ])
    const document = JSON.parse(run(GENERATORS, input).find(({ path }) => path === "openapi.json")?.text ?? "")
    expect(document.components.schemas.Tree.properties.children.items).toEqual({ $ref: "#/components/schemas/Tree" })
    expect(await lint(document)).toEqual([])
  })

  describe("agrees with what Effect documents of the generated API", () => {
    let project: Project
    let effects: Document
    beforeAll(async () => {
      project = servedProject(SHOP, "4.1", filesOf.shop("4.1"))
      effects = JSON.parse((await runProgram(project, "checks/program.ts")).stdout).spec
    }, 120_000)
    afterAll(() => project.remove())

    interface Operation {
      readonly operationId: string
      readonly tags: ReadonlyArray<string>
      readonly summary?: string
      readonly parameters: ReadonlyArray<{ readonly in: string; readonly name: string; readonly required: boolean }>
      readonly requestBody?: { readonly content: object }
      readonly responses: Record<string, { readonly content?: object }>
      readonly security: ReadonlyArray<object>
    }

    /** What a caller must know of an operation, without the words. */
    const structure = (document: Document) =>
      Object.fromEntries(
        Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
          Object.entries(methods).map(([method, operation]) => [
            `${method} ${path}`,
            {
              id: operation.operationId,
              tags: operation.tags,
              summary: operation.summary,
              parameters: operation.parameters
                .map((parameter) => `${parameter.in} ${parameter.name} ${parameter.required}`)
                .sort(),
              body: Object.keys(operation.requestBody?.content ?? {}),
              responses: Object.fromEntries(
                Object.entries(operation.responses).map(([status, response]) => [
                  status,
                  Object.keys(response.content ?? {}).sort()
                ])
              ),
              security: operation.security
            }
          ])
        )
      )

    it("in paths, parameters, bodies, statuses, media types and what is demanded of a caller", () => {
      expect(structure(documentOf("shop"))).toEqual(structure(effects))
    })

    it("in title, version, description, servers and tags", () => {
      const own = documentOf("shop")
      expect(own.info).toEqual(effects.info)
      expect(own.servers).toEqual(effects.servers)
      expect(own.tags).toEqual(effects.tags)
    })

    it("in the security schemes", () => {
      expect(documentOf("shop").components.securitySchemes).toEqual(effects.components.securitySchemes)
      expect(Object.keys(effects.components.securitySchemes)).toEqual(["bearer"])
    })
  })
})
