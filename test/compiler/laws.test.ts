/** The laws of compiling: order, syntax and repetition change nothing; findings come in one order. */
import { describe, expect, it } from "@effect/vitest"
import {
  type Collected,
  compareSites,
  type Declaration,
  defineExtension,
  makeMemory,
  schemaFacts,
  surface
} from "@effx/compiler"
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

/** One operation of a session: the number that chooses its annotations, and one of them that it lacks. */
interface Member {
  readonly n: number
  readonly lacks: number
}

interface State {
  readonly members: ReadonlyArray<Member>
  /** How many lines are above the operations. */
  readonly above: number
  readonly hasModel: boolean
  readonly item: "plain" | "other" | "moved" | "anonymous" | "clash" | "unknown"
}

const START: State = { members: [3, 11, 1, 6].map((n) => ({ n, lacks: 0 })), above: 0, hasModel: true, item: "plain" }

const ITEMS: Record<State["item"], Collected["schemas"][string] | undefined> = {
  plain: Item,
  other: schema("Item", object({}), { line: 2, identifier: "Item" }),
  moved: schema("Item", object({ id: refTo(Id), note: optional(text) }), { line: 9, identifier: "Item" }),
  anonymous: schema("Item", object({ id: refTo(Id), note: optional(text) }), { line: 2 }),
  clash: schema("Item", object({ id: refTo(Id), note: optional(text) }), { line: 2, identifier: "Clash" }),
  unknown: undefined
}
const Clash = schema("Clash", object({ other: text }), { line: 6, identifier: "Clash" })

const Edit = Schema.Union([
  Schema.TaggedStruct("Replace", { at: anySeed, n: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 })) }),
  Schema.TaggedStruct("Lack", { at: anySeed, lacks: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })) }),
  Schema.TaggedStruct("Insert", { at: anySeed, n: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 })) }),
  Schema.TaggedStruct("Remove", { at: anySeed }),
  Schema.TaggedStruct("Shift", { above: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })) }),
  Schema.TaggedStruct("Model", { hasModel: Schema.Boolean }),
  Schema.TaggedStruct("Item", { item: Schema.Literals(["plain", "other", "moved", "anonymous", "clash", "unknown"]) })
])

const edited = (state: State, edit: typeof Edit.Type): State => {
  const { members } = state
  const at = "at" in edit ? edit.at % (members.length + 1) : 0
  switch (edit._tag) {
    case "Replace":
      return { ...state, members: members.with(Math.min(at, members.length - 1), { n: edit.n, lacks: 0 }) }
    case "Lack":
      return { ...state, members: members.map((member, index) => (index === at ? { ...member, ...edit } : member)) }
    case "Insert":
      return { ...state, members: members.toSpliced(at, 0, { n: edit.n, lacks: 0 }) }
    case "Remove":
      return members.length < 2 ? state : { ...state, members: members.toSpliced(at, 1) }
    default:
      return { ...state, ...edit }
  }
}

/** What a session collects: what an edit did not affect are the objects that they were. */
const collecting = () => {
  const known = new Map<string, object>()
  const same = <A extends object>(item: A): A => {
    const encoding = canonicalJson(item)
    const before = known.get(encoding) ?? item
    known.set(encoding, before)
    return before as A
  }
  return ({ above, hasModel, item, members }: State): Collected => {
    const declarations = members.map(({ lacks, n }, index) =>
      operation(
        `op${n}`,
        annotations(n).filter((_, at) => at === 0 || at !== lacks),
        { line: 100 + above + 10 * index, errors: n % 3 === 0 ? [NotFound] : [], requires: n % 4 === 0 ? [Store] : [] }
      )
    )
    const models = hasModel ? [model(Item, [["PersistentModel", { table: "items", focus: ["id"], schema: Item }]])] : []
    const takes = operation("clash", [
      ["Query", { name: "Clash", success: Clash }],
      ["Http.Get", "/clash"]
    ])
    const collected = collect([...declarations, takes, ...models], {
      schemas: [...(ITEMS[item] === undefined ? [] : [ITEMS[item]]), Clash, Id, Key, NotFound, Bare],
      services: [Store, Clock]
    })
    return {
      ...collected,
      declarations: collected.declarations.map(same),
      schemas: Object.fromEntries(Object.entries(collected.schemas).map(([id, info]) => [id, same(info)]))
    }
  }
}

describe("a memory", () => {
  it.prop(
    "is never seen: after any edits, a session compiles to what a fresh compilation gives",
    { edits: Schema.Array(Edit).check(Schema.isMinLength(1), Schema.isMaxLength(12)), strictAt: anySeed },
    ({ edits, strictAt }) => {
      const memory = makeMemory()
      const session = collecting()
      let state = START
      const results = [undefined, ...edits].map((edit, index) => {
        state = edit === undefined ? state : edited(state, edit)
        const collected = session(state)
        const options = { generate: true, strictAccess: index === strictAt }
        return { warm: run(collected, { ...options, memory }), cold: run(collected, options) }
      })
      // Each result is read after all the others were made: it is of its own edit all the same.
      for (const { cold, warm } of results) {
        expect(warm.diagnostics).toEqual(cold.diagnostics)
        expect(canonical(warm.ir)).toBe(canonical(cold.ir))
        expect({ ...warm }).toEqual({ ...cold })
      }
    },
    { arbitrary: { runs: 200 } }
  )

  it("asks again about what an edit changes, and about nothing else", () => {
    const asked: Array<string> = []
    const asking = defineExtension({
      name: "asking",
      package: "effx-asking",
      diagnostics: [],
      interpreters: [],
      analyses: [
        {
          name: "asking",
          of: "Operation",
          judge: ({ id, success }, { index }) => {
            asked.push(`${id} ${schemaFacts(index, success.symbolId)._tag}`)
            return {}
          }
        }
      ],
      generators: []
    })
    const options = { memory: makeMemory(), and: [asking] }
    const session = collecting()
    const state: State = { ...START, members: [1, 2, 3].map((n) => ({ n, lacks: 0 })) }
    run(session(state), options)
    expect(asked.splice(0)).toHaveLength(4)
    run(session(state), options)
    expect(asked.splice(0)).toEqual([])
    run(session(edited(state, { _tag: "Replace", at: 1, n: 9 })), options)
    expect(asked.splice(0)).toEqual(["operation:Item.Op2 Some"])
    // All operations but one succeed with the schema.
    run(session({ ...edited(state, { _tag: "Replace", at: 1, n: 9 }), item: "unknown" }), options)
    expect(asked.sort()).toEqual([1, 2, 3].map((n) => `operation:Item.Op${n} None`))
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
