/** What a session leaves behind when it, its engine or its terminal is killed: nothing that runs, and nothing in the way (§5). */
import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { childrenOf } from "../../children.ts"
import { effx, run } from "../effx.ts"
import { codes, edit, eventually, isRunning, project, startDev } from "./driver.ts"

const remains = (cwd: string): ReadonlyArray<string> =>
  existsSync(join(cwd, ".effx")) ? readdirSync(join(cwd, ".effx")).filter((name) => /lock|journal|tmp/.test(name)) : []

it("leaves nothing running when it is killed, and its lock is taken over", async () => {
  const cwd = project()
  const dev = startDev(cwd, ["--build"])
  await dev.untilKind("settled")
  const children = childrenOf(dev.pid)
  expect(children).toHaveLength(1)
  expect(await dev.end("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" })
  await eventually(() => !children.some(isRunning))
  expect(remains(cwd)).toEqual(["lock"])
  const next = startDev(cwd, ["--build"])
  await next.untilKind("settled")
  await next.end()
  expect(remains(cwd)).toEqual([])
  expect(await run(["build", "--check"], { cwd })).toMatchObject({ code: 0 })
})

it("finishes what a killed session had begun to write", async () => {
  const cwd = project()
  const journal = join(cwd, ".effx/journal.json")
  const dev = startDev(cwd, ["--build"])
  while (!existsSync(journal)) await new Promise((resolve) => setImmediate(resolve))
  await dev.end("SIGKILL")
  const next = startDev(cwd, ["--build"])
  await next.untilKind("settled")
  await next.end()
  expect(remains(cwd)).toEqual([])
  expect(readdirSync(join(cwd, ".effx/generated")).filter((name) => name.endsWith(".effx-tmp"))).toEqual([])
  expect(await run(["build", "--check"], { cwd })).toMatchObject({ code: 0 })
})

it("never takes over the lock of a live owner", async () => {
  const cwd = project()
  const dev = startDev(cwd, ["--build"])
  await dev.untilKind("settled")
  const lock = readFileSync(join(cwd, ".effx/lock"), "utf8")
  process.kill(dev.pid, "SIGSTOP")
  const second = startDev(cwd, ["--build"])
  expect(await second.ended).toEqual({ code: 1, signal: null })
  expect(readFileSync(join(cwd, ".effx/lock"), "utf8")).toBe(lock)
  process.kill(dev.pid, "SIGCONT")
  await dev.settled()
})

it("says that its engine was killed, starts another and goes on", async () => {
  const cwd = project()
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  const dev = startDev(cwd)
  await dev.untilKind("settled")
  for (let round = 0; round < 5; round++) {
    const [engine] = childrenOf(dev.pid)
    process.kill(engine as number, "SIGKILL")
    expect(await dev.untilKind("notice")).toMatchObject({
      message: expect.stringMatching(/^The TypeScript engine ended unexpectedly \(SIGKILL\); /)
    })
    expect(await dev.untilKind("cycle-started")).toMatchObject({ reason: "engine" })
    expect(codes(await dev.untilKind("diagnostics"))).toEqual(["EFFX2201"])
    await dev.untilKind("settled")
    expect(childrenOf(dev.pid)).toHaveLength(1)
  }
  edit(join(cwd, "src/operations.ts"), "@Errors()", "@Errors(UserNotFound)")
  expect(codes(await dev.settled())).toEqual([])
  expect(dev.records.filter(({ kind }) => kind === "notice")).toHaveLength(5)
})

it("survives the death of its engine in the middle of a cycle", async () => {
  const cwd = project()
  const dev = startDev(cwd)
  await dev.untilKind("settled")
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  await dev.untilKind("cycle-started")
  const [engine] = childrenOf(dev.pid)
  process.kill(engine as number, "SIGKILL")
  await dev.untilKind("notice")
  expect(codes(await dev.settled())).toEqual(["EFFX2201"])
})

it("gives up on an engine that dies again and again, with one line", async () => {
  const cwd = project()
  const dev = startDev(cwd)
  await dev.untilKind("settled")
  const kill = setInterval(() => {
    for (const child of childrenOf(dev.pid)) process.kill(child, "SIGKILL")
  }, 5)
  onTestFinished(() => clearInterval(kill))
  expect(await dev.ended).toEqual({ code: 3, signal: null })
  expect(dev.stderr()).toMatch(/^effx: .*engine.*\n$/)
})

it("ends with its terminal", async () => {
  const cwd = project()
  const pids = join(cwd, "pid")
  const terminal = spawn("script", ["-qfc", 'echo $$ > pid; exec "$EFFX" dev --build', "/dev/null"], {
    cwd,
    env: { ...process.env, EFFX: effx, SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "ignore"]
  })
  onTestFinished(() => void terminal.kill("SIGKILL"))
  await eventually(() => existsSync(join(cwd, ".effx/manifest.json")) && existsSync(pids))
  const pid = Number(readFileSync(pids, "utf8"))
  const all = [pid, ...childrenOf(pid)]
  expect(all).toHaveLength(2)
  terminal.kill("SIGKILL")
  await eventually(() => !all.some(isRunning))
  expect(remains(cwd)).toEqual([])
})

/** How long after a signal a session may last, in milliseconds. */
const SOON = 500

/** The least that some attempts took, on a machine that others keep busy: one that is soon enough will do. */
const least = async (attempt: () => Promise<number>): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let n = 0; n < 6 && best > SOON; n++) best = Math.min(best, await attempt())
  return best
}

it("ends within half a second of each signal with the code that names it, in each phase", async () => {
  const ends = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
  for (const [signal, code] of Object.entries(ends)) {
    for (const phase of ["session-started", "cycle-started", "diagnostics", "settled"]) {
      const took = await least(async () => {
        const cwd = project()
        const dev = startDev(cwd, ["--build"])
        await dev.untilKind(phase)
        const children = childrenOf(dev.pid)
        const before = performance.now()
        expect(await dev.end(signal as NodeJS.Signals), `${signal} at ${phase}`).toEqual({ code, signal: null })
        const took = performance.now() - before
        await eventually(() => !children.some(isRunning))
        expect(remains(cwd), `${signal} at ${phase}`).toEqual([])
        return took
      })
      expect(took, `${signal} at ${phase}`).toBeLessThanOrEqual(SOON)
    }
  }
})

it("ends as soon while its config is evaluated", async () => {
  const took = await least(async () => {
    const cwd = project()
    writeFileSync(
      join(cwd, "effx.config.mjs"),
      'import { writeFileSync } from "node:fs"\nwriteFileSync("loading", "")\nawait new Promise((go) => setTimeout(go, 60_000))\nexport default {}\n'
    )
    const dev = startDev(cwd)
    await eventually(() => existsSync(join(cwd, "loading")))
    const before = performance.now()
    expect(await dev.end()).toEqual({ code: 130, signal: null })
    return performance.now() - before
  })
  expect(took).toBeLessThanOrEqual(SOON)
})

/** Whether the launcher has given way to Bun. */
const isBun = (pid: number): boolean => /\/bun$/.test(readlinkSync(`/proc/${pid}/exe`))

/** Whether a process listens for a signal, by the number of the signal. */
const listensFor = (pid: number, signal: number): boolean => {
  const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]
  return (BigInt(`0x${mask ?? "0"}`) & (1n << BigInt(signal - 1))) !== 0n
}

it.each([
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15]
] as const)("ends by %s however early it comes, with its code as soon as it listens", async (signal, number) => {
  const cwd = project()
  const early = startDev(cwd, ["--build"])
  await eventually(() => isBun(early.pid))
  const { code, signal: by } = await early.end(signal)
  expect([signal, 128 + number]).toContain(by ?? code)
  const dev = startDev(cwd, ["--build"])
  await eventually(() => isBun(dev.pid) && listensFor(dev.pid, number))
  expect(await dev.end(signal)).toEqual({ code: 128 + number, signal: null })
  expect(remains(cwd)).toEqual([])
})

it("survives its terminal where its parent has arranged that", async () => {
  const dev = startDev(project(), [], { through: ["nohup"] })
  await dev.untilKind("settled")
  process.kill(dev.pid, "SIGHUP")
  await dev.settled()
  expect(await dev.end("SIGTERM")).toEqual({ code: 143, signal: null })
})
