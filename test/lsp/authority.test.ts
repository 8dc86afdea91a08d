/** Which project a server serves, and what it may run (Spec 0018 §3; gate 7). */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { openSession } from "@effx/session"
import { Effect } from "effect"
import { folder, startServer } from "./harness.ts"

/** A config that leaves a trace when it runs. */
const config = (trace: string) =>
  `require("node:fs").appendFileSync(${JSON.stringify(trace)}, "x")\nexport default {}\n`

const initialize = Effect.fnUntraced(function* (
  cwd: string,
  params: object,
  options: Parameters<typeof startServer>[1] = {}
) {
  const client = yield* startServer(cwd, options)
  const answer = yield* client.request("initialize", { capabilities: {}, ...params })
  client.notify("initialized", {})
  return { answer, client }
})

const served = (client: Effect.Success<ReturnType<typeof startServer>>) =>
  Effect.map(
    client.until(({ params }) => /^serving /.test(String(params?.message))),
    ({ params }) => params?.message
  )

describe("the project", () => {
  it.live(
    "is the one of the single workspace folder, of rootUri, of rootPath, of the working directory, in this order",
    () =>
      Effect.gen(function* () {
        const [one, two, three, four] = yield* Effect.all([folder({}), folder({}), folder({}), folder({})])
        const workspaceFolders = [{ uri: `file://${one}`, name: "one" }]
        const params = [
          [{ workspaceFolders, rootUri: `file://${two}`, rootPath: three }, one],
          [{ workspaceFolders: [], rootUri: `file://${two}`, rootPath: three }, two],
          [{ workspaceFolders: null, rootUri: null, rootPath: three }, three],
          [{}, four]
        ] as const
        for (const [given, expected] of params) {
          const { client } = yield* initialize(four, given)
          expect(yield* served(client)).toBe(`serving ${expected}/tsconfig.json`)
        }
      }).pipe(Effect.scoped)
  )

  it.live("is not guessed from several folders, nor searched for in one without a tsconfig", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "deep/tsconfig.json": "{}", "deep/src/a.ts": "" })
      const { answer } = yield* initialize(cwd, {
        workspaceFolders: [{ uri: `file://${cwd}` }, { uri: `file://${cwd}/deep` }]
      })
      expect(answer.error).toMatchObject({ code: -32803, message: expect.stringMatching(/2 folders.*--project/) })
      const below = yield* initialize(cwd, { rootUri: `file://${cwd}/deep/src` })
      expect(below.answer.error).toMatchObject({ message: expect.stringContaining("--project") })
    }).pipe(Effect.scoped)
  )

  it.live("is the explicit one, whatever the client opens, from the working directory", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "deep/tsconfig.json": "{}" })
      const { client } = yield* initialize(
        cwd,
        { workspaceFolders: [{ uri: "file:///a" }, { uri: "file:///b" }] },
        { flags: { project: "deep" } }
      )
      expect(yield* served(client)).toBe(`serving ${cwd}/deep/tsconfig.json`)
    }).pipe(Effect.scoped)
  )

  it.live("is not on another machine", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({})
      for (const uri of ["vscode-remote://ssh/a", "untitled:a", "file://server/share"]) {
        const { answer } = yield* initialize(cwd, { rootUri: uri })
        expect(answer.error?.message, uri).toContain("is not a folder of this machine")
      }
    }).pipe(Effect.scoped)
  )
})

describe("a config that is found", () => {
  it.live("does not run without authority: initialize fails and names file and option", () =>
    Effect.gen(function* () {
      const other = yield* folder({})
      const trace = join(other, "trace")
      const cwd = yield* folder({ "effx.config.ts": config(trace) })
      const { answer, client } = yield* initialize(cwd, { rootUri: `file://${cwd}` })
      expect(answer.error).toMatchObject({
        code: -32803,
        message: expect.stringMatching(/effx\.config\.ts.*--trust-config/)
      })
      yield* client.request("shutdown")
      expect(existsSync(trace)).toBe(false)
    }).pipe(Effect.scoped)
  )

  it.live("does not run without authority when it appears after the server has looked for one", () =>
    Effect.gen(function* () {
      const trace = join(yield* folder({}), "trace")
      const cwd = yield* folder({})
      const open = ((options) => {
        writeFileSync(join(cwd, "effx.config.ts"), config(trace))
        return openSession(options)
      }) satisfies typeof openSession as typeof openSession
      const { answer, client } = yield* initialize(cwd, { rootUri: `file://${cwd}` }, { open })
      expect(answer.error).toBe(undefined)
      yield* served(client)
      expect(existsSync(trace)).toBe(false)
    }).pipe(Effect.scoped)
  )

  it.live("runs once with --trust-config, and so does one that --config names", () =>
    Effect.gen(function* () {
      const other = yield* folder({})
      const cwd = yield* folder({
        "effx.config.ts": config(join(other, "found")),
        "a/my.ts": config(join(other, "named"))
      })
      const trusted = yield* initialize(cwd, { rootUri: `file://${cwd}` }, { trustConfig: true })
      expect(trusted.answer.error).toBe(undefined)
      expect(existsSync(join(other, "found"))).toBe(true)
      const elsewhere = yield* folder({})
      const named = yield* initialize(cwd, { rootUri: `file://${elsewhere}` }, { flags: { config: "a/my.ts" } })
      expect(named.answer.error).toBe(undefined)
      expect(existsSync(join(other, "named"))).toBe(true)
      expect(yield* served(named.client)).toBe(`serving ${elsewhere}/tsconfig.json`)
    }).pipe(Effect.scoped)
  )

  it.live("that is wrong fails initialize with its place", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "effx.config.ts": "export default { outDir: 1 }\n" })
      const { answer } = yield* initialize(cwd, { rootUri: `file://${cwd}` }, { trustConfig: true })
      expect(answer.error?.message).toMatch(/^effx\.config\.ts:1:\d+ error EFFX0002: /)
    }).pipe(Effect.scoped)
  )
})

it.live("says what only the caller can know, where code was loaded", () =>
  Effect.gen(function* () {
    const cwd = yield* folder({ "effx.config.ts": "export default {}\n" })
    const { client } = yield* initialize(cwd, { rootUri: `file://${cwd}` }, { trustConfig: true })
    const { params } = yield* client.until(({ params }) => /only you know/.test(String(params?.message)))
    expect(params?.message).toContain("effx.config.ts")
  }).pipe(Effect.scoped)
)

it.live("gives up on initialize when the client cancels it", () =>
  Effect.gen(function* () {
    const cwd = yield* folder({
      "effx.config.ts": "await new Promise(() => setTimeout(() => {}, 1e9))\nexport default {}\n"
    })
    const client = yield* startServer(cwd, { trustConfig: true })
    client.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {} } })
    expect((yield* client.request("other")).error?.code).toBe(-32002)
    client.notify("$/cancelRequest", { id: 1 })
    const answer = yield* client.until(({ id }) => id === 1)
    expect(answer.error?.code).toBe(-32800)
  }).pipe(Effect.scoped)
)
