/** What a built-in interpreter contributed is given again exactly as long as everything that it read is the same. */
import { describe, expect, it } from "@effect/vitest"
import type { Annotation, Collected, Declaration, Interpreter, SchemaInfo } from "@effx/compiler"
import { stableId } from "@effx/ir"
import { interpretOnce } from "../../src/compiler/pipeline/interpret-once.ts"

const site = { location: { file: "a.ts", line: 1, col: 1 }, span: { start: 0, end: 1 } }
const annotationOf = (): Annotation => ({ name: "Query", args: [], site, sites: {} })
const declaration = { kind: "builder", export: "a", id: "a", file: "a.ts", site, annotations: [] } satisfies Declaration
const schema = (name: string): SchemaInfo => ({
  ref: { module: "./a", export: name, symbolId: stableId("schema", `a/${name}`) },
  shape: { _tag: "String" }
})
const subject = stableId("operation", "a")

type Read = (collected: Pick<Collected, "schemas" | "services">) => unknown

const counting = (read: Read) => {
  let count = 0
  const interpreter: Interpreter = {
    annotation: "Query",
    interpret: ({ collected }) => {
      count++
      read(collected)
      return {}
    }
  }
  return { interpreter, count: () => count }
}

describe("an interpretation is remembered", () => {
  const [one, other] = [schema("One"), schema("Other")]
  const cases: ReadonlyArray<readonly [string, Read, Collected["schemas"], Collected["schemas"], number]> = [
    ["while nothing was read, whatever changes", () => undefined, { one }, { one: other }, 1],
    ["while what was read is the same", ({ schemas }) => schemas.one, { one }, { one, other }, 1],
    ["until what was read is another", ({ schemas }) => schemas.one, { one }, { one: other }, 2],
    ["until what was missing is there", ({ schemas }) => schemas.other, { one }, { one, other }, 2],
    ["until what was asked for is gone", ({ schemas }) => "one" in schemas, { one }, {}, 2],
    ["until the table is another, when all of it was read", ({ schemas }) => Object.keys(schemas), { one }, { one }, 2]
  ]
  it.each(cases)("%s", (_name, read, before, after, asked) => {
    const { count, interpreter } = counting(read)
    const annotation = annotationOf()
    for (const schemas of [before, before, after]) {
      interpretOnce(interpreter, { annotation, declaration, subject, collected: { schemas, services: {} } })
    }
    expect(count()).toBe(asked)
  })

  it("for one annotation, declaration and interpreter", () => {
    const collected = { schemas: {}, services: {} }
    const [first, second] = [counting(() => undefined), counting(() => undefined)]
    const annotation = annotationOf()
    for (const { interpreter } of [first, second, first, second]) {
      interpretOnce(interpreter, { annotation, declaration, subject, collected })
    }
    interpretOnce(first.interpreter, { annotation, declaration: { ...declaration }, subject, collected })
    interpretOnce(first.interpreter, { annotation: annotationOf(), declaration, subject, collected })
    expect([first.count(), second.count()]).toEqual([3, 1])
  })
})
