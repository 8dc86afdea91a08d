/** The pictures of an application: what is in them, where it lies, and that nothing of the application becomes code. */

import { describe, expect, it } from "@effect/vitest"
import { type ApplicationIR, applicationIR, indexOf, type StableId, stableId } from "@effx/ir"
import { Option, Schema } from "effect"
import {
  cardRows,
  graphView,
  narrow,
  operationCard,
  renderDot,
  renderGraphJson,
  renderHtml,
  renderMermaid
} from "../../../src/compiler/graph-view/index.ts"
import { layout, SIZES, spread } from "../../../src/compiler/graph-view/layout.ts"
import { anyIR, shuffled } from "../../ir/arbitraries.ts"
import { largeApplication, USERS } from "./application.ts"

const index = indexOf(USERS)
const view = graphView(index)
const idsOf = (ir: Option.Option<ReturnType<typeof indexOf>>): ReadonlyArray<StableId> =>
  Option.match(ir, { onNone: () => [], onSome: ({ ir }) => ir.nodes.map(({ id }) => id) })

describe("graphView", () => {
  it("names every node as its readers do, and leaves built-in facts to the cards", () => {
    expect(view.nodes.map(({ kind, label, note }) => `${kind} ${label} (${note})`)).toEqual([
      "capability users.read (capability)",
      "exposure GET /users/:id (HTTP)",
      "extension audit log (extension)",
      "focus User.id (focus)",
      "model User (table users)",
      "operation User.Get (query)",
      "schema GetUser (src/user)",
      "error NotFound (404 · src/user)",
      "schema Team (src/user)",
      "schema User (src/user)",
      "service Users (service)"
    ])
  })

  it("shows what an edge misses", () => {
    const missing = stableId("service", "Clock")
    const ir = applicationIR(USERS.nodes, [
      ...USERS.edges,
      { kind: "Requires", from: stableId("operation", "User.Get"), to: missing }
    ])
    expect(graphView(indexOf(ir)).nodes).toContainEqual({
      id: missing,
      kind: "missing",
      label: "Clock",
      note: "not declared"
    })
  })

  it.prop("both ends of every edge are there", { ir: anyIR }, ({ ir }) => {
    const { edges, nodes } = graphView(indexOf(ir))
    const ids = new Set(nodes.map(({ id }) => id))
    expect(ids.size).toBe(nodes.length)
    for (const { from, to } of edges) expect(ids.has(from) && ids.has(to)).toBe(true)
  })
})

describe("narrow", () => {
  it("keeps what an operation reaches, one step back, and the facts about them", () => {
    expect(idsOf(narrow(index, "User.Get"))).toEqual(
      expect.arrayContaining([
        "schema:src/user/User",
        "schema:src/user/GetUser",
        "service:Users",
        "focus:User.id",
        "ext:audit/log/operation:User.Get"
      ])
    )
    expect(idsOf(narrow(index, "User.Get"))).not.toContain("schema:src/user/Team")
    expect(idsOf(narrow(index, "User.Get"))).not.toContain("model:User")
  })

  it("goes from a service back to who requires it, and no further", () =>
    expect(idsOf(narrow(index, "Users")).filter((id) => !id.startsWith("ext:"))).toEqual([
      "operation:User.Get",
      "service:Users"
    ]))

  it("takes an id, and all nodes of one name", () => {
    expect(idsOf(narrow(index, "model:User"))).toEqual(expect.arrayContaining(["model:User", "schema:src/user/User"]))
    expect(idsOf(narrow(index, "User"))).toEqual(expect.arrayContaining(["model:User", "schema:src/user/User"]))
  })

  it("is none for an unknown name", () => expect(Option.isNone(narrow(index, "User.Gt"))).toBe(true))
})

describe("operationCard", () => {
  it("says what inspect shows", () => {
    const node = index.tagged("Operation")[0]
    const card = node && operationCard(index, node)
    expect(card?.summary).toBe("Shows one user.")
    expect(card && cardRows(card, "src/operations.ts:16:3")).toEqual([
      ["input", "GetUser"],
      ["success", "User"],
      ["errors", "NotFound (404)   (declared)"],
      ["requires", "Users   (inferred)"],
      ["authority", "users.read   (declared by @Authorize; effx generates no check for it)"],
      ["HTTP", "GET /users/:id   protected   guarded by Bearer"],
      ["handler", "UserOperations.get   src/operations.ts:16:3"]
    ])
  })
})

describe("text forms", () => {
  it("Mermaid", () =>
    expect(renderMermaid(view).split("\n").slice(0, 16)).toEqual([
      "flowchart LR",
      '  n0{{"users.read"}}:::capability',
      '  n1>"GET /users/:id"]:::exposure',
      '  n2[/"audit log"/]:::extension',
      '  n3("User.id"):::focus',
      '  n4[("User")]:::model',
      '  n5["User.Get"]:::operation',
      '  n6(["GetUser"]):::schema',
      '  n7(["NotFound"]):::error',
      '  n8(["Team"]):::schema',
      '  n9(["User"]):::schema',
      '  n10[["Users"]]:::service',
      "  n0 -- focuses --> n3",
      "  n0 -- over --> n4",
      "  n2 -- about --> n5",
      "  n3 -- focus in --> n4"
    ]))

  it("DOT", () => {
    const lines = renderDot(view).split("\n")
    expect(lines[0]).toBe("digraph effx {")
    expect(lines).toContain('  "operation:User.Get" [label="User.Get", shape=box, style="bold", color="#2563eb"]')
    expect(lines).toContain('  "operation:User.Get" -> "service:Users" [label="requires"]')
    expect(lines.slice(-2)).toEqual(["}", ""])
  })

  it("JSON", () => expect(JSON.parse(renderGraphJson(view))).toEqual({ schema: "effx.graph.v1", ...view }))

  it.prop(
    "equal applications give equal bytes",
    { ir: anyIR },
    ({ ir }) => {
      const [a, b] = [indexOf(ir), indexOf(shuffled(ir, 3))]
      for (const render of [renderMermaid, renderDot, renderGraphJson])
        expect(render(graphView(a))).toBe(render(graphView(b)))
      expect(renderHtml(a, { title: "a" })).toBe(renderHtml(b, { title: "a" }))
    },
    { arbitrary: { runs: 30 } }
  )
})

describe("layout", () => {
  it.prop(
    "spread keeps order and distance, and moves nothing that has room",
    { wanted: Schema.Array(Schema.Int) },
    ({ wanted }) => {
      const sorted = wanted.map((height) => height % 1000).sort((a, b) => a - b)
      const heights = spread(sorted, 10)
      heights.forEach((height, at) => {
        const before = heights[at - 1]
        if (before !== undefined) expect(height - before).toBeGreaterThan(10 - 1e-6)
      })
      if (sorted.every((height, at) => at === 0 || height - (sorted[at - 1] ?? 0) >= 10)) {
        for (const [at, height] of heights.entries()) expect(height).toBeCloseTo(sorted[at] ?? Number.NaN)
      }
    }
  )

  const cases: ReadonlyArray<readonly [string, ApplicationIR]> = [
    ["the example", USERS],
    ["500 nodes", largeApplication(125)]
  ]

  it.each(cases)("of %s has no overlap and stays inside", (_name, ir) => {
    const placed = layout(graphView(indexOf(ir)))
    const columns = Map.groupBy(placed.nodes, ({ x }) => x)
    for (const column of columns.values()) {
      column.forEach(({ y }, at) => {
        const before = column[at - 1]
        if (before !== undefined) expect(y - before.y).toBeGreaterThanOrEqual(SIZES.height)
        expect(y + SIZES.height).toBeLessThanOrEqual(placed.height)
        expect(y).toBeGreaterThanOrEqual(SIZES.margin)
      })
    }
    expect(placed.nodes.length).toBe(graphView(indexOf(ir)).nodes.length)
  })
})

describe("the page", () => {
  const page = renderHtml(index, { title: "users", placeOf: () => "src/operations.ts:16:3" })

  it("asks for nothing from outside", () => {
    expect(page).not.toMatch(/https?:|src=|<link|@import|url\(/)
    expect(page).toContain("default-src 'none'")
  })

  it("carries a script that parses", () => {
    const script = page.slice(page.lastIndexOf("<script>") + "<script>".length, page.lastIndexOf("</script>"))
    expect(() => new Function(script)).not.toThrow()
  })

  it("takes everything from the application as text", () => {
    const hostile = `</script><script>alert(1)</script>"'<!--\u2028`
    const ir = applicationIR(
      USERS.nodes.map((node) => (node._tag === "Service" ? { ...node, name: hostile } : node)),
      USERS.edges
    )
    const hostilePage = renderHtml(indexOf(ir), { title: hostile })
    expect(hostilePage).not.toContain("<script>alert")
    expect(hostilePage.match(/<script/g)?.length).toBe(2)
    expect(renderMermaid(graphView(indexOf(ir)))).not.toContain(hostile)
  })
})
