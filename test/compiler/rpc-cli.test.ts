/** The codes of the extensions "rpc" and "cli", each with the place that it names and the twin without a finding. */
import { describe, expect, it } from "@effect/vitest"
import { findings, run } from "./run.ts"
import { collect, model, object, operation, schema, symbol, text, type Written } from "./source.ts"

const Item = schema("Item", object({ id: text }))
const named = (name: string): Written => ["Query", { name, success: Item }]
const schemas = [Item]

const two = (first: Written, second: Written) =>
  findings(
    collect([operation("a", [named("A"), first]), operation("b", [named("B"), second], { line: 200 })], { schemas })
  )

describe("rpc", () => {
  it("EFFX2501: one name for two operations", () => {
    expect(two(["Rpc", "item"], ["Rpc", "item"])).toEqual([
      "EFFX2501 error src/main.ts:202:10 B and A both claim the RPC name item\n  > src/main.ts:102:10 A claims item"
    ])
    expect(two(["Rpc", "item"], ["Rpc", "Item"])).toEqual([])
  })

  it("EFFX1102: names and options of another form", () => {
    expect(two(["Rpc", ""], ["Rpc", "b", { middleware: ["Guard"] }])).toEqual([
      'EFFX1102 error src/main.ts:102:10 @Rpc expects a name that is not empty, but it is given the string ""',
      'EFFX1102 error src/main.ts:202:13 @Rpc expects middleware classes, but it is given the string "Guard"'
    ])
  })

  const guard = symbol("Guard")
  const access: ReadonlyArray<Written> = [
    ["Http.Get", "/items"],
    ["Http.Access", { exposure: "protected", middleware: [guard] }]
  ]
  const exposed = (annotations: ReadonlyArray<Written>, strictAccess = false) =>
    findings(
      collect(
        [
          operation("a", [named("A"), ...annotations]),
          model(Item, [["PersistentModel", { table: "items", schema: Item }]])
        ],
        { schemas }
      ),
      { strictAccess }
    )

  it("EFFX2505: protected over HTTP, unguarded over RPC; an error under strictAccess", () => {
    const message = "src/main.ts:104:3 A is protected over HTTP, but the RPC a has no guard"
    expect(exposed([...access, ["Rpc", "a"]])).toEqual([`EFFX2505 warning ${message}`])
    expect(exposed([...access, ["Rpc", "a"]], true)).toEqual([`EFFX2505 error ${message}`])
    expect(exposed([...access, ["Rpc", "a", { middleware: [guard] }]], true)).toEqual([])
  })

  it("EFFX2505: an authorized operation", () => {
    const authorize: Written = ["Authorize", { name: "item:read", resource: "Item" }]
    expect(exposed([authorize, ["Rpc", "a"]])).toEqual([
      "EFFX2505 warning src/main.ts:103:3 A requires the capability item:read, but the RPC a has no guard"
    ])
    expect(exposed([authorize, ["Cli", "a"]])).toEqual([])
  })

  it("keeps the middleware as a fact of the exposure", () => {
    const { ir } = run(collect([operation("a", [named("A"), ["Rpc", "a", { middleware: [guard] }]])], { schemas }))
    expect(ir.nodes.filter((node) => node._tag === "Extension" && node.extension === "rpc")).toEqual([
      {
        _tag: "Extension",
        id: "ext:rpc/middleware/exposure:A/rpc/a",
        extension: "rpc",
        tag: "middleware",
        data: { middleware: [{ module: "../../src/symbols", export: "Guard" }] }
      }
    ])
  })
})

describe("cli", () => {
  it("EFFX2501: one command for two operations; spaces do not make a difference", () => {
    expect(two(["Cli", "items get"], ["Cli", "items  get"])).toEqual([
      "EFFX2501 error src/main.ts:202:10 B and A both claim the command items get\n  > src/main.ts:102:10 A claims items get"
    ])
  })

  it("a command may begin another, because a command with subcommands still runs", () => {
    expect(two(["Cli", "items"], ["Cli", "items get"])).toEqual([])
  })

  it("EFFX1102: words that no shell or option parser would pass on", () => {
    const reported = (line: number, word: string) =>
      `EFFX1102 error src/main.ts:${line}:10 @Cli has the word ${word}, but a word has only letters, digits and _ . : - and does not begin with a sign`
    expect(two(["Cli", "--help"], ["Cli", "items 'all'"])).toEqual([reported(102, "--help"), reported(202, "'all'")])
    expect(two(["Cli", " "], ["Cli", "список"])).toEqual([
      'EFFX1102 error src/main.ts:102:10 @Cli expects the words of a command, but it is given the string " "'
    ])
  })
})
