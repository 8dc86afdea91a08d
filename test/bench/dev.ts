/**
 * `npm run bench:dev [-- ROUNDS [CYCLES]]`: from a save to the end of the cycle, `effx dev` against `tsc --watch --noEmit` of TypeScript 7.
 * Both watch a copy of the same project, get the same edits in turn, and are timed from before the file is replaced until they have
 * said that they are done. Prints medians, ratios, the shares of effx's phases, and the memory over CYCLES cycles; asserts nothing.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generate } from "../../fixtures/large/generate.ts"
import { resident } from "./processes.ts"
import { at } from "./run.ts"

const root = join(import.meta.dirname, "../..")
const tsc = join(root, "node_modules/@typescript/typescript-linux-x64/lib/tsc")
const effx = process.env.EFFX_BIN ?? join(root, "node_modules/.bin/effx")
const rounds = Number(process.argv[2] ?? 30)
const cycles = Number(process.argv[3] ?? 1_000)

interface Watching {
  readonly child: ChildProcess
  /** Saves a file and waits until the program is done with it; gives the time in milliseconds. */
  readonly save: (file: string, text: string) => Promise<number>
  readonly first: Promise<void>
  readonly phases: Map<string, Array<number>>
}

/** Starts a program that says `done` once for each state. */
const watching = (command: string, args: ReadonlyArray<string>, cwd: string, done: RegExp): Watching => {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
  const phases = new Map<string, Array<number>>()
  let told = () => {}
  const once = () =>
    new Promise<void>((resolve) => {
      told = resolve
    })
  let out = ""
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString()
    if (!done.test(out)) return
    out = ""
    told()
  })
  child.stderr.on("data", (chunk: Buffer) => {
    for (const [, name = "", time] of chunk.toString().matchAll(/phase (\w+) ([\d.]+) ms/g)) {
      phases.set(name, [...(phases.get(name) ?? []), Number(time)])
    }
  })
  return {
    child,
    phases,
    first: once(),
    save: async (file, text) => {
      const finished = once()
      const began = performance.now()
      writeFileSync(`${file}.swp`, text)
      renameSync(`${file}.swp`, file)
      await finished
      return performance.now() - began
    }
  }
}

const median = (values: ReadonlyArray<number>, share = 0.5): number =>
  at(
    [...values].sort((a, b) => a - b),
    share
  )

const print = (line: string) => process.stdout.write(`${line}\n`)

interface Project {
  readonly name: string
  readonly make: (folder: string) => void
  /** The file to change in a round, and what to replace by what; every second round takes it back. */
  readonly edit: (round: number) => readonly [file: string, from: string, to: string]
}

const PROJECTS: ReadonlyArray<Project> = [
  {
    name: "users",
    make: (folder) => cpSync(join(root, "fixtures/users"), folder, { recursive: true }),
    edit: () => ["src/operations.ts", "@Errors(UserNotFound)", "@Errors()"]
  },
  {
    name: "1,000 operations",
    make: (folder) => generate(1_000, folder),
    edit: (round) => [`src/group${(7 * round) % 100}.ts`, "@Errors(NotFound)", "@Errors()"]
  }
]

const work = mkdtempSync(join(tmpdir(), "effx-bench-"))
symlinkSync(join(root, "node_modules"), join(work, "node_modules"))

const inCopy = ({ make, name }: Project, by: string): string => {
  const folder = join(work, `${name} ${by}`)
  mkdirSync(folder, { recursive: true })
  make(folder)
  return folder
}

for (const project of PROJECTS) {
  const [ours, theirs] = [inCopy(project, "effx"), inCopy(project, "tsc")]
  const dev = watching(effx, ["dev", "--format", "json", "--log-level", "debug"], ours, /"kind":"settled"/)
  const watch = watching(tsc, ["--watch", "--noEmit", "--preserveWatchOutput"], theirs, /Watching for file changes\./)
  const [effxTimes, tscTimes]: [Array<number>, Array<number>] = [[], []]
  await Promise.all([dev.first, watch.first])
  const change = async (round: number, at: Watching, folder: string) => {
    const [name, from, to] = project.edit(round >> 1)
    const file = join(folder, name)
    const text = readFileSync(file, "utf8")
    return at.save(file, round % 2 === 0 ? text.replace(from, to) : text.replace(to, from))
  }
  for (let round = -4; round < 2 * rounds; round++) {
    if (round === 0) dev.phases.clear()
    const [a, b] = [await change(round + 4, dev, ours), await change(round + 4, watch, theirs)]
    if (round < 0) continue
    effxTimes.push(a)
    tscTimes.push(b)
  }
  print(`\n${project.name}: ${2 * rounds} saves`)
  for (const [name, times] of [["effx dev", effxTimes] as const, ["tsc --watch", tscTimes] as const]) {
    print(`  ${name.padEnd(12)} median ${median(times).toFixed(0)} ms, p95 ${median(times, 0.95).toFixed(0)} ms`)
  }
  print(`  effx/tsc = ${(median(effxTimes) / median(tscTimes)).toFixed(2)}`)
  const shares = Array.from(dev.phases, ([name, times]) => {
    const each = times.reduce((sum, time) => sum + time, 0) / effxTimes.length
    return `${name} ${each.toFixed(1)} ms (${((100 * each) / median(effxTimes)).toFixed(0)} %)`
  })
  print(`  phases, means: ${shares.join(", ")}; the rest is waiting for hints to pause, and output`)
  watch.child.kill()
  const pid = dev.child.pid ?? 0
  const memory = new Map<number, number>()
  for (let cycle = 1; cycle <= cycles; cycle++) {
    await change(cycle - 1, dev, ours)
    if (cycle % 100 === 0) memory.set(cycle, resident(pid))
  }
  print(`  resident memory: ${Array.from(memory, ([cycle, size]) => `${size.toFixed(0)} MiB at ${cycle}`).join(", ")}`)
  dev.child.kill("SIGINT")
}

rmSync(work, { recursive: true, force: true })
