/** The other side's life: its process, its end of the input, and how soon what it writes is seen; nothing wakes up meanwhile. */
import { spawn } from "node:child_process"
import { describe, expect, it } from "vitest"
import { fewestWakings, threadOf } from "../threads.ts"
import { hasCompiler, start } from "./harness.ts"

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

  it("leaves its thread asleep while nothing happens", async () => {
    // As the launcher starts it: Bun would wake each of its threads every second to collect garbage.
    const server = start("wait", [], { BUN_GC_TIMER_DISABLE: "1" })
    await server.reported("started")
    expect(await fewestWakings(threadOf(server.child.pid ?? 0, "stdio"))).toBe(0)
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
