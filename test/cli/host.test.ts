/** The writer against a system that takes little, is busy, is full or has lost its reader. */
import { expect, it } from "@effect/vitest"
import { writeAllWith } from "../../src/cli/host.ts"

const failure = (code: string) => Object.assign(new Error(code), { code })

/** A system whose write answers with these counts and error codes in turn, then takes everything. */
const system = (answers: ReadonlyArray<number | string>) => {
  const taken: Array<number> = []
  let calls = 0
  const write = (_: number, bytes: Uint8Array, offset: number, length: number) => {
    const answer = answers[calls++] ?? length
    if (typeof answer === "string") throw failure(answer)
    taken.push(...bytes.subarray(offset, offset + answer))
    return answer
  }
  return { write, taken, calls: () => calls }
}

const bytes = new TextEncoder().encode("0123456789")

it("goes on after short counts, interruptions and a busy reader, and loses nothing", () => {
  const { taken, write } = system([3, "EINTR", "EAGAIN", 1, "EAGAIN", "EAGAIN", 0, 2])
  expect(writeAllWith(write)(1, bytes)).toEqual({ _tag: "Written" })
  expect(taken).toEqual(Array.from(bytes))
})

it.each(["EPIPE", "ECONNRESET", "EBADF"])("stops at once when nobody reads (%s)", (code) => {
  const { calls, write } = system([4, code])
  expect(writeAllWith(write)(1, bytes)).toEqual({ _tag: "Closed" })
  expect(calls()).toBe(2)
})

it("says in words why a device refuses", () => {
  expect(writeAllWith(system(["ENOSPC"]).write)(1, bytes)).toEqual({
    _tag: "Failed",
    reason: "no space is left on the device"
  })
  expect(writeAllWith(system(["EWEIRD"]).write)(1, bytes)).toEqual({ _tag: "Failed", reason: "EWEIRD" })
})

it("waits for a busy reader instead of spinning", () => {
  const { calls, write } = system(Array.from({ length: 12 }, () => "EAGAIN"))
  const before = process.cpuUsage()
  const began = performance.now()
  writeAllWith(write)(1, bytes)
  const { system: sys, user } = process.cpuUsage(before)
  expect(calls()).toBe(13)
  expect((sys + user) / 1000).toBeLessThan((performance.now() - began) / 2)
})
