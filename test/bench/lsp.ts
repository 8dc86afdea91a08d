/**
 * `npm run bench:lsp [-- ROUNDS]`: from an edit to what is said of it, `effx lsp` against TypeScript 7's own language server and
 * typescript-language-server on TypeScript 6. All have the same documents open and get the same edit in turn. Prints medians and ratios,
 * what typing and a burst of edits lead to, and what a server uses; asserts nothing.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { spawnSync } from "bun"
import { generate } from "../../fixtures/large/generate.ts"
import { type Editor, openEditor, type Replacement, type ServerCommand } from "./editor.ts"
import { busy, resident } from "./processes.ts"
import { at, race } from "./run.ts"

const root = join(import.meta.dirname, "../..")
const peers = join(root, "test/bench/peers")
const effx = process.env.EFFX_BIN ?? join(root, "node_modules/.bin/effx")
const rounds = Number(process.argv[2] ?? 50)

/** People do not type faster; a server need not take edits at this pace for a burst. */
const BETWEEN_EDITS_MS = 50
const TYPING = { edits: 40, everyMs: 150 }
const BURST = { edits: 500, everyMs: 5 }
const IDLE_MS = 10_000

spawnSync({ cmd: [process.execPath, "install", "--frozen-lockfile", "--ignore-scripts"], cwd: peers })

const SERVERS: ReadonlyArray<ServerCommand> = [
  { name: "effx lsp", command: [effx, "lsp"], answers: "version" },
  {
    name: "tsc --lsp",
    command: [join(root, "node_modules/@typescript/typescript-linux-x64/lib/tsc"), "--lsp", "--stdio"],
    answers: "pull"
  },
  {
    name: "typescript-language-server",
    command: ["node", join(peers, "node_modules/typescript-language-server/lib/cli.mjs"), "--stdio"],
    answers: "publication",
    options: { tsserver: { path: join(root, "node_modules/typescript-6.0/lib/tsserver.js") } }
  }
]

interface Project {
  readonly name: string
  readonly make: (folder: string) => void
  readonly files: ReadonlyArray<string>
  readonly edit: Replacement
}

const PROJECTS: ReadonlyArray<Project> = [
  {
    name: "users",
    make: (folder) => cpSync(join(root, "fixtures/users"), folder, { recursive: true }),
    files: ["src/operations.ts"],
    edit: ["@Errors(UserNotFound)", "@Errors(UserNotThere)"]
  },
  {
    name: "1,000 operations",
    make: (folder) => generate(1_000, folder),
    files: Array.from({ length: 10 }, (_, index) => `src/group${7 * index}.ts`),
    edit: ["@Errors(NotFound)", "@Errors(NotThere)"]
  }
]

const sorted = (values: ReadonlyArray<number>): ReadonlyArray<number> => [...values].sort((a, b) => a - b)
const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Edits at a pace, from the clock and not from one edit to the next. */
const paced = async (editor: Editor, file: string, edits: number, everyMs: number) => {
  const began = performance.now()
  let last = editor.type(file)
  for (let edit = 1; edit < edits; edit++) {
    await sleep(Math.max(0, began + edit * everyMs - performance.now()))
    last = editor.type(file)
  }
  return { ...last, began, ended: performance.now() }
}

/** The longest time without a publication while somebody types. */
const typing = async (editor: Editor, file: string): Promise<string> => {
  const from = editor.told.length
  const { began, ended, uri, version } = await paced(editor, file, TYPING.edits, TYPING.everyMs)
  await editor.until((one) => one.uri === uri && one.version === version)
  const times = [began, ...editor.told.slice(from).flatMap((one) => (one.at < ended ? [one.at] : [])), ended]
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time))
  return `typing every ${TYPING.everyMs} ms: at most ${ms(Math.max(...gaps))} without a publication`
}

const burst = async (editor: Editor, file: string): Promise<string> => {
  const from = editor.told.length
  const { ended, uri, version } = await paced(editor, file, BURST.edits, BURST.everyMs)
  const last = await editor.until((one) => one.uri === uri && one.version === version)
  const count = editor.told.slice(from).filter((one) => one.uri === uri).length
  return `${BURST.edits} edits at ${BURST.everyMs} ms: ${count} publications, the last ${ms(last.at - ended)} after the last edit`
}

const idle = async (pid: number): Promise<string> => {
  const before = busy(pid)
  await sleep(IDLE_MS)
  return `idle for ${IDLE_MS / 1000} s: ${ms(busy(pid) - before)} of a processor`
}

const work = mkdtempSync(join(tmpdir(), "effx-bench-"))
symlinkSync(join(root, "node_modules"), join(work, "node_modules"))

for (const { edit, files, make, name } of PROJECTS) {
  const folder = join(work, name.replaceAll(/\W/g, ""))
  mkdirSync(folder, { recursive: true })
  make(folder)
  const [check] = race([{ name: "effx check", command: [effx, "check", "--project", folder] }], 3)
  const editors: Array<Editor> = []
  for (const server of SERVERS) editors.push(await openEditor(server, folder, files, edit))
  const times = editors.map((): Array<number> => [])
  for (let round = -6; round < rounds; round++) {
    // Two edits in a row go to one file, so that each ends as it was.
    const file = files[Math.floor((round + 6) / 2) % files.length] ?? ""
    for (const [index, editor] of editors.entries()) {
      const time = await editor.edit(file)
      if (round >= 0) times[index]?.push(time)
      await sleep(BETWEEN_EDITS_MS)
    }
  }
  print(`\n${name}: ${rounds} edits of one handler's annotations`)
  const median = (index: number) => at(sorted(times[index] ?? []), 0.5)
  for (const [index, editor] of editors.entries()) {
    const ratio = index === 0 ? "" : `  effx/${editor.name} = ${(median(0) / median(index)).toFixed(2)}`
    print(
      `  ${editor.name.padEnd(28)} median ${ms(median(index))}, p95 ${ms(at(sorted(times[index] ?? []), 0.95))}, first findings after ${ms(editor.first)}, ${resident(editor.child.pid ?? 0).toFixed(0)} MiB${ratio}`
    )
  }
  const [own, ...others] = editors
  for (const other of others) await other.end()
  if (own === undefined) continue
  const [file = ""] = files
  print(
    `  effx lsp: first findings in ${(own.first / (check?.median ?? 1)).toFixed(2)} of effx check's ${ms(check?.median ?? 0)}`
  )
  print(`  effx lsp, ${await typing(own, file)}`)
  print(`  effx lsp, ${await burst(own, file)}`)
  print(`  effx lsp, ${await idle(own.child.pid ?? 0)}`)
  await own.end()
}

rmSync(work, { recursive: true, force: true })
