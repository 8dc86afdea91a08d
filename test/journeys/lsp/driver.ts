/**
 * Drives `effx lsp` as a subprocess through the JSON-RPC client that VS Code's own language client is built on. What the server says is
 * awaited by what it says, and nothing waits for time to pass.
 *
 * A publication answers a document's version; `quiet` answers everything that was done before it: it edits a document of its own, which
 * every state of the project has, and awaits the publication of that version.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, onTestFinished, vi } from "vitest"
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter
} from "vscode-jsonrpc/node"
import type {
  Diagnostic,
  InitializeParams,
  InitializeResult,
  LogMessageParams,
  PublishDiagnosticsParams,
  TextDocumentContentChangeEvent
} from "vscode-languageserver-protocol"
import { TextDocument } from "vscode-languageserver-textdocument"
import { childrenOf } from "../../children.ts"
import { isRunning } from "../dev/driver.ts"
import { effx } from "../effx.ts"

vi.setConfig({ testTimeout: 120_000 })

export interface LspEnded {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface StartOptions {
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** A command that runs the program: its own arguments come first. */
  readonly through?: ReadonlyArray<string>
  /** Changes what a complete client says at `initialize`. */
  readonly initialize?: Partial<InitializeParams>
}

/** A server whose process runs and with which nothing was agreed yet. */
export interface Server {
  readonly pid: number
  readonly child: ChildProcess
  readonly connection: MessageConnection
  /** Everything published so far, in order. */
  readonly publications: ReadonlyArray<PublishDiagnosticsParams>
  readonly logs: ReadonlyArray<LogMessageParams>
  readonly stderr: () => string
  /** Bytes outside a frame, broken JSON and the like. */
  readonly errors: ReadonlyArray<unknown>
  readonly initialize: (params?: Partial<InitializeParams>) => Promise<InitializeResult>
  /** The last publication of a document. */
  readonly last: (uri: string) => PublishDiagnosticsParams | undefined
  /** The first publication after the `from`th that the predicate takes. */
  readonly until: (
    predicate: (publication: PublishDiagnosticsParams) => boolean,
    from?: number
  ) => Promise<PublishDiagnosticsParams>
  readonly untilLog: (text: RegExp) => Promise<LogMessageParams>
  readonly untilStderr: (text: RegExp) => Promise<string>
  readonly ended: Promise<LspEnded>
  /** Shuts down as the protocol asks, and proves that the process and all that it started are gone. */
  readonly end: () => Promise<void>
  readonly kill: (signal: NodeJS.Signals) => Promise<LspEnded>
}

/** What a complete client can do; all of it is what VS Code says. */
export const CAPABILITIES: InitializeParams["capabilities"] = {
  general: { positionEncodings: ["utf-16"] },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { relatedInformation: true, versionSupport: true, codeDescriptionSupport: true }
  },
  workspace: { workspaceFolders: true }
}

export const uriOf = (path: string): string => pathToFileURL(path).href

/** How long a process that ends may take to be gone where other tests have the machine as well; lifecycle.test.ts holds it to a second. */
const NO_PROCESS_LEFT_MS = 10_000

/** Starts a server in a folder; it is killed at the end of the test if it still runs. */
export const spawnLsp = (cwd: string, options: Omit<StartOptions, "initialize"> = {}): Server => {
  const [program, ...before] = [...(options.through ?? []), effx]
  const child = spawn(program as string, [...before, "lsp", ...(options.args ?? [])], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...options.env },
    stdio: ["pipe", "pipe", "pipe"]
  })
  const publications: Array<PublishDiagnosticsParams> = []
  const latest = new Map<string, PublishDiagnosticsParams>()
  const logs: Array<LogMessageParams> = []
  const errors: Array<unknown> = []
  let err = ""
  let gone: LspEnded | undefined
  const waiting = new Set<() => void>()
  const tell = () => {
    for (const wake of [...waiting]) wake()
  }
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString()
    tell()
  })
  child.stdin.on("error", () => {})
  const ended = new Promise<LspEnded>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code, signal) => {
      gone = { code, signal }
      tell()
      resolve(gone)
    })
  })
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin)
  )
  connection.onError((error) => void errors.push(error))
  connection.onUnhandledNotification((notification) => void errors.push(notification))
  connection.onNotification("textDocument/publishDiagnostics", (publication: PublishDiagnosticsParams) => {
    publications.push(publication)
    latest.set(publication.uri, publication)
    tell()
  })
  connection.onNotification("window/logMessage", (message: LogMessageParams) => {
    logs.push(message)
    tell()
  })
  connection.listen()
  onTestFinished(() => {
    connection.dispose()
    child.kill("SIGKILL")
  })

  const shown = () =>
    [
      ...publications.slice(-20).map(({ uri, version, diagnostics }) => `${uri}@${version} ${codesOf(diagnostics)}`),
      ...logs.slice(-20).map(({ message }) => `log: ${message}`),
      err
    ].join("\n")

  /** Awaits that `find` finds something; the test's own deadline is the bound. */
  const awaited = <A>(find: () => A | undefined): Promise<A> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = find()
        if (found === undefined && gone === undefined) return
        waiting.delete(look)
        if (found !== undefined) return resolve(found)
        reject(new Error(`effx lsp ended with ${JSON.stringify(gone)} before it said so:\n${shown()}`))
      }
      waiting.add(look)
      look()
    })

  return {
    pid: child.pid as number,
    child,
    connection,
    publications,
    logs,
    errors,
    stderr: () => err,
    initialize: async (params) => {
      const answer = await connection.sendRequest<InitializeResult>("initialize", {
        processId: process.pid,
        clientInfo: { name: "journey" },
        rootUri: uriOf(cwd),
        workspaceFolders: [{ uri: uriOf(cwd), name: "app" }],
        capabilities: CAPABILITIES,
        ...params
      })
      await connection.sendNotification("initialized", {})
      return answer
    },
    last: (uri) => latest.get(uri),
    until: (predicate, from = 0) => {
      let at = from
      return awaited(() => {
        for (; at < publications.length; at++) {
          const publication = publications[at]
          if (publication !== undefined && predicate(publication)) return publication
        }
        return undefined
      })
    },
    untilLog: (text) => awaited(() => logs.find(({ message }) => text.test(message))),
    untilStderr: (text) => awaited(() => (text.test(err) ? err : undefined)),
    ended,
    end: async () => {
      const children = childrenOf(child.pid as number)
      await connection.sendRequest("shutdown")
      await connection.sendNotification("exit")
      expect(await ended, err).toEqual({ code: 0, signal: null })
      expect(errors).toEqual([])
      await withoutProcesses(children)
    },
    kill: (signal) => {
      child.kill(signal)
      return ended
    }
  }
}

/** Proves that processes are gone, or go at once. */
export const withoutProcesses = async (pids: ReadonlyArray<number>): Promise<void> => {
  const deadline = performance.now() + NO_PROCESS_LEFT_MS
  while (pids.some(isRunning) && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(pids.filter(isRunning)).toEqual([])
}

/** Starts a server and agrees with it as a complete client does. */
export const startLsp = async (cwd: string, { initialize, ...options }: StartOptions = {}): Promise<Server> => {
  const server = spawnLsp(cwd, options)
  await server.initialize(initialize)
  return server
}

export interface OpenDocument {
  readonly uri: string
  readonly version: () => number
  readonly text: () => string
  /** Replaces the first occurrence of each, one after the other, in one notification. */
  readonly edit: (...edits: ReadonlyArray<readonly [from: string | RegExp, to: string]>) => void
  readonly replaceAll: (text: string) => void
  /** Makes it another text by one change of what differs. */
  readonly become: (text: string) => void
  /** Sends changes under the next version, or under the one that is given. */
  readonly change: (changes: ReadonlyArray<TextDocumentContentChangeEvent>, version?: number) => void
  readonly close: () => void
  /** What is published for the version as it is now. */
  readonly diagnostics: () => Promise<ReadonlyArray<Diagnostic>>
}

export interface OpenOptions {
  /** What the editor shows; the file's own content otherwise. */
  readonly text?: string
  readonly version?: number
  /** How the client spells the document. */
  readonly uri?: string
}

/** Opens a document as an editor does. */
export const open = (server: Server, path: string, options: OpenOptions = {}): OpenDocument => {
  const uri = options.uri ?? uriOf(path)
  const text = options.text ?? (existsSync(path) ? readFileSync(path, "utf8") : "")
  const from = server.publications.length
  let document = TextDocument.create(uri, "typescript", options.version ?? 1, text)
  const send = (method: string, params: object) => void server.connection.sendNotification(method, params)
  send("textDocument/didOpen", { textDocument: { uri, languageId: "typescript", version: document.version, text } })
  const change: OpenDocument["change"] = (changes, version = document.version + 1) => {
    send("textDocument/didChange", { textDocument: { uri, version }, contentChanges: changes })
    if (version > document.version) document = TextDocument.update(document, [...changes], version)
  }
  return {
    uri,
    version: () => document.version,
    text: () => document.getText(),
    change,
    edit: (...edits) => {
      let state = document
      const changes = edits.map(([what, to]) => {
        const now = state.getText()
        const found = typeof what === "string" ? what : (what.exec(now)?.[0] ?? "")
        const start = now.indexOf(found)
        if (start < 0 || (found === "" && what !== "")) throw new Error(`${uri} has no ${what}`)
        const range = { start: state.positionAt(start), end: state.positionAt(start + found.length) }
        const one = { range, text: to }
        state = TextDocument.update(TextDocument.create(uri, "typescript", 0, now), [one], 1)
        return one
      })
      change(changes)
    },
    replaceAll: (all) => change([{ text: all }]),
    become: (to) => {
      const now = document.getText()
      const { end, start } = difference(now, to)
      const range = { start: document.positionAt(start), end: document.positionAt(now.length - end) }
      change([{ range, text: to.slice(start, to.length - end) }])
    },
    close: () => send("textDocument/didClose", { textDocument: { uri } }),
    diagnostics: async () => {
      const { version } = document
      const found = await server.until((one) => one.uri === uri && one.version === version, from)
      return found.diagnostics
    }
  }
}

/** Whether an offset lies within a character or a line break of two units, where no editor puts its cursor. */
const splits = (text: string, offset: number): boolean =>
  /^([\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(Math.max(0, offset - 1), offset + 1))

/** How many units of two texts are equal at the beginning and at the end. */
export const difference = (from: string, to: string): { readonly start: number; readonly end: number } => {
  const least = Math.min(from.length, to.length)
  let start = 0
  while (start < least && from[start] === to[start]) start++
  while (splits(from, start) || splits(to, start)) start--
  let end = 0
  while (end < least - start && from.at(-1 - end) === to.at(-1 - end)) end++
  while (splits(from, from.length - end) || splits(to, to.length - end)) end--
  return { start, end }
}

export const codesOf = (diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<string> =>
  diagnostics.map(({ code }) => String(code))

/** A diagnostic of a batch of `effx check --format json`. */
interface Finding {
  readonly code: string
  readonly severity: "error" | "warning" | "info"
  readonly message: string
  readonly file?: string
  readonly line?: number
  readonly col?: number
}

const SEVERITIES = { error: 1, warning: 2, info: 3 } as const

const firstLine = (message: Diagnostic["message"]): string | undefined => String(message).split("\n")[0]

/** What a document shows, in the terms of `shownOf`. */
export const shown = (diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<string> =>
  diagnostics.map(
    ({ code, message, range, severity, source }) =>
      `${range.start.line}:${range.start.character}-${range.end.line}:${range.end.character} ${severity} ${source} ${code} ${firstLine(message)}`
  )

/** What `effx check --format json` says, by file relative to the project, in the terms of what a document shows. */
export const shownOf = (jsonLines: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const byFile = new Map<string, Array<string>>()
  for (const line of jsonLines.trimEnd().split("\n")) {
    const record = JSON.parse(line) as Finding & { readonly kind: string }
    if (record.kind !== "diagnostic" || record.file === undefined) continue
    const at = `${(record.line ?? 1) - 1}:${(record.col ?? 1) - 1}`
    const text = `${at}-${at} ${SEVERITIES[record.severity]} effx ${record.code} ${firstLine(record.message)}`
    byFile.set(record.file, [...(byFile.get(record.file) ?? []), text])
  }
  return byFile
}

/** A document that every state of a project has, and that says nothing. */
export const COOKIE = "src/cookie.ts"

/** Edits a document of its own and awaits the answer: what was published before it is about everything that was done before. */
export const quietOf = (server: Server, cwd: string): (() => Promise<void>) => {
  const cookie = open(server, join(cwd, COOKIE), { text: "export const cookie = 0\n" })
  let count = 0
  return async () => {
    cookie.replaceAll(`export const cookie = ${++count}\n`)
    await cookie.diagnostics()
  }
}
