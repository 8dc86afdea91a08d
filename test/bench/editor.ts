/** One language server and one client that edits a document, as an editor would: the bench's side of the protocol. */
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node"

export interface ServerCommand {
  readonly name: string
  readonly command: ReadonlyArray<string>
  /**
   * How an edit is answered: by a publication of its version, by a publication that follows it, or by an answer to a question (the
   * protocol's pull diagnostics).
   */
  readonly answers: "version" | "publication" | "pull"
  readonly options?: unknown
}

/** A publication, and when it came. */
export interface Told {
  readonly uri: string
  readonly version: number | undefined
  readonly at: number
}

export interface Editor {
  readonly name: string
  readonly child: ChildProcess
  /** From the start of the process to the first findings, in milliseconds. */
  readonly first: number
  readonly told: ReadonlyArray<Told>
  /** Replaces the first `from` of a document, or the first `to` where it was replaced already; gives the version. */
  readonly type: (file: string) => { readonly uri: string; readonly version: number }
  /** The same, and waits for what is said of it; gives the time in milliseconds. */
  readonly edit: (file: string) => Promise<number>
  readonly until: (found: (told: Told) => boolean) => Promise<Told>
  readonly end: () => Promise<void>
}

/** What an edit replaces, and by what: every second one takes it back. */
export type Replacement = readonly [from: string, to: string]

interface Document {
  readonly uri: string
  text: string
  version: number
}

export const openEditor = async (
  { answers, command, name, options }: ServerCommand,
  folder: string,
  files: ReadonlyArray<string>,
  [from, to]: Replacement
): Promise<Editor> => {
  const began = performance.now()
  const [program = "", ...args] = command
  const child = spawn(program, args, { cwd: folder, stdio: ["pipe", "pipe", "ignore"] })
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin)
  )
  const told: Array<Told> = []
  const waiting = new Set<(one: Told) => void>()
  connection.onNotification("textDocument/publishDiagnostics", ({ uri, version }: Omit<Told, "at">) => {
    const one = { uri, version, at: performance.now() }
    told.push(one)
    for (const tell of [...waiting]) tell(one)
  })
  for (const asked of ["client/registerCapability", "window/workDoneProgress/create"]) {
    connection.onRequest(asked, () => null)
  }
  connection.onRequest("workspace/configuration", ({ items }: { readonly items: ReadonlyArray<unknown> }) =>
    items.map(() => null)
  )
  connection.onUnhandledNotification(() => {})
  connection.listen()
  const until = (found: (one: Told) => boolean): Promise<Told> =>
    new Promise((resolve) => {
      const look = (one: Told) => {
        if (!found(one)) return
        waiting.delete(look)
        resolve(one)
      }
      waiting.add(look)
    })
  const rootUri = pathToFileURL(folder).href
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: "bench" }],
    initializationOptions: options,
    capabilities: {
      general: { positionEncodings: ["utf-16"] },
      textDocument: {
        synchronization: {},
        publishDiagnostics: { relatedInformation: true, versionSupport: true },
        diagnostic: { dynamicRegistration: false, relatedDocumentSupport: false }
      },
      workspace: { workspaceFolders: true, configuration: true }
    }
  })
  await connection.sendNotification("initialized", {})

  const documents = new Map(
    files.map((file): readonly [string, Document] => [
      file,
      { uri: pathToFileURL(join(folder, file)).href, text: readFileSync(join(folder, file), "utf8"), version: 1 }
    ])
  )
  const pull = (uri: string) => connection.sendRequest("textDocument/diagnostic", { textDocument: { uri } })
  /** Sends something and waits for what is said of the document then. */
  const answered = async ({ uri }: Document, send: () => { readonly version: number }): Promise<void> => {
    let version: number | undefined
    const publication =
      answers === "pull"
        ? undefined
        : until((one) => one.uri === uri && (answers === "publication" || one.version === version))
    version = send().version
    await (publication ?? pull(uri))
  }
  const opened = async (document: Document): Promise<void> =>
    answered(document, () => {
      const { text, uri, version } = document
      void connection.sendNotification("textDocument/didOpen", {
        textDocument: { uri, languageId: "typescript", version, text }
      })
      return document
    })
  const [head, ...others] = documents.values()
  if (head !== undefined) await opened(head)
  const first = performance.now() - began
  for (const document of others) await opened(document)
  const type: Editor["type"] = (file) => {
    const document = documents.get(file)
    if (document === undefined) throw new Error(`${file} is not open`)
    const { text, uri } = document
    const [old, by] = text.includes(from) ? [from, to] : [to, from]
    const offset = text.indexOf(old)
    const before = text.slice(0, offset).split("\n")
    const [line, character] = [before.length - 1, before.at(-1)?.length ?? 0]
    document.text = text.slice(0, offset) + by + text.slice(offset + old.length)
    document.version++
    const range = { start: { line, character }, end: { line, character: character + old.length } }
    void connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: document.version },
      contentChanges: [{ range, text: by }]
    })
    return { uri, version: document.version }
  }
  return {
    name,
    child,
    first,
    told,
    type,
    until,
    edit: async (file) => {
      const document = documents.get(file)
      if (document === undefined) throw new Error(`${file} is not open`)
      const start = performance.now()
      await answered(document, () => type(file))
      return performance.now() - start
    },
    end: async () => {
      await connection.sendRequest("shutdown")
      await connection.sendNotification("exit")
      await new Promise((resolve) => child.once("close", resolve))
      connection.dispose()
    }
  }
}
