/** The other side's life: its process, its end of the input, and how soon what it writes is seen; nothing runs meanwhile. */
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { hasCompiler, start } from "./harness.ts"

/** The ids of a process's threads that wait in poll, by the kernel's word. */
const threads = (pid: number): ReadonlyArray<string> => readdirSync(`/proc/${pid}/task`)

/** The processor time of a process so far, in clock ticks. */
const ticks = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return Number(fields[11]) + Number(fields[12])
}

describe.skipIf(!hasCompiler)("the client (needs a C compiler)", () => {
  it("tells when the client's process ends", async () => {
    const client = spawn("sleep", ["60"])
    const server = start("watch", [String(client.pid)])
    await server.reported("watching")
    const began = performance.now()
    client.kill("SIGKILL")
    await server.reported("client-gone")
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(await server.exit).toBe(0)
  })

  it("says so when there is no such process", async () => {
    const client = spawn("true")
    await new Promise((resolve) => client.on("exit", resolve))
    const server = start("watch", [String(client.pid)])
    expect(await server.reported("failed")).toMatchObject({ reason: { _tag: "NoSuchProcess", pid: client.pid } })
  })

  it("tells when the client closes the input", async () => {
    const server = start("wait")
    await server.reported("started")
    server.child.stdin?.end()
    expect(await server.reported("left")).toMatchObject({ after: "Closed" })
    expect(await server.exit).toBe(0)
  })

  it("uses no processor time while nothing happens", async () => {
    const server = start("wait")
    await server.reported("started")
    const pid = server.child.pid ?? 0
    expect(threads(pid).length).toBeGreaterThan(1)
    // The runtime has work of its own at first and now and then; one that polls or spins never has a second without any.
    let quietest = Number.POSITIVE_INFINITY
    for (let window = 0; window < 20 && quietest > 0; window++) {
      const before = ticks(pid)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      quietest = Math.min(quietest, ticks(pid) - before)
    }
    expect(quietest).toBe(0)
    server.child.stdin?.end()
    expect(await server.exit).toBe(0)
  })

  it("ends with the process, however it ends", async () => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const) {
      const server = start("wait")
      await server.reported("started")
      server.child.kill(signal)
      expect(await server.exit).toBe(signal)
    }
  })
})
