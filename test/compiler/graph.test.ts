/** What is wrong with a graph whatever its nodes mean: EFFX1001, EFFX1002, EFFX1003; and annotations of nobody, EFFX1101. */
import { describe, expect, it } from "@effect/vitest"
import { type Contribution, defineExtension, type InterpretInput } from "@effx/compiler"
import { type StableId, stableId } from "@effx/ir"
import { findings } from "./run.ts"
import { collect, model, object, operation, schema, service, text, type Written } from "./source.ts"

const Item = schema("Item", object({ id: text }))
const Key = schema("Key", object({ id: text }))
const schemas = [Item, Key]
const query = (name: string): Written => ["Query", { name, success: Item }]

/** An extension that contributes what a test says for `@Annotate("mark")`. */
const marking = (interpret: (input: InterpretInput) => Contribution) =>
  defineExtension({
    name: "marks",
    package: "effx-marks",
    diagnostics: [],
    interpreters: [{ annotation: "mark", interpret }],
    analyses: [],
    generators: []
  })

const marked = collect([operation("get", [query("Item.Get"), ["Annotate", "mark", { level: 3 }]])], { schemas })

describe("EFFX1001", () => {
  it("two operations of one name, at the later one", () => {
    expect(
      findings(
        collect([operation("get", [query("Item.Get")]), operation("other", [query("Item.Get")], { line: 200 })], {
          schemas
        })
      )
    ).toEqual([
      "EFFX1001 error src/main.ts:200:10 Two declarations of the operation Item.Get differ\n  > src/main.ts:100:10 The first declaration of Item.Get"
    ])
  })

  it("does not repeat itself for the facts of the two operations", () => {
    const documented = (member: string, summary: string, line: number) =>
      operation(member, [query("Item.Get")], { line, docs: { summary } })
    expect(findings(collect([documented("a", "One.", 100), documented("b", "Two.", 200)], { schemas }))).toHaveLength(1)
  })

  it("two service classes of one export name, at the place that names the second", () => {
    const here = service("Store")
    const there = service("Store", { module: "../../src/other" })
    const declarations = [
      operation("get", [query("Item.Get"), ["Requirements", here]], { requires: [here] }),
      operation("other", [query("Item.Other"), ["Requirements", there]], { line: 200, requires: [there] })
    ]
    expect(findings(collect(declarations, { schemas, services: [here] }))).toEqual([
      "EFFX1001 error src/services.ts:1:14 Two declarations of the service Store differ\n  > src/main.ts:202:10 The first declaration of Store"
    ])
  })

  it("two models of one export name; one model declared twice alike is one", () => {
    const other = schema("Item", object({ id: text }), { file: "src/other.ts" })
    const declare = (of: typeof Item, line: number) =>
      model(of, [["PersistentModel", { table: "items", schema: of }]], line)
    expect(findings(collect([declare(Item, 50), declare(other, 60)], { schemas: [Item, other] }))).toEqual([
      "EFFX1001 error src/schemas.ts:60:14 Two declarations of the model Item differ\n  > src/schemas.ts:50:14 The first declaration of Item"
    ])
    expect(findings(collect([declare(Item, 50), declare(Item, 60)], { schemas }))).toEqual([])
  })

  it("same-named schemas of two files are two", () => {
    const other = schema("Item", object({ name: text }), { file: "src/other.ts" })
    const declarations = [
      operation("get", [query("Item.Get")]),
      operation("other", [["Query", { name: "Item.Other", success: other }]], { line: 200 })
    ]
    expect(findings(collect(declarations, { schemas: [Item, other] }))).toEqual([])
  })
})

describe("EFFX1002", () => {
  it("an edge of an extension to nothing, at the annotation", () => {
    const extension = marking(({ subject }) => ({
      edges: [{ kind: "Requires", from: subject, to: stableId("service", "Ghost") }]
    }))
    expect(findings(marked, { and: [extension] })).toEqual([
      "EFFX1002 error src/main.ts:102:3 The operation Item.Get refers to the service Ghost, which is not declared"
    ])
  })

  it("an edge from nothing", () => {
    const extension = marking(({ subject }) => ({
      edges: [{ kind: "InputOf", from: stableId("schema", "src/ghost/Ghost"), to: subject }]
    }))
    expect(findings(marked, { and: [extension] })).toEqual([
      "EFFX1002 error src/main.ts:102:3 The operation Item.Get refers to the schema src/ghost/Ghost, which is not declared"
    ])
  })
})

describe("EFFX1003", () => {
  const fact = (owner: StableId | undefined) =>
    marking(() => {
      const id = stableId("ext", "marks/level/one")
      return {
        nodes: [{ _tag: "Extension", id, extension: "marks", tag: "level", data: { level: 3 } }],
        edges: owner === undefined ? [] : [{ kind: "ExtensionOf", from: id, to: owner, qualifier: "level" }]
      }
    })

  it("a fact without an owner", () => {
    expect(findings(marked, { and: [fact(undefined)] })).toEqual([
      "EFFX1003 error src/main.ts:102:3 The extension marks adds a level that belongs to no declaration"
    ])
    expect(findings(marked, { and: [fact(stableId("operation", "Item.Get"))] })).toEqual([])
  })
})

describe("EFFX1101", () => {
  it("an annotation that nobody interprets, at its name", () => {
    expect(findings(marked)).toEqual([
      "EFFX1101 error src/main.ts:102:10 Item.Get carries the annotation mark, which no extension interprets"
    ])
    expect(findings(marked, { and: [marking(() => ({}))] })).toEqual([])
  })

  it("a custom annotation cannot pass for one of effx", () => {
    const custom = collect([operation("get", [query("Item.Get"), ["Annotate", "Rpc", "item.get"]])], { schemas })
    expect(findings(custom)).toEqual([
      "EFFX1101 error src/main.ts:102:10 Item.Get carries the annotation Rpc, which no extension interprets"
    ])
  })

  it("a list of extensions without the one that interprets", () => {
    const exposed = collect([operation("get", [query("Item.Get"), ["Cli", "items get"]])], { schemas })
    expect(findings(exposed, { extensions: [] })).toEqual([
      "EFFX1101 error src/main.ts:101:3 Item.Get carries the annotation Query, which no extension interprets",
      "EFFX1101 error src/main.ts:102:3 Item.Get carries the annotation Cli, which no extension interprets"
    ])
  })
})
