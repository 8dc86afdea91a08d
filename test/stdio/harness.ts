/** Starts `server.ts` over real descriptors and awaits what it reports. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { buildShim, compiler, scratch } from "../native/toolchain.ts"

export const hasCompiler = compiler !== undefined
export const library = hasCompiler ? buildShim(scratch()) : ""
export const serverPath = join(import.meta.dirname, "server.ts")

export type Report = { readonly event: string } & Readonly<Record<string, unknown>>

export interface Server {
  readonly child: ChildProcess
  /** The first report of this name, past or to come. Rejects when the server ends without it. */
  readonly reported: (event: string) => Promise<Report>
  /** Everything that arrived on standard output, once the server has ended. */
  readonly output: Promise<Buffer>
  readonly exit: Promise<number | string>
}

/** Bytes that tell their place, as the server makes and expects them. */
export const pattern = (length: number): Buffer => Buffer.from(Uint8Array.from({ length }, (_, at) => at % 251))

/** Quotes a word for the shell. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** The command line of the server, for a shell. */
export const commandLine = (mode: string, ...rest: ReadonlyArray<string>): string =>
  [process.execPath, serverPath, mode, library, ...rest].map(quoted).join(" ")

/** Watches a process that reports on its standard error. */
export const observe = (child: ChildProcess): Server => {
  const reports: Array<Report> = []
  const waiting = new Map<string, Array<(report: Report) => void>>()
  let text = ""
  child.stderr?.setEncoding("utf8").on("data", (part: string) => {
    text += part
    const lines = text.split("\n")
    text = lines.pop() ?? ""
    for (const line of lines) {
      const report: Report = line.startsWith("{") ? JSON.parse(line) : { event: "said", line }
      reports.push(report)
      for (const resolve of waiting.get(report.event) ?? []) resolve(report)
    }
  })
  const chunks: Array<Buffer> = []
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk))
  const exit = new Promise<number | string>((resolve) => {
    child.on("close", (code, signal) => resolve(code ?? signal ?? "?"))
  })
  onTestFinished(() => void (child.exitCode === null && child.kill("SIGKILL")))
  return {
    child,
    reported: (event) =>
      new Promise((resolve, reject) => {
        const past = reports.find((report) => report.event === event)
        if (past !== undefined) return resolve(past)
        waiting.set(event, [...(waiting.get(event) ?? []), resolve])
        void exit.then((code) => reject(new Error(`ended with ${code}, without ${event}: ${JSON.stringify(reports)}`)))
      }),
    output: exit.then(() => Buffer.concat(chunks)),
    exit
  }
}

/** Starts the server on the pipes that this runtime makes for a child, as an editor would. */
export const start = (
  mode: string,
  rest: ReadonlyArray<string> = [],
  env: Readonly<Record<string, string>> = {}
): Server => observe(spawn(process.execPath, [serverPath, mode, library, ...rest], { env: { ...process.env, ...env } }))

/** Runs a shell command in which the server stands; its reports come over standard error. */
export const shell = (command: string, env: Readonly<Record<string, string>> = {}): Server =>
  observe(spawn("/bin/bash", ["-c", command], { env: { ...process.env, ...env } }))
