/**
 * Ten minutes of editing at 20 edits a second: what the server and its engine take does not grow with what they did (Spec 0018 §5,
 * resources). `EFFX_MINUTES` asks for another length.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { childrenOf } from "../children.ts"
import { randomOf } from "../equivalence/random.ts"
import { eventually, project } from "../journeys/dev/driver.ts"
import { type OpenDocument, open, type Server, shown, startLsp } from "../journeys/lsp/driver.ts"
import { checked } from "../journeys/lsp/fixtures.ts"

const MINUTE = 60_000
const MINUTES = Number(process.env.EFFX_MINUTES ?? 10)
const EDITS_A_SECOND = 20
/** By how much the memory at the end may exceed that after the first minute. */
const GROWTH = 1.15

const FILES = ["src/operations.ts", "src/users.ts", "src/user.ts"]

/** Pairs of texts between which editing goes to and fro. */
const TURNS: ReadonlyArray<readonly [string, string]> = [
  ["@Errors(UserNotFound)", "@Errors()"],
  ["/users/:id", "/people/:id"],
  ["@Requirements(Users)", "@Requirements()"],
  ["UserNotFound>", "UserNotFound | Error>"],
  ["Schema.String", "Schema.Finite"],
  ["static get(", "static  get("],
  ["/** Shows one user. */", "/** Shows one 🧍. */"],
  ["import ", "import  "]
]

interface Resources {
  /** Resident memory of the server and of its engine, in MiB. */
  readonly server: number
  readonly engine: number
  readonly descriptors: number
  readonly processes: number
  readonly threads: number
}

const statusOf = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])

const resourcesOf = ({ pid }: Server): Resources => {
  const children = childrenOf(pid)
  return {
    server: statusOf(pid, "VmRSS") / 1024,
    engine: children.reduce((sum, child) => sum + statusOf(child, "VmRSS"), 0) / 1024,
    descriptors: [pid, ...children].reduce((sum, one) => sum + readdirSync(`/proc/${one}/fd`).length, 0),
    processes: children.length,
    threads: statusOf(pid, "Threads")
  }
}

it("takes no more memory, descriptors or processes after many edits", {
  timeout: 2 * MINUTES * MINUTE + 5 * MINUTE
}, async () => {
  const cwd = project()
  const server = await startLsp(cwd)
  const random = randomOf(1)
  const documents = new Map<string, OpenDocument>(FILES.map((file) => [file, open(server, join(cwd, file))]))
  const samples: Array<Resources> = []
  let edits = 0
  const edit = () => {
    const file = random.pick(FILES)
    if (random.chance(0.01)) {
      documents.get(file)?.close()
      documents.set(file, open(server, join(cwd, file)))
      return
    }
    const document = documents.get(file)
    const text = document?.text() ?? ""
    const turns = TURNS.flatMap(([a, b]) =>
      text.includes(b) ? [[b, a] as const] : text.includes(a) ? [[a, b] as const] : []
    )
    document?.edit(random.pick(turns))
    edits++
  }
  const began = performance.now()
  for (let due = 0; due < MINUTES * 60 * EDITS_A_SECOND; due++) {
    const wait = began + (due * 1_000) / EDITS_A_SECOND - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    edit()
    if (due % (10 * EDITS_A_SECOND) === 0) samples.push(resourcesOf(server))
  }
  // The last answers, then quiet.
  for (const document of documents.values()) document.replaceAll(document.text())
  for (const document of documents.values()) await document.diagnostics()
  // A sample each ten seconds: those that follow the first minute, and the last.
  const first = samples.slice(6, 10)
  const last = samples.slice(-4)
  const median = (of: ReadonlyArray<number>) => [...of].sort((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0
  const told = `${edits} edits, ${server.publications.length} publications; MiB after a minute: server ${median(first.map(({ server }) => server)).toFixed(0)}, engine ${median(first.map(({ engine }) => engine)).toFixed(0)}; at the end: server ${median(last.map(({ server }) => server)).toFixed(0)}, engine ${median(last.map(({ engine }) => engine)).toFixed(0)}`
  process.stdout.write(`${told}\n${samples.map((one) => JSON.stringify(one)).join("\n")}\n`)
  const total = (of: ReadonlyArray<Resources>) => median(of.map(({ engine, server }) => engine + server))
  expect(total(last), told).toBeLessThanOrEqual(GROWTH * total(first))
  for (const what of ["descriptors", "processes", "threads"] as const) {
    expect(median(last.map((one) => one[what])), what).toBeLessThanOrEqual(median(first.map((one) => one[what])))
  }
  // Results, which have a version; what clears a closed document has none.
  expect(server.publications.filter(({ version }) => version !== undefined).length).toBeGreaterThan(10 * MINUTES)
  // And what is shown in the end is what a fresh check says.
  for (const document of documents.values()) document.close()
  const [file = ""] = FILES
  const again = open(server, join(cwd, file))
  expect(shown(await again.diagnostics())).toEqual((await checked(cwd)).get(file) ?? [])
  await eventually(() => childrenOf(server.pid).length === 1)
  await server.end()
})
