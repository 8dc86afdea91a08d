/** The IR as a graph: nothing is lost, and queries answer in a fixed order. */

import { describe, expect, it } from "@effect/vitest"
import { applicationIR, type Edge, fromGraph, indexOf, normalize, type StableId, stableId, toGraph } from "@effx/ir"
import { Option } from "effect"
import { anyIR } from "./arbitraries.ts"

const capability = (name: string) =>
  ({
    _tag: "Capability",
    id: stableId("capability", name),
    name,
    resource: stableId("model", "User")
  }) as const

const extension = (name: string) =>
  ({ _tag: "Extension", id: stableId("ext", name), extension: "audit", tag: "log", data: null }) as const

const edge = (from: StableId, to: StableId): Edge => ({ kind: "ExtensionOf", from, to })

describe("laws", () => {
  it.prop("an IR goes to a graph and back without loss", { ir: anyIR }, ({ ir }) => {
    expect(fromGraph(toGraph(ir))).toEqual(normalize(ir))
  })

  it.prop("every edge is outgoing at one end and incoming at the other", { ir: anyIR }, ({ ir }) => {
    const index = indexOf(ir)
    for (const edge of index.ir.edges) {
      expect(index.outgoing(edge.from)).toContainEqual(edge)
      expect(index.incoming(edge.to)).toContainEqual(edge)
    }
  })

  it.prop("what an id reaches is closed under outgoing edges", { ir: anyIR }, ({ ir }) => {
    const index = indexOf(ir)
    for (const { id } of index.ir.nodes.slice(0, 3)) {
      const reached = new Set(index.reachable(id))
      expect(reached.has(id)).toBe(true)
      for (const next of reached) for (const { to } of index.outgoing(next)) expect(reached.has(to)).toBe(true)
    }
  })

  it.prop("two ids of one cycle reach each other", { ir: anyIR }, ({ ir }) => {
    const index = indexOf(ir)
    for (const ids of index.cycles()) {
      for (const id of ids) expect(index.reachable(id)).toEqual(expect.arrayContaining([...ids]))
    }
  })

  it.prop("a missing target has no node", { ir: anyIR }, ({ ir }) => {
    const index = indexOf(ir)
    for (const { edge, missing } of index.missingTargets()) {
      expect([edge.from, edge.to]).toContain(missing)
      expect(Option.isNone(index.node(missing))).toBe(true)
    }
  })
})

describe("indexOf", () => {
  const [a, b, c, d] = [extension("a"), extension("b"), extension("c"), extension("d")]
  const users = capability("users.read")

  it("finds cycles and self loops, and nothing else", () => {
    const index = indexOf(
      applicationIR([a, b, c, d], [edge(a.id, b.id), edge(b.id, a.id), edge(b.id, c.id), edge(d.id, d.id)])
    )
    expect(index.cycles()).toEqual([[a.id, b.id], [d.id]])
  })

  it("names each end of an edge that has no node once", () => {
    const both = edge(a.id, b.id)
    const loop = edge(c.id, c.id)
    expect(indexOf(applicationIR([], [both, loop])).missingTargets()).toEqual([
      { edge: both, missing: a.id },
      { edge: both, missing: b.id },
      { edge: loop, missing: c.id }
    ])
    expect(indexOf(applicationIR([a], [both])).missingTargets()).toEqual([{ edge: both, missing: b.id }])
  })

  it("reaches along edges only in their direction", () => {
    const index = indexOf(applicationIR([a, b, c], [edge(a.id, b.id), edge(b.id, c.id)]))
    expect(index.reachable(a.id)).toEqual([a.id, b.id, c.id])
    expect(index.reachable(c.id)).toEqual([c.id])
  })

  it("lists ids by prefix and nodes by tag, in the order of ids", () => {
    const index = indexOf(applicationIR([d, users, a], []))
    expect(index.withPrefix("ext:")).toEqual([a.id, d.id])
    expect(index.withPrefix("capability:users.")).toEqual([users.id])
    expect(index.tagged("Extension")).toEqual([a, d])
    expect(index.tagged("Model")).toEqual([])
  })

  it("gives the first of two nodes with one id", () => {
    const other = { ...users, name: "other" }
    expect(indexOf(applicationIR([users, other], [])).node(users.id)).toEqual(Option.some(other))
  })
})
