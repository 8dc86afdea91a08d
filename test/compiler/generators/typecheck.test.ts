import { spawnSync } from "node:child_process"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { TARGETS } from "@effx/compiler"
import { generateInput, int, object, operationParts, run, schemaParts, schemaRef, text } from "./builders.ts"
import { filesOf, GENERATORS } from "./inputs.ts"
import { COMPILERS, makeProject, type Project, typecheck } from "./project.ts"
import { SHOP, servedProject, USERS } from "./served.ts"

const projects: Array<Project> = []
const track = (project: Project): Project => {
  projects.push(project)
  return project
}
afterAll(() => {
  for (const project of projects) project.remove()
})

describe("generated code and an application over it", () => {
  for (const target of TARGETS) {
    for (const served of [USERS, SHOP]) {
      describe(`${served.name} on Effect ${target}`, () => {
        let project: Project
        beforeAll(() => {
          project = track(servedProject(served, target, filesOf[served.name](target)))
        })
        for (const compiler of Object.keys(COMPILERS) as ReadonlyArray<keyof typeof COMPILERS>) {
          it(`typechecks with ${compiler}`, { timeout: 180_000 }, () => {
            expect(typecheck(project, compiler)).toBe("")
          })
        }
      })
    }
  }

  it("does not typecheck where a guard is not provided", { timeout: 180_000 }, () => {
    const project = track(servedProject(SHOP, "4.1", filesOf.shop("4.1")))
    project.write(
      "checks/routes.ts",
      [
        'import { ApiLayer } from "../.effx/generated/http.js"',
        'import { Shelf } from "../src/operations.js"',
        "export const routes = ApiLayer",
        "export const services = Shelf.layer",
        ""
      ].join("\n")
    )
    expect(typecheck(project, "TypeScript 7")).toMatch(/checks\/program\.ts.*\bGuard\b/s)
  })
})

describe("the work of the type checker", () => {
  /** A project of `count` operations, two in each group. */
  const large = (count: number): Project => {
    const sources: Record<string, string> = {}
    const parts = Array.from({ length: count / 2 }, (_, number) => {
      const module = `../../src/group${number}`
      const [key, item] = [schemaRef(module, "Key"), schemaRef(module, "Item")]
      sources[`src/group${number}.ts`] = `import { Effect, Schema } from "effect"
export const Key = Schema.Struct({ id: Schema.String, size: Schema.Int })
export class Item extends Schema.Class<Item>("Item${number}")({ id: Schema.String, size: Schema.Int }) {}
export class Group {
  static one(input: typeof Key.Type) {
    return Effect.succeed(new Item(input))
  }
  static two(input: typeof Key.Type) {
    return Effect.succeed(new Item(input))
  }
}
`
      const operation = (name: string, method: "GET" | "PUT") =>
        operationParts({
          name: `Group${number}.${name}`,
          input: key,
          success: item,
          handler: { module, export: "Group", member: name },
          http: [method, `/items${number}/:id`],
          rpc: `Group${number}.${name}`,
          cli: `group${number} ${name}`
        })
      return [
        schemaParts(key, { shape: object({ id: text, size: int }) }),
        schemaParts(item, { shape: object({ id: text, size: int }), identifier: `Item${number}` }),
        operation("one", "GET"),
        operation("two", "PUT")
      ]
    }).flat()
    const modules = Object.fromEntries(
      Object.keys(sources).map((path) => [`../../${path.replace(".ts", "")}`, `../../${path.replace(".ts", ".js")}`])
    )
    return track(makeProject({ target: "4.1", files: run(GENERATORS, generateInput(parts, { modules })), sources }))
  }

  const instantiations = (project: Project): number => {
    const tsc = resolve(import.meta.dirname, "../../../node_modules", COMPILERS["TypeScript 7"])
    const { stdout } = spawnSync("node", [tsc, "-p", join(project.root), "--extendedDiagnostics", "--singleThreaded"], {
      encoding: "utf8"
    })
    expect(stdout).not.toContain("error TS")
    return Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1])
  }

  it("grows linearly with the number of operations", { timeout: 300_000 }, () => {
    const [few, some, many] = [large(40), large(120), large(200)].map(instantiations)
    const [first, second] = [(some ?? 0) - (few ?? 0), (many ?? 0) - (some ?? 0)]
    expect(first).toBeGreaterThan(0)
    expect(second / first).toBeLessThan(1.1)
  })
})
