/**
 * Drives `effx dev --format json` as a subprocess: records are awaited by what they say, and nothing waits for time to pass.
 *
 * `settled` is the proof of quiet: it changes a file of the project and awaits the record that covers that change, so that
 * everything done before it has been seen.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { onTestFinished, vi } from "vitest"
import { copyFixture, effx, temporaryFolder } from "../effx.ts"

// A record that never comes shows soon enough, also on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

export interface Finding {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly file?: string
  readonly line?: number
  readonly col?: number
}

/** A record of effx.dev.v1; which properties there are depends on `kind`. */
export interface DevRecord {
  readonly kind: string
  readonly cycle: number
  readonly reason: string
  readonly files: ReadonlyArray<unknown>
  readonly removed: ReadonlyArray<string>
  readonly diagnostics: ReadonlyArray<Finding>
  readonly errors: number
  readonly inputs: number
  readonly message: string
  readonly stage: string
  readonly revision: string | null
}

export interface DevEnded {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Dev {
  readonly pid: number
  readonly records: ReadonlyArray<DevRecord>
  /** The next record that the predicate takes; those before it are passed over for good. */
  readonly until: (predicate: (record: DevRecord) => boolean) => Promise<DevRecord>
  readonly untilKind: (kind: string) => Promise<DevRecord>
  /** The last full batch, once everything that was done before has been seen. */
  readonly settled: () => Promise<DevRecord>
  readonly ended: Promise<DevEnded>
  readonly stderr: () => string
  /** Sends a signal and awaits the end. */
  readonly end: (signal?: NodeJS.Signals) => Promise<DevEnded>
}

/** How long a cookie may go unmentioned: a state that was read anew in whole names none, so it is changed once more. */
const COOKIE_MS = 5_000

export const COOKIE = "src/cookie.ts"

let cookies = 0

/** Replaces a file in one step, as editors do. */
export const save = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  const staged = join(dirname(file), `.${process.pid}-${cookies++}.swp`)
  writeFileSync(staged, text)
  renameSync(staged, file)
}

export const edit = (file: string, from: string | RegExp, to: string): void => {
  const before = readFileSync(file, "utf8")
  const after = before.replace(from, to)
  if (after === before) throw new Error(`${file} has no ${from}`)
  save(file, after)
}

/** Whether a process runs; one that only waits for its parent to notice does not. */
export const isRunning = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"))
  } catch {
    return false
  }
}

/** Looks again and again until something holds; the test's own deadline is the bound. */
export const eventually = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  /** A command that runs the program: its own arguments come first. */
  readonly through?: ReadonlyArray<string>
}

/** Starts a session in a folder; it is killed at the end of the test if it still runs. */
export const startDev = (cwd: string, args: ReadonlyArray<string> = [], options: StartOptions = {}): Dev => {
  const [program, ...before] = [...(options.through ?? []), effx]
  const child: ChildProcess = spawn(program as string, [...before, "dev", "--format", "json", ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...options.env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const records: Array<DevRecord> = []
  let cursor = 0
  let rest = ""
  let err = ""
  let gone: DevEnded | undefined
  const waiting = new Set<() => void>()
  const tell = () => {
    for (const wake of [...waiting]) wake()
  }
  child.stdout?.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) records.push(JSON.parse(line))
    tell()
  })
  child.stderr?.on("data", (chunk: Buffer) => {
    err += chunk.toString()
  })
  const ended = new Promise<DevEnded>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code, signal) => {
      gone = { code, signal }
      tell()
      resolve(gone)
    })
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const shown = () => records.map((record) => JSON.stringify(record).slice(0, 300)).join("\n")
  const until = (predicate: (record: DevRecord) => boolean, patience?: number): Promise<DevRecord> =>
    new Promise((resolve, reject) => {
      let at = cursor
      const stop = () => {
        waiting.delete(look)
        clearTimeout(timer)
      }
      const look = () => {
        for (; at < records.length; at++) {
          const record = records[at]
          if (record === undefined || !predicate(record)) continue
          cursor = at + 1
          stop()
          return resolve(record)
        }
        if (gone === undefined) return
        stop()
        reject(new Error(`effx dev ended with ${JSON.stringify(gone)} before it said so:\n${shown()}\n${err}`))
      }
      const timer =
        patience === undefined
          ? undefined
          : setTimeout(() => {
              stop()
              reject(new Unmentioned(`no record came:\n${shown()}\n${err}`))
            }, patience)
      waiting.add(look)
      look()
    })
  const settled = async (): Promise<DevRecord> => {
    for (let tries = 1; ; tries++) {
      save(join(cwd, COOKIE), `export const cookie${++cookies} = ${tries}\n`)
      try {
        const covered = await until(
          ({ files, kind }) => kind === "cycle-started" && files.includes(COOKIE),
          COOKIE_MS * tries
        )
        await until(({ cycle, kind }) => kind === "settled" && cycle >= covered.cycle)
      } catch (error) {
        if (error instanceof Unmentioned && tries < 10) continue
        throw error
      }
      const batch = records.slice(0, cursor).findLast(({ kind }) => kind === "diagnostics" || kind === "fault")
      if (batch === undefined) throw new Error(`there was no batch:\n${shown()}`)
      return batch
    }
  }
  return {
    pid: child.pid as number,
    records,
    until: (predicate) => until(predicate),
    untilKind: (kind) => until((record) => record.kind === kind),
    settled,
    ended,
    stderr: () => err,
    end: (signal = "SIGINT") => {
      child.kill(signal)
      return ended
    }
  }
}

class Unmentioned extends Error {}

/** A copy of the users fixture in a folder of its own, with a cookie. */
export const project = (name = "effx dev", fixture = "users"): string => {
  const cwd = copyFixture(fixture, temporaryFolder(name), "app")
  rmSync(join(cwd, ".effx"), { recursive: true, force: true })
  save(join(cwd, COOKIE), "export {}\n")
  return cwd
}

export const codes = ({ diagnostics }: DevRecord): ReadonlyArray<string> => diagnostics.map(({ code }) => code)
