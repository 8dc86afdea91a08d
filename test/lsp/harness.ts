/** A server and its client in one process: real sessions and files, no engine, and a client that counts every byte. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import type { StdioError } from "@effx/stdio"
import { type Cause, Deferred, Effect, Exit, Fiber, Layer, Queue, Scope, Stream } from "effect"
import { type Ending, type ServerOptions, serve, type Transport } from "../../src/lsp/index.ts"
import { type Analyses, analyses, fakeFrontend } from "./fake-frontend.ts"

export interface Message {
  readonly jsonrpc: string
  readonly id?: number | string | null
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** Takes a frame apart as strictly as any client could; fails on a byte that does not belong to it. */
const messageOf = (frame: Uint8Array): Message => {
  const text = Buffer.from(frame).toString("utf8")
  const [head = "", length = ""] = /^Content-Length: (\d+)\r\n\r\n/.exec(text) ?? []
  if (head === "" || frame.length !== head.length + Number(length)) throw new Error(`no frame: ${text.slice(0, 200)}`)
  return JSON.parse(text.slice(head.length)) as Message
}

export const frame = (message: unknown): Uint8Array => {
  const body = Buffer.from(typeof message === "string" ? message : JSON.stringify(message))
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body])
}

/** A folder with files, which is gone at the end of the scope. */
export const folder = (files: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const made = realpathSync(mkdtempSync(join(tmpdir(), "effx-lsp-")))
      for (const [name, text] of Object.entries({ "tsconfig.json": "{}\n", ...files })) {
        mkdirSync(dirname(join(made, name)), { recursive: true })
        writeFileSync(join(made, name), text)
      }
      return made
    }),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )

export interface Client {
  readonly received: ReadonlyArray<Message>
  readonly lines: ReadonlyArray<string>
  readonly analyses: Analyses
  readonly raw: (bytes: Uint8Array) => void
  readonly send: (message: unknown) => void
  readonly notify: (method: string, params?: unknown) => void
  /** Sends a request and awaits its response. */
  readonly request: (method: string, params?: unknown) => Effect.Effect<Message>
  /** Awaits a message, past or to come. */
  readonly until: (predicate: (message: Message) => boolean, from?: number) => Effect.Effect<Message>
  readonly untilLine: (text: RegExp) => Effect.Effect<string>
  /** Ends the input. */
  readonly end: () => void
  readonly die: () => void
  /** Whether frames are taken; while they are not, they wait. */
  readonly taking: (does: boolean) => void
  readonly ending: Effect.Effect<Ending, unknown>
}

/** Starts a server; it ends with the scope. */
export const startServer = Effect.fnUntraced(function* (cwd: string, options: Partial<ServerOptions> = {}) {
  const control = analyses()
  const input = yield* Queue.unbounded<Uint8Array, StdioError | Cause.Done>()
  const ended = yield* Deferred.make<void>()
  const gone = yield* Deferred.make<void>()
  const received: Array<Message> = []
  const lines: Array<string> = []
  const waiting = new Set<() => void>()
  const tell = () => {
    for (const wake of [...waiting]) wake()
  }
  let open = yield* Deferred.make<void>()
  yield* Deferred.succeed(open, undefined)
  const transport: Transport = {
    chunks: Stream.fromQueue(input),
    inputEnded: Deferred.await(ended),
    write: (bytes) =>
      Effect.andThen(
        Effect.suspend(() => Deferred.await(open)),
        Effect.sync(() => {
          received.push(messageOf(bytes))
          tell()
        })
      ),
    flush: Effect.void,
    watchClient: () => Effect.void,
    clientGone: Deferred.await(gone),
    closed: Effect.never
  }
  const scope = yield* Effect.scope
  const fiber = yield* serve(transport, {
    flags: {},
    cwd,
    coverage: { files: [], folders: [] },
    trustConfig: false,
    catalogue: undefined,
    version: "0.0.0",
    report: (line) => {
      lines.push(line)
      tell()
    },
    ...options
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.mergeAll(NodeServices.layer, fakeFrontend(control))),
    Effect.forkIn(scope)
  )
  yield* Scope.addFinalizer(scope, Fiber.interrupt(fiber))

  const awaited = <A>(find: () => A | undefined): Effect.Effect<A> =>
    Effect.callback((resume) => {
      const look = () => {
        const found = find()
        if (found === undefined) return
        waiting.delete(look)
        resume(Effect.succeed(found))
      }
      waiting.add(look)
      look()
      return Effect.sync(() => waiting.delete(look))
    })
  const raw = (bytes: Uint8Array) => void Queue.offerUnsafe(input, bytes)
  const send = (message: unknown) => raw(frame(message))
  const until: Client["until"] = (predicate, from = 0) => awaited(() => received.slice(from).find(predicate))
  let id = 0
  const client: Client = {
    received,
    lines,
    analyses: control,
    raw,
    send,
    notify: (method, params) => send({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) }),
    request: (method, params) =>
      Effect.suspend(() => {
        const own = `r${++id}`
        send({ jsonrpc: "2.0", id: own, method, ...(params !== undefined && { params }) })
        return until((message) => message.id === own)
      }),
    until,
    untilLine: (text) => awaited(() => lines.find((line) => text.test(line))),
    end: () => {
      Queue.endUnsafe(input)
      Deferred.doneUnsafe(ended, Exit.void)
    },
    die: () => void Deferred.doneUnsafe(gone, Exit.void),
    taking: (does) => {
      if (does) Deferred.doneUnsafe(open, Exit.void)
      else open = Deferred.makeUnsafe()
    },
    ending: Fiber.join(fiber)
  }
  return client
})

export const ABILITIES = {
  textDocument: {
    publishDiagnostics: { versionSupport: true, relatedInformation: true, codeDescriptionSupport: true }
  }
}

/** Starts a server that is initialized. */
export const initialized = Effect.fnUntraced(function* (cwd: string, options: Partial<ServerOptions> = {}) {
  const client = yield* startServer(cwd, options)
  yield* client.request("initialize", { processId: null, rootUri: `file://${cwd}`, capabilities: ABILITIES })
  client.notify("initialized", {})
  return client
})

export const opening = (uri: string, text: string, version = 1) => ({
  textDocument: { uri, languageId: "typescript", version, text }
})

export const changing = (uri: string, version: number, ...contentChanges: ReadonlyArray<unknown>) => ({
  textDocument: { uri, version },
  contentChanges
})

/** Whether a message publishes a version of a document. */
export const publishes = (uri: string, version?: number) => (message: Message) =>
  message.method === "textDocument/publishDiagnostics" &&
  message.params?.uri === uri &&
  (version === undefined || message.params?.version === version)
