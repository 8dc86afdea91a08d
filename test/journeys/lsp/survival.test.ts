/**
 * What a language server has to survive, or to end from without a trace: clients, engines, disks and limits that fail (Spec 0018 §5). Pipes
 * that stall are in transports.test.ts, garbage and signals in lifecycle.test.ts.
 */
import { spawn } from "node:child_process"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { childrenOf } from "../../children.ts"
import { tool } from "../../native/toolchain.ts"
import { edit, eventually, project } from "../dev/driver.ts"
import { canUnshareUser, withFiles, withLimit } from "../dev/namespaces.ts"
import { effx } from "../effx.ts"
import { codesOf, open, quietOf, type Server, shown, startLsp, withoutProcesses } from "./driver.ts"
import { checked } from "./fixtures.ts"

const FAULTY = ["@Errors(UserNotFound)", "@Errors()"] as const
const OPERATIONS = "src/operations.ts"

/** A server with one document that has a finding on disk. */
const started = async (options: Parameters<typeof startLsp>[1] = {}) => {
  const cwd = project()
  edit(join(cwd, OPERATIONS), ...FAULTY)
  const server = await startLsp(cwd, options)
  const document = open(server, join(cwd, OPERATIONS))
  expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
  return { cwd, server, document, engine: childrenOf(server.pid)[0] as number }
}

/** The next publication of a document. */
const next = (server: Server, uri: string) => {
  const from = server.publications.length
  return server.until((one) => one.uri === uri, from)
}

const node = tool("node")
const client = (cwd: string, ...args: ReadonlyArray<string>) => {
  const child = spawn(node ?? "", [join(import.meta.dirname, "node-client.mjs"), ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", EFFX_BIN: effx },
    stdio: ["ignore", "pipe", "inherit"]
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  let said = ""
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString()
  })
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  return { child, said: () => said, ended }
}

it.skipIf(node === undefined)("serves the maintained client on Node (needs node)", async () => {
  const { ended, said } = client(project())
  expect(await ended).toBe(0)
  expect(said().replace(/server \d+\n/, "")).toBe("1 \n2 EFFX2201@18:2\n3 \nended 0\n")
})

it.skipIf(node === undefined)("ends with its engine when the client is killed (needs node)", async () => {
  const { child, said } = client(project(), "wait")
  await eventually(() => /server \d+/.test(said()))
  const server = Number(/server (\d+)/.exec(said())?.[1])
  const all = [server, ...childrenOf(server)]
  expect(all).toHaveLength(2)
  child.kill("SIGKILL")
  await withoutProcesses(all)
})

it("says that its engine was killed, starts another and shows the same again", async () => {
  const { document, server } = await started()
  for (let times = 0; times < 2; times++) {
    const [killed = 0] = childrenOf(server.pid)
    process.kill(killed, "SIGKILL")
    await eventually(() => childrenOf(server.pid).some((pid) => pid !== killed))
    document.edit(["/** Shows one user. */", "/** Shows one user.  */"], ["user.  */", "user. */"])
    expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
  }
  const said = server.logs.filter(({ message }) => /engine ended/.test(message))
  expect(said).toHaveLength(2)
  await server.end()
})

it("answers 10,000 edits in a burst with few publications, the last of them right", async () => {
  const { document, server } = await started()
  const from = server.publications.length
  for (let at = 0; at < 5_000; at++) {
    document.edit(["@Errors()", "@Errors(UserNotFound)"])
    document.edit(FAULTY)
  }
  expect(document.version()).toBe(10_001)
  expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
  expect(server.publications.length - from).toBeLessThan(100)
  await server.end()
})

it("waits for the rest of a frame, and says at the end of the input that it is missing", async () => {
  const { engine, server } = await started()
  server.child.stdin?.write('Content-Length: 100\r\n\r\n{"jsonrpc":"2.0",')
  const before = ticksOf(server.pid)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(ticksOf(server.pid) - before).toBeLessThanOrEqual(10)
  server.child.stdin?.end()
  expect(await server.ended).toEqual({ code: 1, signal: null })
  expect(server.stderr()).toMatch(/ends within a message/)
  await withoutProcesses([engine])
})

it("clears what it said while the project's folder is away, and says it again when it is back", async () => {
  const { cwd, document, server } = await started()
  const away = join(dirname(cwd), "away")
  const cleared = next(server, document.uri)
  renameSync(cwd, away)
  expect((await cleared).diagnostics).toEqual([])
  const back = next(server, document.uri)
  renameSync(away, cwd)
  expect(codesOf((await back).diagnostics)).toEqual(["EFFX2201"])
  const clearedAgain = next(server, document.uri)
  rmSync(cwd, { recursive: true })
  expect((await clearedAgain).diagnostics).toEqual([])
  const backAgain = next(server, document.uri)
  cpSync(project("again"), cwd, { recursive: true })
  // The text of the open document is still the client's.
  expect(codesOf((await backAgain).diagnostics)).toEqual(["EFFX2201"])
  await server.end()
})

/** Bun reads these of the folder that a thread begins in, and of every folder above it. */
const BROKEN = ["tsconfig.json", "package.json", "../tsconfig.json", "../package.json"]

it.each(BROKEN)(
  "serves from a folder whose %s is malformed, and shows what is found once it is repaired",
  async (file) => {
    const cwd = project()
    edit(join(cwd, OPERATIONS), ...FAULTY)
    const path = join(cwd, file)
    const before = existsSync(path) ? readFileSync(path) : undefined
    writeFileSync(path, "{ nope")
    const server = await startLsp(cwd)
    const document = open(server, join(cwd, OPERATIONS))
    if (before === undefined) rmSync(path)
    else writeFileSync(path, before)
    await server.until((one) => one.uri === document.uri && codesOf(one.diagnostics)[0] === "EFFX2201")
    await server.end()
  }
)

it("says why no source is read, where an empty list alone would look like success", async () => {
  const { cwd, document, server } = await started()
  const cleared = next(server, document.uri)
  edit(join(cwd, "tsconfig.json"), '"include"', '"files": 1, "include"')
  expect((await cleared).diagnostics).toEqual([])
  const { message } = await server.untilLog(/EFFX0002/)
  expect(message).toMatch(/^error EFFX0002 at tsconfig\.json:\d+:\d+: .+; effx explain EFFX0002$/)
  const back = next(server, document.uri)
  edit(join(cwd, "tsconfig.json"), '"files": 1, "include"', '"include"')
  expect(codesOf((await back).diagnostics)).toEqual(["EFFX2201"])
  await server.untilLog(/the project can be analysed again/)
  await server.end()
})

it("clears what it said while an input cannot be read, and goes on when it can", async () => {
  const cwd = project()
  edit(join(cwd, OPERATIONS), ...FAULTY)
  const top = dirname(cwd)
  for (const name of [".", ...(readdirSync(top, { recursive: true }) as Array<string>)]) {
    if (!name.startsWith("node_modules")) chownSync(join(top, name), 65534, 65534)
  }
  const server = await startLsp(cwd, { through: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] })
  const document = open(server, join(cwd, OPERATIONS))
  expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
  const cleared = next(server, document.uri)
  chmodSync(join(cwd, "src/users.ts"), 0)
  expect((await cleared).diagnostics).toEqual([])
  await server.untilLog(/src\/users\.ts/)
  const back = next(server, document.uri)
  chmodSync(join(cwd, "src/users.ts"), 0o644)
  expect(codesOf((await back).diagnostics)).toEqual(["EFFX2201"])
  await server.end()
})

const BOUNDED = [
  {
    bound: "the kernel's limit of watches is reached (needs unshare)",
    through: withLimit(1),
    says: /max_user_watches/,
    can: canUnshareUser
  },
  { bound: "few files may be open", through: withFiles(1_024), says: /ulimit -n/, can: true }
] as const

for (const { bound, can, says, through } of BOUNDED) {
  it.skipIf(!can)(`follows the disk where ${bound}`, async () => {
    const { cwd, document, server } = await started({ through })
    await server.untilLog(says)
    const quiet = quietOf(server, cwd)
    edit(join(cwd, "src/users.ts"), "UserNotFound>", "UserNotFound | Error>")
    await server.until(
      ({ diagnostics, uri }) => uri === document.uri && diagnostics.length > 1,
      server.publications.length
    )
    await quiet()
    expect(shown(server.last(document.uri)?.diagnostics ?? [])).toEqual((await checked(cwd)).get(OPERATIONS))
    await server.end()
  })
}

const ticksOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ")
  return Number(fields[11]) + Number(fields[12])
}
