/**
 * Random sessions for the adapter in memory: valid ones, mutated, cut into any pieces, with garbage in between. A seed names one for
 * ever. What the server owes for each is checked by `runSequence`.
 */
import { Effect } from "effect"
import { exitCodeOf } from "../../src/lsp/index.ts"
import { fakeSession } from "./fake-session.ts"
import { type Client, frame, startServer } from "./harness.ts"

/** Numbers from 0 to below 1, the same for the same seed. */
const random = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Step {
  readonly bytes: Uint8Array
  /** The id of a request that has to be answered once. */
  readonly request?: string
  /** Whether nothing after it is read. */
  readonly last?: boolean
}

const TEXTS = ["", "export {}\n", "let a = FAULT\r\n", "𝔸𝔸\n\u2028x", "\ufeffa\r\rb", "\ud800", "x".repeat(3000)]

const METHODS = [
  "textDocument/hover",
  "workspace/symbol",
  "$/unknown",
  "textDocument/didOpen",
  "",
  "exit",
  "initialized"
]

/** The session of a seed, and the chunks in which it arrives. */
export const sequenceOf = (seed: number, cwd: string) => {
  const next = random(seed)
  const steps = makeSteps(next, cwd)
  const lastAt = steps.findIndex(({ last }) => last === true)
  const due = lastAt < 0 ? steps : steps.slice(0, lastAt)
  return {
    chunks: cut(next, Buffer.concat(steps.map(({ bytes }) => bytes))),
    steps,
    /** The requests that have to be answered once. */
    owed: due.flatMap(({ request }) => request ?? [])
  }
}

const makeSteps = (next: () => number, cwd: string): ReadonlyArray<Step> => {
  const below = (bound: number): number => Math.floor(next() * bound)
  const one = <A>(from: ReadonlyArray<A>): A => from[below(from.length)] as A
  const uris = [
    `file://${cwd}/src/a.ts`,
    `file://${cwd}/src/b%20c.ts`,
    "untitled:1",
    "::",
    `file://${cwd}/tsconfig.json`
  ]
  let ids = 0

  const odd = (): unknown =>
    one<unknown>([null, undefined, true, -1, 0, 1.5, 1e300, "", "x", "2", [], [[]], {}, { a: 1 }, 2 ** 31, -(2 ** 53)])

  /** A value like the given one, with one place of it replaced. */
  const mutated = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null || next() < 0.2) return odd()
    const keys = Object.keys(value)
    if (keys.length === 0) return odd()
    const key = one(keys)
    if (Array.isArray(value)) return value.map((item, at) => (String(at) === key ? mutated(item) : item))
    const entries = Object.entries(value).filter(([name]) => name !== key || next() < 0.9)
    return Object.fromEntries(entries.map(([name, item]) => [name, name === key ? mutated(item) : item]))
  }

  const position = () => ({ line: below(5), character: below(8) })
  const change = () =>
    next() < 0.3 ? { text: one(TEXTS) } : { range: { start: position(), end: position() }, text: one(TEXTS) }
  const notifications: ReadonlyArray<() => readonly [string, unknown]> = [
    () => [
      "textDocument/didOpen",
      { textDocument: { uri: one(uris), languageId: one(["typescript", "json"]), version: below(4), text: one(TEXTS) } }
    ],
    () => [
      "textDocument/didChange",
      { textDocument: { uri: one(uris), version: below(40) }, contentChanges: Array.from({ length: below(4) }, change) }
    ],
    () => ["textDocument/didClose", { textDocument: { uri: one(uris) } }],
    () => ["textDocument/didSave", { textDocument: { uri: one(uris) } }],
    () => ["initialized", {}],
    () => ["$/cancelRequest", { id: one<unknown>([`u${below(5)}`, below(5), null, {}]) }],
    () => ["workspace/didChangeWatchedFiles", { changes: [] }],
    () => ["$/setTrace", { value: "verbose" }]
  ]
  const request = (method: string, params: unknown): Step => {
    const id = `u${++ids}`
    return { bytes: frame({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) }), request: id }
  }
  const raw = (text: string | Uint8Array): Step => ({ bytes: Buffer.from(text as string) })
  const fatal = (text: string): Step => ({ bytes: Buffer.from(text), last: true })

  const steps: Array<() => Step> = [
    ...Array.from({ length: 8 }, () => () => {
      const [method, params] = one(notifications)()
      return { bytes: frame({ jsonrpc: "2.0", method, params: next() < 0.2 ? mutated(params) : params }) }
    }),
    () => request(one(METHODS), odd()),
    () =>
      request(
        "initialize",
        next() < 0.5 ? mutated({ processId: null, rootUri: `file://${cwd}`, capabilities: {} }) : {}
      ),
    () => ({ bytes: frame({ jsonrpc: "2.0", id: one([1, "1", 7]), method: one(METHODS) }) }),
    () => ({ bytes: frame(mutated({ jsonrpc: "2.0", id: 3, method: "a", params: {} }) ?? null) }),
    () => ({ bytes: frame({ jsonrpc: "2.0", id: one([1, null, "x"]), result: odd() ?? null }) }),
    () => raw(frame(one(["", "{", "[]", "null", "\u0000", '{"a":', "[1,2", '"', "\ufeff{}"]))),
    () => raw(frame(`${'{"a":['.repeat(below(2000))}`)),
    () => raw(Buffer.concat([Buffer.from("Content-Length: 4\r\n\r\n"), Buffer.of(0x7b, 0xff, 0xfe, 0x7d)])),
    () => raw("CONTENT-length:2\r\ncontent-type: a; charset=utf8\r\n\r\n{}")
  ]
  const endings: ReadonlyArray<() => Step> = [
    () => fatal("Content-Length: -1\r\n\r\n"),
    () => fatal("Content-Length: 99999999999\r\n\r\n"),
    () => fatal(`garbage ${next()}\r\n\r\n`),
    () => fatal("Content-Type: x; charset=latin1\r\nContent-Length: 2\r\n\r\n{}"),
    () => ({ bytes: frame({ jsonrpc: "2.0", method: "exit" }), last: true })
  ]
  const first = next() < 0.85 ? [request("initialize", { rootUri: `file://${cwd}`, capabilities: {} })] : []
  const middle = Array.from({ length: below(25) }, () => one(steps)())
  const last = next() < 0.3 ? [request("shutdown", odd())] : []
  const end = next() < 0.5 ? [one(endings)()] : []
  const after = next() < 0.2 ? [one(steps)()] : []
  return [...first, ...middle, ...last, ...end, ...after]
}

/** Cuts bytes at random places, often into single ones, seldom not at all. */
const cut = (next: () => number, bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const most = [1, 7, 100, 10_000][Math.floor(next() * 4)] ?? 1
  // Thousands of single bytes would say no more than hundreds.
  const size = bytes.length > 3000 ? Math.max(most, 100) : most
  const chunks: Array<Uint8Array> = []
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(next() * size)
    chunks.push(bytes.subarray(at, at + length))
    at += length
  }
  return chunks
}

const answersTo = ({ received }: Client, id: string): number => received.filter((message) => message.id === id).length

/** How long one sequence may take before it is taken for a hang. */
const HANG = "20 seconds"

/**
 * Runs the sequence of a seed.
 *
 * @returns what the server owed and did not give; undefined when it did
 */
export const runSequence = Effect.fnUntraced(function* (seed: number, cwd: string) {
  const { chunks, owed, steps } = sequenceOf(seed, cwd)
  const client = yield* startServer(cwd, { open: fakeSession })
  for (const chunk of chunks) client.raw(chunk)
  const answered = client.until(() => owed.every((id) => answersTo(client, id) > 0))
  if (owed.length > 0) yield* Effect.timeoutOption(Effect.raceFirst(answered, Effect.result(client.ending)), HANG)
  client.end()
  const ending = yield* Effect.timeoutOption(Effect.result(client.ending), HANG)
  if (ending._tag === "None") return `seed ${seed}: it hangs`
  if (ending.value._tag === "Failure") return `seed ${seed}: it fails with ${String(ending.value.failure)}`
  const how = ending.value.success
  if (how._tag === "Broken" && how.reason === "") return `seed ${seed}: it ends without a reason`
  for (const id of owed) {
    const count = answersTo(client, id)
    if (count !== 1) return `seed ${seed}: ${id} has ${count} responses; ${JSON.stringify(how)}`
  }
  for (const { request } of steps) {
    if (request !== undefined && answersTo(client, request) > 1) return `seed ${seed}: ${request} is answered twice`
  }
  const shutDown = client.received.some(({ id, result }) => result === null && typeof id === "string")
  if (exitCodeOf(how) === 0 && !shutDown) return `seed ${seed}: it ends with 0 without shutdown`
  return undefined
}, Effect.scoped)

/** Runs the sequences of some seeds, and gives what is wrong with them. */
export const runSequences = (from: number, count: number, cwd: string) =>
  Effect.map(
    Effect.forEach(Array.from({ length: count }), (_, at) => runSequence(from + at, cwd), { concurrency: 8 }),
    (problems) => problems.filter((problem) => problem !== undefined)
  )
