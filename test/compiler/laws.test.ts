/** The laws of compiling: order, syntax and repetition change nothing; findings come in one order. */
import { describe, expect, it } from "@effect/vitest"
import { type Collected, compareSites, type Declaration, surface } from "@effx/compiler"
import { EFFX1105, EFFX1106 } from "@effx/diagnostics"
import { canonical, canonicalJson } from "@effx/ir"
import { Schema } from "effect"
import { run } from "./run.ts"
import {
  collect,
  model,
  object,
  operation,
  optional,
  place,
  refTo,
  schema,
  service,
  text,
  type Written
} from "./source.ts"

const Id = schema("Id", text)
const Item = schema("Item", object({ id: refTo(Id), note: optional(text) }), { line: 2, identifier: "Item" })
const Key = schema("Key", object({ id: refTo(Id) }), { line: 3 })
const NotFound = schema("NotFound", object({}), { line: 4, status: 404 })
const Bare = schema("Bare", object({}), { line: 5 })
const Store = service("Store")
const Clock = service("Clock", { line: 2, key: "app/Store" })
const known = { schemas: [Id, Item, Key, NotFound, Bare], services: [Store, Clock] }

/** The annotations of an operation that a number chooses; many of them have findings. */
const annotations = (n: number): ReadonlyArray<Written> => {
  const name = `Item.Op${n % 7}`
  const all: ReadonlyArray<readonly [boolean, Written]> = [
    [true, [n % 2 === 0 ? "Query" : "Command", { name, success: Item, ...(n % 3 !== 0 && { input: Key }) }]],
    [n % 5 === 0, ["Errors", NotFound]],
    [n % 4 === 0, ["Requirements", Store]],
    [n % 3 === 1, [n % 6 === 1 ? "Http.Get" : "Http.Post", `/items/:id/${n % 5}`]],
    [n % 9 === 1, ["Http.Access", { exposure: "public" }]],
    [n % 2 === 1, ["Rpc", `op.${n % 4}`]],
    [n % 11 === 0, ["Cli", `items op${n % 3}`]],
    [n % 8 === 3, ["Authorize", { name: `item:${n % 2}`, resource: "Item", focus: ["id"] }]]
  ]
  return all.flatMap(([given, annotation]) => (given ? [annotation] : []))
}

const declarationsOf = (numbers: ReadonlyArray<number>, kind: Declaration["kind"] = "staticMethod") => [
  ...numbers.map((n, index) =>
    operation(`op${index}`, annotations(n), {
      kind,
      line: 100 + 10 * index,
      errors: n % 3 === 0 ? [NotFound] : n % 7 === 0 ? [Bare] : [],
      requires: n % 4 === 0 ? [Store] : n % 5 === 0 ? [Clock, Store] : []
    })
  ),
  model(Item, [["PersistentModel", { table: "items", focus: ["id"], schema: Item }]])
]

const anyNumbers = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 }))).check(
  Schema.isMaxLength(12)
)
const anySeed = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))

/** The same declarations in another order, as another file order would give them. */
const reordered = (collected: Collected, seed: number): Collected => {
  const turn = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => {
    const at = items.length === 0 ? 0 : seed % items.length
    return [...items.slice(at), ...items.slice(0, at)].reverse()
  }
  return {
    ...collected,
    declarations: turn(collected.declarations),
    schemas: Object.fromEntries(turn(Object.entries(collected.schemas))),
    services: Object.fromEntries(turn(Object.entries(collected.services)))
  }
}

describe("laws", () => {
  it.prop(
    "the order of declarations changes neither IR nor findings",
    { numbers: anyNumbers, seed: anySeed },
    ({ numbers, seed }) => {
      const collected = collect(declarationsOf(numbers), known)
      const [one, other] = [run(collected), run(reordered(collected, seed))]
      expect(canonical(other.ir)).toBe(canonical(one.ir))
      expect(other.semanticHash).toBe(one.semanticHash)
      expect(other.diagnostics).toEqual(one.diagnostics)
      expect(other.sites).toEqual(one.sites)
      expect(canonicalJson(surface(other.ir))).toBe(canonicalJson(surface(one.ir)))
    }
  )

  it.prop("both syntaxes give one IR, except for the handlers", { numbers: anyNumbers }, ({ numbers }) => {
    const erased = (kind: "staticMethod" | "builder") =>
      run(collect(declarationsOf(numbers, kind), known)).ir.nodes.map((node) =>
        node._tag === "Operation" ? { ...node, handler: undefined } : node
      )
    expect(new Set(erased("builder").map(canonicalJson))).toEqual(new Set(erased("staticMethod").map(canonicalJson)))
  })

  it.prop("declaring twice the same adds nothing", { numbers: anyNumbers }, ({ numbers }) => {
    const declarations = declarationsOf(numbers)
    const [once, twice] = [declarations, [...declarations, ...declarations]].map((all) => run(collect(all, known)))
    expect(twice?.semanticHash).toBe(once?.semanticHash)
    expect(twice?.diagnostics).toEqual(once?.diagnostics)
  })

  it.prop("findings are sorted and different", { numbers: anyNumbers }, ({ numbers }) => {
    const { diagnostics } = run(collect(declarationsOf(numbers), known))
    expect(new Set(diagnostics.map(canonicalJson)).size).toBe(diagnostics.length)
    for (const [index, diagnostic] of diagnostics.slice(1).entries()) {
      expect(compareSites(diagnostics[index], diagnostic)).toBeLessThanOrEqual(0)
    }
  })

  it.prop("strictAccess changes severities, never the IR or what is found", { numbers: anyNumbers }, ({ numbers }) => {
    const collected = collect(declarationsOf(numbers), known)
    const [open, strict] = [run(collected), run(collected, { strictAccess: true })]
    expect(strict.semanticHash).toBe(open.semanticHash)
    const plain = ({ diagnostics }: typeof open) =>
      diagnostics.map(({ code, location, message }) => ({ code, location, message }))
    expect(plain(strict)).toEqual(plain(open))
  })
})

describe("findings of the frontend", () => {
  it("take their place among the others, and stop generation like them", () => {
    const { diagnostics, files } = run(
      {
        ...collect(
          [
            operation("get", [
              ["Query", { name: "Item.Get", success: Item }],
              ["Errors", Bare]
            ])
          ],
          known
        ),
        diagnostics: [
          EFFX1105.make({ operation: "Item.Other", returned: "number" }, { site: place(200) }),
          EFFX1106.make({ name: "Item", file: "/x/item.ts" }, { site: place(1) })
        ]
      },
      { generate: true }
    )
    expect(diagnostics.map(({ code, location }) => `${code}:${location?.line}`)).toEqual([
      "EFFX1106:1",
      "EFFX2202:102",
      "EFFX1105:200"
    ])
    expect(files).toEqual([])
  })
})
