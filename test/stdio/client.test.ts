/** The other side's life: its process, its end of the input, and how soon what it writes is seen; nothing wakes up meanwhile. */
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { hasCompiler, start } from "./harness.ts"

/** The folder in which the kernel describes the thread that waits for input and output. */
const waitingThread = (pid: number): string => {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
  const found = threads.find((thread) => readFileSync(`${thread}/comm`, "utf8").trim() === "stdio")
  if (found === undefined) throw new Error("there is no such thread")
  return found
}

/** How often a thread has gone to sleep. */
const wakings = (thread: string): number =>
  Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(readFileSync(`${thread}/status`, "utf8"))?.[1])

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
    const thread = waitingThread(server.child.pid ?? 0)
    // One that polls or spins never has two seconds without waking up.
    let fewest = Number.POSITIVE_INFINITY
    for (let window = 0; window < 10 && fewest > 0; window++) {
      const before = wakings(thread)
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      fewest = Math.min(fewest, wakings(thread) - before)
    }
    expect(fewest).toBe(0)
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
