/**
 * A client that writes any bytes and takes every byte of standard output apart: what is no frame fails the test. For what a proper
 * client never does; driver.ts is the proper one.
 */
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process"
import { onTestFinished } from "vitest"
import { effx } from "../effx.ts"

export interface Message {
  readonly id?: number | string | null
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

export interface RawServer {
  readonly child: ChildProcess
  readonly pid: number
  readonly messages: ReadonlyArray<Message>
  readonly stderr: () => string
  readonly write: (bytes: Uint8Array | string) => void
  readonly send: (message: unknown) => void
  /** Sends a request and gives its response. */
  readonly request: (method: string, params?: unknown) => Promise<Message>
  readonly until: (predicate: (message: Message) => boolean) => Promise<Message>
  /** The exit code or signal, once all of standard output was frames. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

export const frame = (message: unknown): Buffer => {
  const body = Buffer.from(typeof message === "string" ? message : JSON.stringify(message))
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body])
}

/** Takes the complete frames off the beginning; throws on anything else. */
const framesOf = (bytes: Buffer): { readonly messages: ReadonlyArray<Message>; readonly rest: Buffer } => {
  const messages: Array<Message> = []
  let rest = bytes
  for (;;) {
    const head = /^Content-Length: (\d+)\r\n\r\n/.exec(rest.subarray(0, 40).toString("latin1"))
    if (head === null) {
      if (rest.length > 40 || !"Content-Length: ".startsWith(rest.subarray(0, 16).toString("latin1"))) {
        throw new Error(`standard output has bytes outside of a frame: ${rest.subarray(0, 200)}`)
      }
      return { messages, rest }
    }
    const end = head[0].length + Number(head[1])
    if (rest.length < end) return { messages, rest }
    messages.push(JSON.parse(rest.subarray(head[0].length, end).toString()) as Message)
    rest = rest.subarray(end)
  }
}

/** Watches a process whose standard output is the server's. */
export const observe = (child: ChildProcess): RawServer => {
  const messages: Array<Message> = []
  const waiting = new Set<() => void>()
  let rest: Buffer = Buffer.alloc(0)
  let broken: unknown
  let err = ""
  let over = false
  const tell = () => {
    for (const wake of [...waiting]) wake()
  }
  child.stdin?.on("error", () => {})
  child.stderr?.on("data", (chunk: Buffer) => {
    err += chunk.toString()
  })
  child.stdout?.on("data", (chunk: Buffer) => {
    try {
      const found = framesOf(Buffer.concat([rest, chunk]))
      messages.push(...found.messages)
      rest = found.rest
    } catch (error) {
      broken ??= error
    }
    tell()
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code, signal) => {
      over = true
      if (rest.length > 0) broken ??= new Error(`standard output ends within a frame: ${rest.subarray(0, 200)}`)
      if (broken === undefined) resolve(signal ?? code)
      else reject(broken)
      tell()
    })
  })
  const until: RawServer["until"] = (predicate) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = messages.find(predicate)
        if (found === undefined && !over) return
        waiting.delete(look)
        if (found === undefined) reject(new Error(`it ended without saying so: ${err}`))
        else resolve(found)
      }
      waiting.add(look)
      look()
    })
  const write = (bytes: Uint8Array | string) => void child.stdin?.write(bytes)
  const send = (message: unknown) => write(frame(message))
  let id = 0
  return {
    child,
    pid: child.pid as number,
    messages,
    stderr: () => err,
    write,
    send,
    request: (method, params) => {
      const own = `raw${++id}`
      send({ jsonrpc: "2.0", id: own, method, ...(params !== undefined && { params }) })
      return until((message) => message.id === own)
    },
    until,
    ended
  }
}

export interface RawOptions {
  readonly args?: ReadonlyArray<string>
  readonly stdio?: StdioOptions
  /** What starts the program: its own arguments come first. */
  readonly through?: ReadonlyArray<string>
}

/** Starts a server with which nothing is agreed. */
export const startRaw = (cwd: string, { args = [], stdio = "pipe", through = [] }: RawOptions = {}): RawServer => {
  const [program = effx, ...before] = [...through, effx]
  return observe(
    spawn(program, [...before, "lsp", ...args], {
      cwd,
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" },
      stdio
    })
  )
}

export const INITIALIZE = { processId: null, rootUri: null, capabilities: {} }

/** A whole session at once, as bytes. */
export const WHOLE_SESSION = Buffer.concat(
  [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE },
    { jsonrpc: "2.0", method: "initialized", params: {} },
    { jsonrpc: "2.0", id: 2, method: "shutdown" },
    { jsonrpc: "2.0", method: "exit" }
  ].map(frame)
)
