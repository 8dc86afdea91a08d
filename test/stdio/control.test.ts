/** The memory that both threads share: a queue that loses nothing whatever its fill, and counters that may run over. */
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { makeControl, Stop } from "../../src/stdio/control.ts"
import { LIMITS } from "../../src/stdio/limits.ts"

const Step = Schema.Struct({
  put: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 700_000 })),
  written: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))
})

describe("the queue for the client", () => {
  it.prop(
    "gives back what was put, in order and at most one transfer at once",
    { steps: Schema.Array(Step) },
    ({ steps }) => {
      const main = makeControl()
      const worker = makeControl(main.memory)
      let [put, taken] = [0, 0]
      for (const step of steps) {
        const bytes = Uint8Array.from({ length: step.put }, (_, at) => (put + at) % 251)
        const count = main.put(bytes)
        expect(count).toBe(Math.min(step.put, LIMITS.outboundBytes - (put - taken)))
        put += count
        expect(worker.pending()).toBe(put - taken)
        for (let round = 0; round < step.written; round++) {
          const head = worker.head()
          expect(head.length).toBeLessThanOrEqual(LIMITS.transferBytes)
          expect(head.length > 0).toBe(put > taken)
          const wrong = head.findIndex((byte, at) => byte !== (taken + at) % 251)
          expect(wrong).toBe(-1)
          worker.written(head.length)
          taken += head.length
        }
      }
    }
  )

  it("holds its bound and not a byte more", () => {
    const control = makeControl()
    expect(control.put(new Uint8Array(LIMITS.outboundBytes + 1))).toBe(LIMITS.outboundBytes)
    expect(control.put(new Uint8Array(1))).toBe(0)
    control.written(1)
    expect(control.put(new Uint8Array(2))).toBe(1)
  })

  it("goes on when its counters run over", () => {
    const control = makeControl()
    const cells = new Int32Array(control.memory, 0, 16)
    for (const start of [0x7fff_fff0, -16]) {
      cells[3] = start
      cells[4] = start
      control.put(Uint8Array.from({ length: 40 }, (_, at) => at))
      expect(control.pending()).toBe(40)
      const first = control.head().slice()
      control.written(first.length)
      const rest = control.head().slice()
      control.written(rest.length)
      expect([...first, ...rest]).toEqual(Array.from({ length: 40 }, (_, at) => at))
      expect(control.pending()).toBe(0)
    }
  })
})

describe("the cells", () => {
  it("wake who waits, once", () => {
    const control = makeControl()
    expect(control.take()).toBe(false)
    control.awaitTaking()
    expect(control.take()).toBe(true)
    expect(control.take()).toBe(false)
    control.put(new Uint8Array(2))
    expect(control.written(1)).toBe(false)
    control.awaitProgress()
    expect(control.written(1)).toBe(true)
    expect(control.untaken(5)).toBe(2)
  })

  it("never take a stop back, and know no client at first", () => {
    const control = makeControl()
    expect(control.client()).toBe(-1)
    control.setClient(0)
    expect(control.client()).toBe(0)
    control.setStop(Stop.now)
    control.setStop(Stop.finish)
    expect(control.stop()).toBe(Stop.now)
  })
})
