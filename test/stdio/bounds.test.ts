/** What waits is bounded in both directions, a client that takes nothing ends the output, and nothing is lost before. */
import { readFileSync } from "node:fs"
import { LIMITS } from "@effx/stdio"
import { describe, expect, it } from "vitest"
import { commandLine, hasCompiler, pattern, shell, start } from "./harness.ts"

/** How many bytes of a process's standard input it has taken: what the writer could hand over. */
const handedOver = async (writable: NodeJS.WritableStream, chunk: Buffer, most: number): Promise<number> => {
  let sent = 0
  while (sent < most) {
    const taken = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), 500)
      writable.write(chunk, () => {
        clearTimeout(timer)
        resolve(true)
      })
    })
    if (!taken) break
    sent += chunk.length
  }
  return sent
}

describe.skipIf(!hasCompiler)("bounds (needs a C compiler)", () => {
  it("hands over every byte in chunks of at most 65,536", async () => {
    const counting = start("count")
    counting.child.stdin?.end(pattern(251 * 20_000))
    const counted = await counting.reported("counted")
    expect(counted).toMatchObject({ bytes: 251 * 20_000, how: "EndOfInput" })
    expect(counted.greatest).toBeLessThanOrEqual(LIMITS.transferBytes)
  })

  it("stops reading while the program takes nothing", async () => {
    const server = start("glut")
    const writable = server.child.stdin
    if (writable === null) throw new Error("no standard input")
    const chunk = Buffer.alloc(LIMITS.transferBytes)
    writable.write(chunk)
    await server.reported("sated")
    const sent = await handedOver(writable, chunk, 100 * LIMITS.transferBytes)
    // The queue, the one that was taken, and what the system's own buffers hold.
    expect(sent).toBeGreaterThanOrEqual((LIMITS.inboundChunks - 1) * LIMITS.transferBytes)
    expect(sent).toBeLessThanOrEqual((LIMITS.inboundChunks + 20) * LIMITS.transferBytes)
  })

  it("writes far more than its queue holds to a slow reader, and loses nothing", async () => {
    const bytes = 5 * LIMITS.outboundBytes + 7
    const server = shell(`${commandLine("flood", String(bytes))} | { sleep 0.3; cat; }`)
    expect((await server.output).equals(pattern(bytes))).toBe(true)
    await server.reported("flushed")
  })

  it("goes on reading when a slow reader has made room, and loses nothing", async () => {
    const server = shell(`${commandLine("echo")} | { sleep 0.5; cat; }`)
    const bytes = pattern(251 * 24_000)
    server.child.stdin?.end(bytes)
    expect((await server.output).equals(bytes)).toBe(true)
    expect(await server.reported("left")).toMatchObject({ after: "Closed", ended: true })
  })

  it("writes what is queued when its scope ends", async () => {
    const bytes = LIMITS.outboundBytes
    const server = shell(`${commandLine("leave", String(bytes))} | { sleep 0.3; cat; }`)
    expect((await server.output).equals(pattern(bytes))).toBe(true)
  })

  it("takes a queue's worth at once and waits with one byte more", async () => {
    // A pipe holds 65,536 bytes; nobody takes them before the stall time.
    const held = LIMITS.outboundBytes + 65_536
    const reader = "sleep 3"
    const fits = shell(`STALL=300 ${commandLine("flood", String(held))} | ${reader}`)
    await fits.reported("queued")
    const over = shell(`STALL=300 ${commandLine("flood", String(held + 1))} | ${reader}`)
    await expect(over.reported("queued")).rejects.toThrow("OutputStalled")
    for (const { child } of [fits, over]) child.kill()
  })

  it("ends with a reason when the client takes nothing for the stall time, and not before", async () => {
    const server = shell(`STALL=400 ${commandLine("flood", "3000000")} | sleep 3`)
    await server.reported("started")
    const began = performance.now()
    const report = await server.reported("failed")
    const elapsed = performance.now() - began
    expect(report).toMatchObject({ reason: { _tag: "OutputStalled", milliseconds: 400 } })
    expect(elapsed).toBeGreaterThan(350)
    expect(elapsed).toBeLessThan(1_400)
    server.child.kill()
  })

  it("does not end while the client takes a little now and then", async () => {
    const slowly = "for i in 1 2 3 4 5 6 7 8; do sleep 0.2; head -c 65536 >/dev/null; done; cat >/dev/null"
    const server = shell(`STALL=600 ${commandLine("flood", "1500000")} | { ${slowly}; }`)
    await server.reported("flushed")
    await server.reported("left")
  })

  it("ends when nobody reads any more", async () => {
    const server = shell(`${commandLine("flood", "3000000")} | head -c 10`)
    expect(await server.reported("failed")).toMatchObject({ reason: { _tag: "OutputClosed" } })
    expect((await server.output).equals(pattern(10))).toBe(true)
  })

  it("is documented", () => {
    const page = readFileSync(new URL("../../docs/limits.md", import.meta.url), "utf8")
    for (const bound of ["65,536 bytes", `${LIMITS.inboundChunks} chunks`, "1 MiB", "2 s"])
      expect(page).toContain(bound)
  })
})
