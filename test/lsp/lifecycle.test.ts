/** The life of a server: what it answers when, and how it ends (LSP 3.17, Lifecycle Messages; gate 6 of Spec 0018). */
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { exitCodeOf, LIMITS } from "../../src/lsp/index.ts"
import { type Client, folder, initialized, opening, startServer } from "./harness.ts"

const started = Effect.flatMap(folder({}), (cwd) => startServer(cwd))
const running = Effect.flatMap(folder({}), (cwd) => initialized(cwd))

const codeOf = (client: Client, method: string, params?: unknown) =>
  Effect.map(client.request(method, params), ({ error }) => error?.code)

describe("before initialize", () => {
  it.live("every request but it is refused", () =>
    Effect.gen(function* () {
      const client = yield* started
      expect(yield* codeOf(client, "shutdown")).toBe(-32002)
      expect(yield* codeOf(client, "textDocument/hover", {})).toBe(-32002)
      expect(yield* codeOf(client, "initialize", {})).toBe(undefined)
    }).pipe(Effect.scoped)
  )

  it.live("exit ends with 1", () =>
    Effect.gen(function* () {
      const client = yield* started
      client.notify("exit")
      expect(exitCodeOf(yield* Effect.orDie(client.ending))).toBe(1)
    }).pipe(Effect.scoped)
  )

  it.live("notifications are dropped", () =>
    Effect.gen(function* () {
      const client = yield* started
      client.notify("textDocument/didOpen", { textDocument: { uri: "file:///a.ts", version: 1, text: "" } })
      yield* client.untilLine(/didOpen is ignored/)
      expect(client.received).toEqual([])
    }).pipe(Effect.scoped)
  )
})

describe("initialize", () => {
  it.live("answers exactly what the server can do", () =>
    Effect.gen(function* () {
      const client = yield* started
      const { result } = yield* client.request("initialize", { processId: null, rootUri: null, capabilities: {} })
      const golden = join(import.meta.dirname, "golden/initialize-result.json")
      yield* Effect.promise(() => expect(`${JSON.stringify(result, null, 2)}\n`).toMatchFileSnapshot(golden))
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["absent", undefined],
    ["null", null],
    ["a list", []],
    ["a number", 1]
  ] as const)("needs an object for its parameters: %s", ([_, params]) =>
    Effect.gen(function* () {
      const client = yield* started
      expect(yield* codeOf(client, "initialize", params)).toBe(-32602)
    }).pipe(Effect.scoped)
  )

  it.live.each([
    { processId: "1" },
    { rootUri: 1 },
    { workspaceFolders: {} },
    { workspaceFolders: [{}] },
    { capabilities: { textDocument: { publishDiagnostics: { versionSupport: "yes" } } } }
  ])("refuses parameters of another type: %j", (params) =>
    Effect.gen(function* () {
      const client = yield* started
      expect(yield* codeOf(client, "initialize", params)).toBe(-32602)
    }).pipe(Effect.scoped)
  )

  it.live("may come once only, also where it failed", () =>
    Effect.gen(function* () {
      const client = yield* running
      expect(yield* codeOf(client, "initialize", {})).toBe(-32600)
      const other = yield* started
      expect(yield* codeOf(other, "initialize", null)).toBe(-32602)
      expect(yield* codeOf(other, "initialize", {})).toBe(-32600)
      expect(yield* codeOf(other, "shutdown")).toBe(-32002)
    }).pipe(Effect.scoped)
  )
})

describe("while it runs", () => {
  it.live("unknown requests are refused, unknown notifications ignored", () =>
    Effect.gen(function* () {
      const client = yield* running
      client.notify("workspace/didChangeConfiguration", {})
      client.notify("$/setTrace", { value: "off" })
      client.notify("$/cancelRequest", { id: 77 })
      client.notify("$/cancelRequest", null)
      for (const method of [
        "textDocument/diagnostic",
        "workspace/executeCommand",
        "$/unknown",
        "exit",
        "initialized"
      ]) {
        expect(yield* codeOf(client, method, {}), method).toBe(-32601)
      }
    }).pipe(Effect.scoped)
  )

  it.live("malformed notifications are logged and answered with nothing", () =>
    Effect.gen(function* () {
      const client = yield* running
      for (const params of [undefined, null, [], {}, { textDocument: 1 }, { textDocument: { uri: 1 } }]) {
        for (const method of ["didOpen", "didChange", "didClose"]) client.notify(`textDocument/${method}`, params)
      }
      yield* codeOf(client, "last")
      expect(client.received.filter(({ error }) => error !== undefined)).toHaveLength(1)
      expect(client.lines.filter((line) => line.includes("is ignored"))).toHaveLength(18)
    }).pipe(Effect.scoped)
  )

  it.live("what is no message is answered as JSON-RPC says, and the session goes on", () =>
    Effect.gen(function* () {
      const client = yield* running
      const from = client.received.length
      client.send("{")
      client.send("[]")
      client.send('{"jsonrpc":"2.0","id":5}')
      client.send('{"jsonrpc":"2.0","id":5,"result":1}')
      expect(yield* codeOf(client, "last")).toBe(-32601)
      expect(client.received.slice(from).flatMap(({ error, id }) => (error ? [[id, error.code]] : []))).toEqual([
        [null, -32700],
        [null, -32600],
        [5, -32600],
        [expect.anything(), -32601]
      ])
    }).pipe(Effect.scoped)
  )

  it.live("a broken frame ends it with 1 and a reason", () =>
    Effect.gen(function* () {
      const client = yield* running
      client.raw(Buffer.from("Content-Length: -1\r\n\r\n"))
      const ending = yield* Effect.orDie(client.ending)
      expect(ending).toMatchObject({ _tag: "Broken", reason: expect.stringContaining("Content-Length") })
      expect(exitCodeOf(ending)).toBe(1)
      expect(client.lines.join("\n")).toContain("Content-Length")
    }).pipe(Effect.scoped)
  )
})

describe("a mistake of the program itself", () => {
  it.live("in opening a project is the answer of initialize", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({})
      const client = yield* startServer(cwd, { open: (() => Effect.die("oops")) as never })
      const { error } = yield* client.request("initialize", { capabilities: {} })
      expect(error).toMatchObject({ code: -32603, message: "internal fault: oops" })
      client.notify("exit")
      expect(exitCodeOf(yield* Effect.orDie(client.ending))).toBe(1)
    }).pipe(Effect.scoped)
  )

  it.live("in a session that runs ends the server with it", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({})
      const prepared = { selection: { cwd, folder: cwd, tsconfig: "" } }
      const open = () =>
        Effect.succeed({ prepared, recheck: Effect.void, setOverlays: () => Effect.void, run: Effect.die("oops") })
      const client = yield* startServer(cwd, { open: open as never })
      yield* client.request("initialize", { capabilities: {} })
      expect(String(yield* Effect.flip(Effect.sandbox(client.ending)))).toContain("oops")
    }).pipe(Effect.scoped)
  )
})

describe("more than the session can hold", () => {
  const limited = (description: string, fill: (client: Client) => void, more: (client: Client) => void) =>
    it.live(description, () =>
      Effect.gen(function* () {
        const client = yield* running
        fill(client)
        expect(yield* codeOf(client, "still there")).toBe(-32601)
        more(client)
        const ending = yield* Effect.orDie(client.ending)
        expect(ending).toMatchObject({ _tag: "Broken", reason: expect.stringContaining("at most") })
        expect(exitCodeOf(ending)).toBe(1)
      }).pipe(Effect.scoped)
    )
  const opened = (client: Client, at: number, text = "") =>
    client.notify("textDocument/didOpen", opening(`untitled:${at}`, text))

  limited(
    "ends it with a reason: one document more than may be open",
    (client) => {
      for (let at = 0; at < LIMITS.openDocuments; at++) opened(client, at)
    },
    (client) => opened(client, LIMITS.openDocuments)
  )

  const part = "x".repeat(LIMITS.overlayBytes / 16)
  limited(
    "ends it with a reason: one byte more than all may have",
    (client) => {
      for (let at = 0; at < 16; at++) opened(client, at, part)
    },
    (client) => opened(client, 16, "x")
  )
})

describe("shutdown", () => {
  it.live.each([
    ["absent", undefined],
    ["null", null],
    ["an object", {}],
    ["a list", []]
  ] as const)("takes any parameters: %s; and exit ends with 0", ([_, params]) =>
    Effect.gen(function* () {
      const client = yield* running
      expect(yield* client.request("shutdown", params)).toMatchObject({ result: null })
      for (const method of ["shutdown", "initialize", "textDocument/hover"]) {
        expect(yield* codeOf(client, method, {}), method).toBe(-32600)
      }
      client.notify("exit", params)
      expect(exitCodeOf(yield* Effect.orDie(client.ending))).toBe(0)
    }).pipe(Effect.scoped)
  )

  it.live("says nothing about documents any more", () =>
    Effect.gen(function* () {
      const client = yield* running
      yield* client.request("shutdown")
      const from = client.received.length
      client.notify("textDocument/didOpen", { textDocument: { uri: "file:///a.ts", version: 1, text: "" } })
      yield* codeOf(client, "last")
      expect(client.received.slice(from)).toHaveLength(1)
    }).pipe(Effect.scoped)
  )
})

describe("the end", () => {
  it.live("is 1 with exit alone, with the end of the input and with the death of the client", () =>
    Effect.gen(function* () {
      const exits = yield* running
      exits.notify("exit")
      expect(exitCodeOf(yield* Effect.orDie(exits.ending))).toBe(1)
      const ends = yield* running
      ends.end()
      expect(yield* Effect.orDie(ends.ending)).toEqual({ _tag: "InputEnded", afterShutdown: false })
      const dies = yield* running
      dies.die()
      expect(exitCodeOf(yield* Effect.orDie(dies.ending))).toBe(1)
    }).pipe(Effect.scoped)
  )

  it.live("is 0 with the end of the input after shutdown", () =>
    Effect.gen(function* () {
      const client = yield* running
      yield* client.request("shutdown")
      client.end()
      expect(exitCodeOf(yield* Effect.orDie(client.ending))).toBe(0)
    }).pipe(Effect.scoped)
  )

  it.live("comes after everything that was sent before, also all at once", () =>
    Effect.gen(function* () {
      const client = yield* started
      client.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {} } })
      client.notify("initialized", {})
      client.send({ jsonrpc: "2.0", id: 2, method: "shutdown" })
      client.notify("exit")
      client.end()
      expect(exitCodeOf(yield* Effect.orDie(client.ending))).toBe(0)
      expect(client.received.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2]))
    }).pipe(Effect.scoped)
  )

  it.live("does not wait for a config that never settles", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "effx.config.ts": "await new Promise(() => setTimeout(() => {}, 1e9))\n" })
      const leaving = [
        [1000, (client: Client) => client.end()],
        [10, (client: Client) => client.notify("exit")]
      ] as const
      for (const [count, leave] of leaving) {
        const client = yield* startServer(cwd, { trustConfig: true })
        client.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {} } })
        for (let at = 0; at < count; at++) client.notify("initialized", {})
        leave(client)
        const [took, ending] = yield* Effect.timed(Effect.orDie(client.ending))
        expect(exitCodeOf(ending)).toBe(1)
        expect(Duration.toMillis(took)).toBeLessThan(5_000)
      }
    }).pipe(Effect.scoped)
  )

  it.live("names what is left of a message", () =>
    Effect.gen(function* () {
      const client = yield* running
      client.raw(Buffer.from("Content-Length: 10\r\n\r\n{}"))
      client.end()
      expect(yield* Effect.orDie(client.ending)).toMatchObject({
        _tag: "Broken",
        reason: expect.stringContaining("within a message")
      })
    }).pipe(Effect.scoped)
  )
})
