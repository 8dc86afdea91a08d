/** Storms, limits and faults of the file system: each is visible, and the session recovers from it (§3, §5). */
import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { expect, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { childrenOf } from "../../children.ts"
import { fewestWakings, threadOf } from "../../threads.ts"
import { run } from "../effx.ts"
import { codes, type Dev, edit, eventually, project, save, startDev } from "./driver.ts"
import { canUnshare, canUnshareUser, withFiles, within, withLimit } from "./namespaces.ts"

const notices = (dev: Dev) => dev.records.filter(({ kind }) => kind === "notice").map(({ message }) => message)

it("answers a switch of 10,000 files in one cycle or two", async () => {
  const cwd = project()
  const [here, there] = [join(cwd, "src/many"), join(dirname(cwd), "many")]
  const fill = (value: number) => {
    for (let n = 0; n < 10_000; n++) {
      const folder = join(here, `part${n % 100}`)
      if (n < 100) mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `m${n}.ts`), `export const m${n} = ${value}\n`)
    }
  }
  fill(1)
  const dev = startDev(cwd)
  const first = await dev.untilKind("settled")
  fill(2)
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  expect(codes(await dev.settled())).toEqual(["EFFX2201"])
  const after = dev.records.filter(({ cycle, kind }) => kind === "cycle-started" && cycle > first.cycle)
  expect(after.length).toBeLessThanOrEqual(2)
  renameSync(here, there)
  await dev.settled()
})

/** Nanoseconds that processes have run. */
const ranOf = (pids: ReadonlyArray<number>): number =>
  pids
    .flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`))
    .reduce((sum, file) => sum + Number(readFileSync(file, "latin1").split(" ")[0]), 0)

/** What waking up every two seconds and looking at a few files costs on this machine, where others may share it. */
const LOOKER = `const fs = require("node:fs")
const look = () => { for (let n = 0; n < 50; n++) fs.lstatSync(process.argv.at(-1) + n, { throwIfNoEntry: false }) }
setInterval(look, 2000)`

it("takes less than 0.3 % of a processor while nothing happens, or no more than looking takes, also beside a folder that everybody writes to", {
  timeout: 200_000
}, async () => {
  const cwd = project()
  const dev = startDev(cwd)
  await dev.untilKind("settled")
  await dev.settled()
  const crowded = dirname(cwd)
  // Bun puts a `node` of its own first, which would collect garbage too.
  const PATH = process.env.PATH?.replace(/[^:]*bun-node[^:]*:/g, "")
  const looker = spawn("node", ["-e", LOOKER, join(cwd, "src/none")], { stdio: "ignore", env: { PATH } })
  const crowd = setInterval(() => mkdirSync(join(crowded, `m${Math.random()}`)), 100)
  onTestFinished(() => {
    clearInterval(crowd)
    looker.kill()
  })
  await once(looker, "spawn")
  const sides = [[dev.pid, ...childrenOf(dev.pid)], [looker.pid ?? 0]]
  // The first look at dependencies hints without a need: the quietest stretch counts.
  let least = Number.POSITIVE_INFINITY
  for (let stretch = 0; stretch < 15 && least > 1; stretch++) {
    const before = sides.map(ranOf)
    const began = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 10_000))
    const lasted = (performance.now() - began) * 1e6
    const [own = 0, peer = 0] = sides.map((side, at) => (ranOf(side) - (before[at] ?? 0)) / lasted)
    least = Math.min(least, own / Math.max(0.003, 1.5 * peer))
  }
  expect(notices(dev)).toEqual([])
  expect(least).toBeLessThanOrEqual(1)
})

it("leaves the program's thread asleep while nothing happens", { timeout: 60_000 }, async () => {
  const dev = startDev(project())
  await dev.untilKind("settled")
  await dev.settled()
  expect(await fewestWakings(threadOf(dev.pid, "program"))).toBe(0)
})

it("notices a change in a folder that holds a socket, which Bun cannot watch", async () => {
  const cwd = project()
  const server = createServer().listen(join(cwd, "src/agent.sock"))
  onTestFinished(() => void server.close())
  await once(server, "listening")
  const dev = startDev(cwd)
  await dev.untilKind("settled")
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  expect(codes(await dev.settled())).toEqual(["EFFX2201"])
  expect(notices(dev)).toEqual([])
})

const BOUNDED = [
  {
    bound: "the kernel's limit of watches is reached",
    through: withLimit(3),
    says: /max_user_watches.*looking/,
    can: canUnshareUser
  },
  { bound: "few files may be open", through: withFiles(1_024), says: /ulimit -n.*looking/, can: true }
] as const

for (const { bound, can, says, through } of BOUNDED) {
  it.skipIf(!can)(`polls, and says so once, where ${bound}`, async () => {
    const cwd = project()
    const dev = startDev(cwd, [], { through })
    await dev.untilKind("settled")
    expect(await dev.untilKind("notice")).toMatchObject({ message: expect.stringMatching(says) })
    edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
    expect(codes(await dev.settled())).toEqual(["EFFX2201"])
    save(join(cwd, "src/new/extra.ts"), "export const extra = ;\n")
    edit(join(cwd, "src/operations.ts"), "@Errors()", "@Errors(UserNotFound)")
    const settled = await dev.settled()
    expect(settled.diagnostics.every(({ file }) => file === "src/new/extra.ts")).toBe(true)
    expect(notices(dev)).toHaveLength(1)
  })
}

it.skipIf(!canUnshare)("polls, and says so once, where the file system tells of no change", async () => {
  const cwd = project()
  const top = dirname(cwd)
  for (const folder of ["seen", "work"]) mkdirSync(join(top, folder))
  // Whoever writes below an overlay is not heard through it, but the session reads what was written.
  const dev = startDev(cwd, ["--project", "../seen/tsconfig.json"], {
    env: { TOP: top },
    through: within(
      'mount -t tmpfs none "$TOP/work" && mkdir "$TOP/work/u" "$TOP/work/w" && mount -t overlay overlay -o "lowerdir=$TOP/app,upperdir=$TOP/work/u,workdir=$TOP/work/w" "$TOP/seen"',
      "-m"
    )
  })
  await dev.untilKind("settled")
  const file = join(cwd, "src/operations.ts")
  const good = readFileSync(file, "utf8")
  for (let turn = 0; turn < 4; turn++) {
    writeFileSync(file, turn % 2 === 0 ? good.replace("@Errors(UserNotFound)", "@Errors()") : good)
    const batch = await dev.untilKind("diagnostics")
    expect(batch.errors).toBe(turn % 2 === 0 ? 1 : 0)
  }
  expect(notices(dev)).toEqual([expect.stringMatching(/does not tell of changes; looking/)])
})

/** Bun reads these of the folder that a thread begins in, and of every folder above it. */
it.each(["package.json", "../tsconfig.json", "../package.json"])(
  "follows a project in or below a folder whose %s is malformed, and ends as it is told to",
  async (file) => {
    const cwd = project()
    save(join(cwd, file), "{ nope")
    const dev = startDev(cwd)
    await dev.settled()
    expect(await dev.end("SIGTERM")).toEqual({ code: 143, signal: null })
  }
)

it("says what it cannot read, and goes on when it can", async () => {
  const cwd = project()
  const folder = join(cwd, "src/closed")
  save(join(folder, "one.ts"), "export const one = 1\n")
  const top = dirname(cwd)
  for (const name of [".", ...(readdirSync(top, { recursive: true }) as Array<string>)]) {
    if (!name.startsWith("node_modules")) chownSync(join(top, name), 65534, 65534)
  }
  const dev = startDev(cwd, [], { through: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] })
  await dev.untilKind("settled")
  chmodSync(folder, 0)
  expect(await dev.untilKind("fault")).toMatchObject({ stage: "check", message: expect.stringMatching(/src\/closed/) })
  chmodSync(folder, 0o755)
  expect(await dev.untilKind("diagnostics")).toMatchObject({ errors: 0 })
  chmodSync(join(folder, "one.ts"), 0)
  expect(await dev.untilKind("fault")).toMatchObject({ message: expect.stringMatching(/src\/closed\/one\.ts/) })
  chmodSync(join(folder, "one.ts"), 0o644)
  expect(await dev.untilKind("diagnostics")).toMatchObject({ errors: 0 })
})

it("waits for a project folder that is taken away, and checks it when it is back", async () => {
  const cwd = project()
  const away = join(dirname(cwd), "away")
  const dev = startDev(cwd, ["--build"])
  await dev.untilKind("settled")
  renameSync(cwd, away)
  expect(await dev.untilKind("fault")).toMatchObject({ stage: "check" })
  edit(join(away, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  renameSync(away, cwd)
  await dev.until((record) => record.kind === "diagnostics" && codes(record).includes("EFFX2201"))
  rmSync(cwd, { recursive: true })
  await dev.untilKind("fault")
  cpSync(project("again"), cwd, { recursive: true })
  await dev.until(({ errors, kind }) => kind === "diagnostics" && errors === 0)
  await dev.untilKind("written")
  expect(codes(await dev.settled())).toEqual([])
  expect(existsSync(join(cwd, ".effx/lock"))).toBe(true)
  await dev.end()
  expect(await run(["build", "--check"], { cwd })).toMatchObject({ code: 0 })
})

it.skipIf(!canUnshare)("says once that the disk is full, and writes when there is room", async () => {
  const cwd = project()
  const top = dirname(cwd)
  mkdirSync(join(top, "out"))
  const room = join(top, "room")
  // The session's view of `out` is a file system of its own, which a file fills until `room` asks for it to go.
  const dev = startDev(cwd, ["--build", "--out-dir", "../out/gen"], {
    env: { TOP: top },
    through: within(
      'mount -t tmpfs -o size=1m none "$TOP/out" && { head -c 2m /dev/zero > "$TOP/out/full" 2>/dev/null; (until [ -e "$TOP/room" ]; do sleep 0.2; done; rm "$TOP/out/full") & }',
      "-m"
    )
  })
  const fault = await dev.untilKind("fault")
  expect(fault).toMatchObject({ stage: "write", message: expect.stringMatching(/no space/) })
  writeFileSync(room, "")
  await dev.untilKind("written")
  await dev.untilKind("settled")
  expect(dev.records.filter(({ kind }) => kind === "fault")).toHaveLength(1)
  expect(await dev.end()).toMatchObject({ code: 130 })
})

it("goes on with hints after a program that was stopped during many changes", async () => {
  const cwd = project()
  const dev = startDev(cwd)
  await dev.untilKind("settled")
  process.kill(dev.pid, "SIGSTOP")
  const noise = join(cwd, "src/noise.ts")
  for (let n = 0; n < 20_000; n++) {
    writeFileSync(noise, "")
    unlinkSync(noise)
  }
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  process.kill(dev.pid, "SIGCONT")
  expect(codes(await dev.settled())).toEqual(["EFFX2201"])
  await eventually(() => !existsSync(noise))
})
