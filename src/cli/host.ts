/**
 * The package's one host module: the process itself, and synchronous writes to its descriptors.
 *
 * Output must be synchronous here: Bun's own streams lose data at exit, loop when the reader is gone, ignore a full disk and
 * leave the shared descriptor non-blocking for the next program. Nothing in the program touches `process.stdin`,
 * `process.stdout`, `process.stderr` or `console`.
 */
import * as fs from "node:fs"
import { dirname, extname } from "node:path"
import * as tty from "node:tty"
import { format } from "node:util"

/** How a write ended. `Closed`: nobody reads any more, which is not a failure. */
export type WriteOutcome =
  | { readonly _tag: "Written" }
  | { readonly _tag: "Closed" }
  | { readonly _tag: "Failed"; readonly reason: string }

const written: WriteOutcome = { _tag: "Written" }
const closed: WriteOutcome = { _tag: "Closed" }

/** The longest pause between two attempts on a descriptor that its owner made non-blocking and whose reader is slow. */
const LONGEST_PAUSE_MS = 20

const pause = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "no space is left on the device",
  EDQUOT: "the disk quota is used up",
  EIO: "the device reports an input/output error",
  EFBIG: "the file would become too large"
}

/**
 * Writes all bytes: goes on after a short count, waits while the reader is slow, stops where nobody reads. The descriptor's
 * flags are left as found.
 *
 * @param write the system's write: returns the number of bytes taken, throws an error with a `code`
 */
export const writeAllWith =
  (write: (descriptor: number, bytes: Uint8Array, offset: number, length: number) => number) =>
  (descriptor: number, bytes: Uint8Array): WriteOutcome => {
    let offset = 0
    let delay = 1
    while (offset < bytes.length) {
      try {
        offset += write(descriptor, bytes, offset, bytes.length - offset)
        delay = 1
      } catch (error) {
        const code = (error as { readonly code?: string }).code ?? ""
        if (code === "EINTR") continue
        if (code === "EPIPE" || code === "ECONNRESET" || code === "EBADF") return closed
        if (code !== "EAGAIN") return { _tag: "Failed", reason: REASONS[code] ?? (code || "unknown error") }
        pause(delay)
        delay = Math.min(delay * 2, LONGEST_PAUSE_MS)
      }
    }
    return written
  }

export const writeAll = writeAllWith((descriptor, bytes, offset, length) =>
  fs.writeSync(descriptor, bytes, offset, length)
)

export const isTerminal = (descriptor: number): boolean => tty.isatty(descriptor)

/**
 * The width of the terminal behind a descriptor, or undefined. It is asked through a descriptor of its own, since a stream
 * on the shared one would change its flags.
 */
export const terminalColumns = (descriptor: number): number | undefined => {
  if (!tty.isatty(descriptor)) return undefined
  try {
    const own = fs.openSync(`/proc/self/fd/${descriptor}`, fs.constants.O_WRONLY | fs.constants.O_NOCTTY)
    const stream = new tty.WriteStream(own)
    const columns = stream.columns
    stream.destroy()
    return columns > 0 ? columns : undefined
  } catch {
    return undefined
  }
}

export const commandLine = (): ReadonlyArray<string> => process.argv.slice(2)

export const environment = (name: string): string | undefined => process.env[name]

/**
 * Enters the folder in which the reader called the launcher, which itself starts elsewhere, and returns its path; undefined when
 * it cannot be entered any more.
 */
export const workingDirectory = (): string | undefined => {
  try {
    const called = process.env.EFFX_CWD
    if (called !== undefined) process.chdir(called)
    delete process.env.EFFX_CWD
    return process.cwd()
  } catch {
    return undefined
  }
}

let starting = 0
let home: string | undefined

/** Enters a folder; where it cannot, it stays. */
const enter = (folder: string | undefined): void => {
  try {
    if (folder !== undefined) process.chdir(folder)
  } catch {
    // The reader's folder is gone, and every path in use is absolute.
  }
}

/**
 * Starts a thread where no file of the reader has a say: for each thread Bun reads `tsconfig.json` and `package.json` of the working
 * directory and of every folder above it, and the thread, or Bun itself, ends where one of them is malformed. So the process is in the
 * program's own folder until the thread has said its first word.
 *
 * @param make starts it; it has to say something as soon as it runs
 */
export const startAside = (make: () => Worker): Worker => {
  if (starting++ === 0) {
    home = currentFolder()
    enter(import.meta.dirname)
  }
  let isBack = false
  const back = (): void => {
    if (isBack) return
    isBack = true
    if (--starting === 0) enter(home)
  }
  try {
    const thread = make()
    for (const event of ["message", "error", "close"]) thread.addEventListener(event, back, { once: true })
    return thread
  } catch (error) {
    back()
    throw error
  }
}

const currentFolder = (): string | undefined => {
  try {
    return process.cwd()
  } catch {
    return undefined
  }
}

/**
 * Calls a listener with what was thrown outside of anything that this program waits for. While somebody else listens too, as the
 * loader of a config does, it is theirs.
 */
export const onUncaught = (listener: (thrown: unknown) => void): void => {
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (thrown: unknown) => {
      if (process.listenerCount(event) === 1) listener(thrown)
    })
  }
}

/** Sends what a config or an extension logs to standard error, since standard output is a record that programs read. */
export const logToStandardError = (): void => {
  const log = (...values: ReadonlyArray<unknown>): void => {
    writeAll(2, new TextEncoder().encode(`${format(...values)}\n`))
  }
  for (const method of ["debug", "dir", "error", "info", "log", "table", "trace", "warn"] as const)
    console[method] = log
}

/** The signals that end the program, by their numbers. */
const ENDING = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
type EndingSignal = keyof typeof ENDING

let received: EndingSignal | undefined

/** The exit code that says by which signal the program was ended; that of SIGINT where there was none. */
export const endedCode = (): number => 128 + ENDING[received ?? "SIGINT"]

/** Whether a parent has arranged that a signal is ignored, as nohup does. */
const isIgnored = (signal: EndingSignal): boolean => {
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(fs.readFileSync("/proc/self/status", "latin1"))?.[1]
    return (BigInt(`0x${mask ?? "0"}`) & (1n << BigInt(ENDING[signal] - 1))) !== 0n
  } catch {
    return false
  }
}

/**
 * Runs a module in a thread of its own and ends the process with it: the code is what the thread exited with.
 *
 * The process itself does nothing but hand on the signals that end it, for which a thread cannot listen. The reason is Bun: it collects
 * the main thread's garbage after nearly every turn of the event loop and each second, and heeds `BUN_GC_TIMER_DISABLE` in threads only.
 *
 * @param module absolute path
 * @param onFault is called with why the thread ended, when it did not do so itself; the process then ends with the code that this gives
 */
export const runAsThread = (module: string, onFault: (message: string) => number): void => {
  const start = (): Worker => {
    try {
      return new Worker(module, { name: "program", argv: [...commandLine()] })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return process.exit(onFault(`${why}; it may be that this user may start no more processes (ulimit -u)`))
    }
  }
  const thread = start()
  thread.addEventListener("error", ({ message }) => process.exit(onFault(message)))
  thread.addEventListener("close", ({ code }) => process.exit(code))
  for (const signal of Object.keys(ENDING) as ReadonlyArray<EndingSignal>) {
    // A parent that wants the program to survive the end of its terminal arranges for just that signal to be ignored.
    if (signal !== "SIGHUP" || !isIgnored(signal)) process.on(signal, () => thread.postMessage(signal))
  }
}

/**
 * Takes note of the signals that the process hands on to its thread, and gives them to whoever listens for them in the usual way.
 *
 * @param onHangUp is called when the terminal is gone
 */
export const onEndingSignals = (onHangUp: () => void): void => {
  addEventListener("message", ({ data: signal }: MessageEvent<EndingSignal>) => {
    received ??= signal
    process.emit(signal, signal)
    if (signal === "SIGHUP") onHangUp()
  })
}

/** Ends the program at once, and the process with it, with everything already written. */
export const exit = (code: number): never => process.exit(code)

/** Where the program's main module lies. */
export const programFolder: string = import.meta.dirname

/** The program that the process runs as its thread: beside the main module, as source or bundled like it. */
export const programModule: string = `${programFolder}/program${extname(import.meta.filename)}`

/** The top folder of the installation, or of the repository: the program lies in the same depth of both. */
export const topFolder: string = dirname(dirname(programFolder))

/** The JavaScript runtime that runs the program. */
export const runtimePath: string = process.execPath

/** The version of that runtime. */
export const runtimeVersion: string = process.versions.bun ?? "unknown"

/** Where an executable on `PATH` really lies, or undefined. */
export const executableOnPath = (name: string): string | undefined => {
  for (const folder of (process.env.PATH ?? "").split(":")) {
    try {
      if (folder.startsWith("/")) return fs.realpathSync(`${folder}/${name}`)
    } catch {}
  }
  return undefined
}

/** Whether a path leads to a file that this process may execute. */
export const isExecutable = (path: string): boolean => {
  try {
    fs.accessSync(path, fs.constants.X_OK)
    return fs.statSync(path).isFile()
  } catch {
    return false
  }
}

/** Whether this process is in the foreground of its terminal, so that reading from it would not stop it. */
const isInForeground = (): boolean => {
  try {
    const fields = fs.readFileSync("/proc/self/stat", "latin1").replace(/^.*\)/s, "").trim().split(" ")
    return fields[2] === fields[5]
  } catch {
    return false
  }
}

/**
 * Lines that a person types at the terminal behind standard input, without touching that descriptor: an own one is asked from time
 * to time, and only in the foreground.
 *
 * @returns how to stop; undefined where standard input is no terminal
 */
export const onTypedLine = (listener: (line: string) => void): (() => void) | undefined => {
  if (!tty.isatty(0)) return undefined
  let own: number
  try {
    own = fs.openSync("/proc/self/fd/0", fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY)
  } catch {
    return undefined
  }
  const bytes = new Uint8Array(4096)
  const timer = setInterval(() => {
    if (!isInForeground()) return
    try {
      const count = fs.readSync(own, bytes)
      for (const line of new TextDecoder().decode(bytes.subarray(0, count)).split("\n").slice(0, -1)) listener(line)
    } catch {}
  }, TYPED_LINE_MS)
  return () => {
    clearInterval(timer)
    fs.closeSync(own)
  }
}

/** How often to look whether somebody typed a line, in milliseconds. */
const TYPED_LINE_MS = 150
