/**
 * Runs an editor on a project: the program, the project and the file are named by its environment, by which every process that it starts
 * is recognised afterwards.
 */
import { spawn } from "node:child_process"
import { readdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { isRunning, project } from "../dev/driver.ts"
import { effx, temporaryFolder } from "../effx.ts"

/** The document that is edited. */
export const FILE = "src/operations.ts"

export interface Place {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
}

/** A project of its own, without `.effx`, and what an editor's environment says of it: `effx` is the program under test. */
export const place = (): Place => {
  const root = project()
  const bin = temporaryFolder("effx bin")
  symlinkSync(effx, join(bin, "effx"))
  const env = {
    PATH: `${bin}:${process.env.PATH ?? ""}`,
    HOME: root,
    JOURNEY_SETUP: import.meta.dirname,
    JOURNEY_ROOT: root,
    JOURNEY_FILE: join(root, FILE)
  }
  return { root, env }
}

/** The running processes that an editor of this place started, and what they started; those of a command only where one is given. */
export const processesOf = ({ root }: Place, command = /./): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const of = (what: string) => readFileSync(`/proc/${pid}/${what}`, "utf8")
        return (
          of("environ").split("\0").includes(`JOURNEY_ROOT=${root}`) && command.test(of("cmdline")) && isRunning(pid)
        )
      } catch {
        return false
      }
    })

/** How long what an editor started may take to notice that it is not needed any more. */
const GRACE_MS = 10_000

export const withoutProcesses = async (at: Place): Promise<void> => {
  const deadline = performance.now() + GRACE_MS
  while (processesOf(at).length > 0 && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20))
  expect(processesOf(at)).toEqual([])
}

/** Runs an editor's own script to its end, and proves that the document is as it was and that no process is left. */
export const edited = async (program: string, args: ReadonlyArray<string>): Promise<string> => {
  const at = place()
  const saved = readFileSync(join(at.root, FILE), "utf8")
  const said = await new Promise<string>((resolve, reject) => {
    const child = spawn(program, args, { cwd: at.root, env: at.env, stdio: ["ignore", "pipe", "pipe"] })
    let text = ""
    for (const output of [child.stdout, child.stderr]) {
      output.on("data", (chunk: Buffer) => {
        text += chunk.toString()
      })
    }
    child.on("error", reject)
    child.on("close", (code) =>
      code === 0 ? resolve(text) : reject(new Error(`${program} ended with ${code}:\n${text}`))
    )
  })
  await withoutProcesses(at)
  expect(readFileSync(join(at.root, FILE), "utf8")).toBe(saved)
  return said
}
