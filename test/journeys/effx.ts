/** The program under test as a subprocess: `EFFX_BIN`, which is the packed program (test/packed-program.ts). */
import { spawn } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished, vi } from "vitest"

// A journey starts processes, each of which may wait for its turn on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

export const repository = join(import.meta.dirname, "../..")

/** The program from source, as `bun install` links it. */
export const effxFromSource = join(repository, "node_modules/.bin/effx")

export const effx = process.env.EFFX_BIN ?? effxFromSource

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly program?: string
}

/** Runs a program to its end and collects its output; nothing of this process's environment is inherited but PATH. */
export const run = (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(options.program ?? effx, args, {
      cwd: options.cwd ?? repository,
      env: { PATH: process.env.PATH ?? "", ...options.env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const out: Array<Buffer> = []
    const err: Array<Buffer> = []
    child.stdout.on("data", (chunk) => out.push(chunk))
    child.stderr.on("data", (chunk) => err.push(chunk))
    child.on("error", reject)
    child.on("close", (code, signal) =>
      resolve({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() })
    )
  })

/** Runs a line of POSIX shell in which `$effx` is the program. */
export const shell = (line: string, options: RunOptions = {}): Promise<Ended> =>
  run(["-c", line], { ...options, program: "/bin/sh", env: { effx, ...options.env } })

/** A folder that exists until the test ends. */
export const temporaryFolder = (name = "effx journey"): string => {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A copy of a fixture in a folder of its own below `top`, without outputs; the dependencies are those of the repository. */
export const copyFixture = (fixture: string, top: string, folder: string): string => {
  const to = join(top, folder)
  cpSync(join(repository, "fixtures", fixture), to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !file.includes("/.effx")
  })
  const modules = join(top, "node_modules")
  if (!existsSync(modules)) symlinkSync(join(repository, "node_modules"), modules)
  return to
}
