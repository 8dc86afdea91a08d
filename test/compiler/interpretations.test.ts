/** An interpretation is given again exactly as long as everything that was read for it is the same. */
import { describe, expect, it } from "@effect/vitest"
import { type Collected, type Declaration, defineExtension, type SchemaInfo } from "@effx/compiler"
import { stableId } from "@effx/ir"
import { supervise } from "../../src/compiler/pipeline/extension-contract.ts"
import { makeInterpretations } from "../../src/compiler/pipeline/interpretations.ts"

const site = { location: { file: "a.ts", line: 1, col: 1 }, span: { start: 0, end: 1 } }
const annotated = (name: string): Declaration => ({
  kind: "builder",
  export: "a",
  id: "a",
  file: "a.ts",
  site,
  annotations: [{ name, args: name === "Annotate" ? ["mark"] : [], site, sites: {} }]
})
const declaration = annotated("mark")
const schema = (name: string): SchemaInfo => ({
  ref: { module: "./a", export: name, symbolId: stableId("schema", `a/${name}`) },
  shape: { _tag: "String" }
})

type Read = (collected: Pick<Collected, "schemas" | "services">) => unknown

/** Interpretations by an extension that counts how often it is asked. */
const counting = (read: Read, isOwn = true) => {
  let count = 0
  const extension = defineExtension({
    name: "counting",
    diagnostics: [],
    interpreters: [
      {
        annotation: "mark",
        interpret: ({ collected }) => {
          count++
          read(collected)
          return {}
        }
      }
    ],
    analyses: [],
    generators: []
  })
  return { interpret: makeInterpretations([supervise(extension, isOwn)]), count: () => count }
}

describe("an interpretation is given again", () => {
  const [one, other] = [schema("One"), schema("Other")]
  const cases: ReadonlyArray<readonly [string, Read, Collected["schemas"], Collected["schemas"], number]> = [
    ["while nothing was read, whatever changes", () => undefined, { one }, { one: other }, 1],
    ["while what was read is the same", ({ schemas }) => schemas.one, { one }, { one, other }, 1],
    ["until what was read is another", ({ schemas }) => schemas.one, { one }, { one: other }, 2],
    ["until what was missing is there", ({ schemas }) => schemas.other, { one }, { one, other }, 2],
    ["until what was asked for is gone", ({ schemas }) => "one" in schemas, { one }, {}, 2],
    ["while tables that were read as a whole say the same", ({ schemas }) => Object.keys(schemas), { one }, { one }, 1],
    ["until tables that were read as a whole differ", ({ schemas }) => Object.keys(schemas), { one }, { one, other }, 2]
  ]
  it.each(cases)("%s", (_name, read, before, after, asked) => {
    const { count, interpret } = counting(read)
    const given = [before, before, after].map((schemas) =>
      interpret({ declarations: [declaration], schemas, services: {} })
    )
    expect(count()).toBe(asked)
    expect(given.map((all) => all.isDisjointFrom(given[0] ?? new Set()))).toEqual([false, false, asked > 1])
  })

  it("for one declaration, however often it occurs, and not once it was gone", () => {
    const { count, interpret } = counting(() => undefined)
    const of = (...declarations: ReadonlyArray<Declaration>) => interpret({ declarations, schemas: {}, services: {} })
    const another = annotated("mark")
    expect(of(declaration, declaration).size).toBe(1)
    expect(of(declaration, another).size).toBe(2)
    expect(of(another).size).toBe(1)
    expect(count()).toBe(2)
    of(declaration)
    expect(count()).toBe(3)
  })

  it("by effx's own interpreters only", () => {
    const { count, interpret } = counting(() => undefined, false)
    const custom = annotated("Annotate")
    for (let turn = 0; turn < 3; turn++) interpret({ declarations: [custom], schemas: {}, services: {} })
    expect(count()).toBe(3)
  })
})
