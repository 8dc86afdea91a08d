/** What documents are told and when: versions, replacement, staleness, and what clears (gates 5 and 6 of Spec 0018). */

import { symlinkSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { LIMITS } from "../../src/lsp/limits.ts"
import { makePublication } from "../../src/lsp/publication.ts"
import { ABILITIES, type Client, changing, folder, initialized, opening, publishes, startServer } from "./harness.ts"

const GOOD = "export {}\n"
const BAD = "// 𝔸\r\nlet a = FAULT\r\n"

const running = Effect.gen(function* () {
  const cwd = yield* folder({ "src/a.ts": GOOD })
  return { cwd, uri: `file://${cwd}/src/a.ts`, client: yield* initialized(cwd) }
})

const published = (
  client: Client,
  uri: string,
  version?: number,
  from?: number
): Effect.Effect<ReadonlyArray<unknown>> =>
  Effect.map(client.until(publishes(uri, version), from), ({ params }) => params?.diagnostics as ReadonlyArray<unknown>)

const count = (diagnostics: unknown): number => (Array.isArray(diagnostics) ? diagnostics.length : -1)

const all = (client: Client, uri: string): ReadonlyArray<readonly [version: unknown, count: number]> =>
  client.received.filter(publishes(uri)).map(({ params }) => [params?.version, count(params?.diagnostics)] as const)

const logs = (client: Client): ReadonlyArray<unknown> =>
  client.received.flatMap(({ method, params }) => (method === "window/logMessage" ? [params?.message] : []))

describe("an open document", () => {
  it.live("is told each version's findings, and none once they are repaired", () =>
    Effect.gen(function* () {
      const { client, uri } = yield* running
      client.notify("textDocument/didOpen", opening(uri, GOOD))
      expect(yield* published(client, uri, 1)).toEqual([])
      client.notify("textDocument/didChange", changing(uri, 2, { text: BAD }))
      expect(yield* published(client, uri, 2)).toEqual([
        {
          range: { start: { line: 1, character: 8 }, end: { line: 1, character: 8 } },
          severity: 1,
          code: "EFFX0002",
          source: "effx",
          message: expect.stringContaining("it has a fault")
        }
      ])
      client.notify("textDocument/didChange", changing(uri, 7, { text: GOOD }))
      expect(yield* published(client, uri, 7)).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("is left alone while neither its version nor its findings change", () =>
    Effect.gen(function* () {
      const { client, cwd, uri } = yield* running
      const other = `file://${cwd}/src/b.ts`
      client.notify("textDocument/didOpen", opening(uri, BAD))
      yield* published(client, uri, 1)
      client.notify("textDocument/didOpen", opening(other, GOOD))
      yield* published(client, other, 1)
      client.notify("textDocument/didChange", changing(other, 2, { text: BAD }))
      yield* published(client, other, 2)
      expect(all(client, uri)).toEqual([[1, 1]])
    }).pipe(Effect.scoped)
  )

  it.live("has no version for a client that does not take one, and no link where there is no catalogue", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({})
      const client = yield* startServer(cwd)
      yield* client.request("initialize", { rootUri: `file://${cwd}`, capabilities: {} })
      const uri = `file://${cwd}/src/a.ts`
      client.notify("textDocument/didOpen", opening(uri, BAD))
      const { params } = yield* client.until(publishes(uri))
      expect(Object.keys(params ?? {}).sort()).toEqual(["diagnostics", "uri"])
    }).pipe(Effect.scoped)
  )

  it.live("is named as the client names it", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({})
      const client = yield* initialized(cwd)
      const names = [
        "src/a%20b.ts",
        "src/c d.ts",
        "src/%23e.ts",
        "src/[f].ts",
        "src/%5Bg%5D.ts",
        "src/cafe%CC%81.ts",
        "src/caf%C3%A9.ts"
      ]
      for (const name of names) client.notify("textDocument/didOpen", opening(`file://${cwd}/${name}`, BAD))
      for (const name of names) expect(yield* published(client, `file://${cwd}/${name}`, 1), name).toHaveLength(1)
    }).pipe(Effect.scoped)
  )

  it.live("may be of any language, and then is told that there is nothing", () =>
    Effect.gen(function* () {
      const { client, cwd } = yield* running
      const uri = `file://${cwd}/README.md`
      client.notify("textDocument/didOpen", { textDocument: { uri, languageId: "markdown", version: 1, text: "# A" } })
      expect(yield* published(client, uri, 1)).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("may be no file, and then has no findings", () =>
    Effect.gen(function* () {
      const { client } = yield* running
      client.notify("textDocument/didOpen", opening("untitled:Untitled-1", BAD))
      expect(yield* published(client, "untitled:Untitled-1", 1)).toEqual([])
      expect(client.lines.join("\n")).toContain("untitled:Untitled-1 is no file")
      client.notify("textDocument/didClose", { textDocument: { uri: "untitled:Untitled-1" } })
      expect(yield* published(client, "untitled:Untitled-1", undefined, client.received.length)).toEqual([])
    }).pipe(Effect.scoped)
  )
})

describe("a document whose folder has two names", () => {
  it.live("is the project's under either of them", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "src/a.ts": GOOD })
      const other = yield* folder({})
      const link = `${other}/link`
      symlinkSync(cwd, link)
      for (const [root, opened] of [
        [link, cwd],
        [cwd, link]
      ] as const) {
        const client = yield* startServer(root)
        yield* client.request("initialize", { rootUri: `file://${root}`, capabilities: ABILITIES })
        for (const name of ["a.ts", "not-yet.ts"]) {
          const uri = `file://${opened}/src/${name}`
          client.notify("textDocument/didOpen", opening(uri, BAD))
          expect(yield* published(client, uri, 1)).toHaveLength(1)
        }
      }
    }).pipe(Effect.scoped)
  )
})

describe("the diagnostics of one document", () => {
  const diagnostic = (message: string) => ({
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    message
  })
  const telling = (bytes: number) => {
    const refused: Array<number> = []
    const sent: Array<object | undefined> = []
    const empty = JSON.stringify([diagnostic("")]).length
    const publication = makePublication({ publish: (_, make) => void sent.push(make()) }, true, (_, count) =>
      refused.push(count)
    )
    const documents = new Map([["a", { uri: "a", version: 1, text: "", bytes: 0 }]])
    publication.become(documents)
    publication.tell(documents, new Map([["a", [diagnostic("x".repeat(bytes - empty))]]]))
    const [message] = sent as ReadonlyArray<{ readonly params: { readonly diagnostics: ReadonlyArray<unknown> } }>
    return { refused, shown: message?.params.diagnostics.length }
  }

  it("are as many bytes as allowed; more are not sent, and that is said", () => {
    expect(telling(LIMITS.publicationBytes)).toEqual({ refused: [], shown: 1 })
    expect(telling(LIMITS.publicationBytes + 1)).toEqual({ refused: [1], shown: 0 })
  })
})

describe("a result on its way", () => {
  /** Documents of a version, of which each is another value. */
  const of = (version: number) => new Map([["a", { uri: "a", version, text: "", bytes: 0 }]])
  const queueing = () => {
    const queued: Array<() => object | undefined> = []
    const publication = makePublication({ publish: (_, make) => void queued.push(make) }, true, () => {})
    return { queued, ...publication, tell: (one: ReturnType<typeof of>) => publication.tell(one, new Map()) }
  }

  it("that was queued is void once a newer edit is admitted", () => {
    const { become, queued, tell } = queueing()
    const [one, two] = [of(1), of(2)]
    become(one)
    tell(one)
    expect(queued).toHaveLength(1)
    become(two)
    expect(queued.map((make) => make())).toEqual([undefined])
  })

  it("that clears is sent whatever is typed before its turn", () => {
    const { become, clear, queued, tell } = queueing()
    const [one, two] = [of(1), of(2)]
    become(one)
    tell(one)
    expect(queued.shift()?.()).toMatchObject({ params: { version: 1 } })
    clear()
    become(two)
    expect(queued.shift()?.()).toMatchObject({ params: { version: 2, diagnostics: [] } })
    clear()
    expect(queued.shift()?.()).toBeUndefined()
    clear()
    become(new Map())
    expect(queued.shift()?.()).toBeUndefined()
  })

  it("of a superseded state takes no newer one's place", () => {
    const { become, queued, tell } = queueing()
    const [one, two] = [of(1), of(2)]
    become(one)
    tell(one)
    become(two)
    tell(two)
    tell(one)
    expect(queued.at(-1)?.()).toMatchObject({ params: { version: 2 } })
  })
})

describe("a document that is closed", () => {
  it.live("is cleared at once, and not told anything of an analysis that was under way", () =>
    Effect.gen(function* () {
      const { client, cwd, uri } = yield* running
      client.notify("textDocument/didOpen", opening(uri, BAD))
      yield* published(client, uri, 1)
      const gate = yield* Deferred.make<void>()
      client.analyses.before = Deferred.await(gate)
      client.notify("textDocument/didChange", changing(uri, 2, { text: `\n${BAD}` }))
      client.notify("textDocument/didClose", { textDocument: { uri } })
      const clear = yield* client.until((message) => publishes(uri)(message) && message.params?.version === undefined)
      expect(clear.params?.diagnostics).toEqual([])
      yield* Deferred.succeed(gate, undefined)
      const other = `file://${cwd}/src/b.ts`
      client.notify("textDocument/didOpen", opening(other, GOOD))
      yield* published(client, other, 1)
      expect(all(client, uri)).toEqual([
        [1, 1],
        [undefined, 0]
      ])
    }).pipe(Effect.scoped)
  )

  it.live("begins anew when it is opened again, also with a version that it had", () =>
    Effect.gen(function* () {
      const { client, uri } = yield* running
      for (const text of [BAD, GOOD]) {
        const from = client.received.length
        client.notify("textDocument/didOpen", opening(uri, text))
        expect(yield* published(client, uri, 1, from)).toHaveLength(text === BAD ? 1 : 0)
        client.notify("textDocument/didClose", { textDocument: { uri } })
      }
    }).pipe(Effect.scoped)
  )
})

it.live("tells a document that is opened twice once more", () =>
  Effect.gen(function* () {
    const { client, uri } = yield* running
    client.notify("textDocument/didOpen", opening(uri, BAD))
    yield* published(client, uri, 1)
    const from = client.received.length
    client.notify("textDocument/didOpen", opening(uri, BAD))
    expect(yield* published(client, uri, 1, from)).toHaveLength(1)
  }).pipe(Effect.scoped)
)

describe("a result", () => {
  it.live("that a newer edit superseded while it was made is never told", () =>
    Effect.gen(function* () {
      const { client, uri } = yield* running
      client.notify("textDocument/didOpen", opening(uri, GOOD))
      yield* published(client, uri, 1)
      const gate = yield* Deferred.make<void>()
      client.analyses.before = Deferred.await(gate)
      client.notify("textDocument/didChange", changing(uri, 2, { text: BAD }))
      // The answer shows that both edits were admitted while the first one's analysis is held.
      client.notify("textDocument/didChange", changing(uri, 3, { text: GOOD }))
      yield* client.request("probe")
      yield* Deferred.succeed(gate, undefined)
      yield* published(client, uri, 3)
      expect(all(client, uri)).toEqual([
        [1, 0],
        [3, 0]
      ])
    }).pipe(Effect.scoped)
  )

  it.live("that waits for a slow client is not sent once a newer edit came", () =>
    Effect.gen(function* () {
      const { client, uri } = yield* running
      client.notify("textDocument/didOpen", opening(uri, GOOD))
      yield* published(client, uri, 1)
      const analysed = yield* Deferred.make<void>()
      // The last thing that an analysis does here.
      client.analyses.before = Deferred.succeed(analysed, undefined)
      client.taking(false)
      // One frame is on its way and cannot be taken back.
      client.send({ jsonrpc: "2.0", id: "held", method: "probe" })
      client.notify("textDocument/didChange", changing(uri, 2, { text: BAD }))
      yield* Deferred.await(analysed)
      client.notify("textDocument/didChange", changing(uri, 3, { text: GOOD }))
      // Standard error shows that it was admitted.
      client.notify("textDocument/didClose", {})
      yield* client.untilLine(/didClose is ignored/)
      client.taking(true)
      yield* published(client, uri, 3)
      expect(all(client, uri)).toEqual([
        [1, 0],
        [3, 0]
      ])
    }).pipe(Effect.scoped)
  )
})

describe("a project that cannot be analysed", () => {
  it.live("clears what was told, says so once, and says when it can again", () =>
    Effect.gen(function* () {
      const { client, uri } = yield* running
      client.notify("textDocument/didOpen", opening(uri, BAD))
      yield* published(client, uri, 1)
      client.analyses.failing = true
      client.notify("textDocument/didChange", changing(uri, 2, { text: BAD }))
      expect(yield* published(client, uri, 2)).toEqual([])
      client.notify("textDocument/didChange", changing(uri, 3, { text: BAD }))
      yield* published(client, uri, 3)
      client.analyses.failing = false
      client.notify("textDocument/didChange", changing(uri, 4, { text: BAD }))
      expect(yield* published(client, uri, 4)).toHaveLength(1)
      expect(logs(client).filter((message) => /unavailable/.test(String(message)))).toHaveLength(1)
      expect(logs(client)).toContain("the project can be analysed again")
    }).pipe(Effect.scoped)
  )

  it.live("at the start is waited for", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({})
      const client = yield* startServer(cwd)
      client.analyses.failing = true
      yield* client.request("initialize", { rootUri: `file://${cwd}`, capabilities: ABILITIES })
      client.notify("initialized", {})
      yield* client.until(({ params }) => /unavailable/.test(String(params?.message)))
      client.analyses.failing = false
      const uri = `file://${cwd}/src/a.ts`
      client.notify("textDocument/didOpen", opening(uri, BAD))
      expect(yield* published(client, uri, 1)).toHaveLength(1)
    }).pipe(Effect.scoped)
  )
})

describe("a finding without a place", () => {
  it.live("is logged with severity, code and how to explain it, once as long as it stays", () =>
    Effect.gen(function* () {
      const { client, uri } = yield* running
      client.notify("textDocument/didOpen", opening(uri, GOOD))
      yield* published(client, uri, 1)
      client.notify("textDocument/didChange", changing(uri, 2, { text: `${GOOD}\n` }))
      yield* published(client, uri, 2)
      const said = logs(client).filter((message) => String(message).includes("EFFX0002"))
      expect(said).toEqual([expect.stringMatching(/^error EFFX0002: .*it has no fault.*; effx explain EFFX0002$/)])
    }).pipe(Effect.scoped)
  )
})

it.live("refuses a file that is open under another name, and says which", () =>
  Effect.gen(function* () {
    const { client, cwd, uri } = yield* running
    symlinkSync(`${cwd}/src/a.ts`, `${cwd}/src/link.ts`)
    client.notify("textDocument/didOpen", opening(uri, GOOD))
    client.notify("textDocument/didOpen", opening(`file://${cwd}/src/link.ts`, BAD))
    yield* client.until(({ params }) => /same file as/.test(String(params?.message)))
    client.notify("textDocument/didChange", changing(`file://${cwd}/src/link.ts`, 2, { text: BAD }))
    yield* client.until(({ params }) => /is not open/.test(String(params?.message)))
    yield* published(client, uri, 1)
    expect(all(client, `file://${cwd}/src/link.ts`)).toEqual([])
  }).pipe(Effect.scoped)
)

it.live("finds a file that exists only later under its other name", () =>
  Effect.gen(function* () {
    const { client, cwd, uri } = yield* running
    const later = `file://${cwd}/src/later.ts`
    client.notify("textDocument/didOpen", opening(later, GOOD))
    yield* published(client, later, 1)
    symlinkSync(`${cwd}/src/a.ts`, `${cwd}/src/later.ts`)
    client.notify("textDocument/didOpen", opening(uri, GOOD))
    yield* client.until(({ params }) => /same file as/.test(String(params?.message)))
  }).pipe(Effect.scoped)
)
