/** Frames: bytes in any pieces to bodies, and every way in which a header part can be wrong. */
import { describe, expect, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { encodeFrame, makeFrameReader } from "../../src/lsp/framing.ts"
import { LIMITS } from "../../src/lsp/limits.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (body: Uint8Array): string => new TextDecoder().decode(body)

/** Every body in some chunks, and the problem at which reading ends. */
const readAll = (chunks: Iterable<Uint8Array>) => {
  const reader = makeFrameReader()
  const bodies: Array<string> = []
  let problem: string | undefined
  for (const chunk of chunks) {
    reader.append(chunk)
    for (;;) {
      const next = reader.next()
      if (Result.isFailure(next)) problem = next.failure
      if (Result.isFailure(next) || next.success === undefined) break
      bodies.push(text(next.success))
    }
  }
  return { bodies, problem, pending: reader.pending() }
}

const problemOf = (input: string): string | undefined => readAll([bytes(input)]).problem

describe("a header part", () => {
  it("names the length of the body in bytes, in any case and with any space around", () => {
    for (const header of ["Content-Length: 2", "content-length:2", "CONTENT-LENGTH:   2  "]) {
      expect(readAll([bytes(`${header}\r\n\r\n{}`)]).bodies, header).toEqual(["{}"])
    }
    expect(readAll([bytes("Content-Length: 4\r\n\r\n漢𝔸")]).bodies).toEqual(["漢\ufffd"])
  })

  it("may say that the body is UTF-8, in the two ways that the protocol knows", () => {
    for (const charset of ["utf-8", "utf8", "UTF-8", '"utf-8"']) {
      const header = `Content-Type: application/vscode-jsonrpc; charset=${charset}\r\nContent-Length: 2`
      expect(readAll([bytes(`${header}\r\n\r\n{}`)]), charset).toMatchObject({ bodies: ["{}"], problem: undefined })
    }
  })

  it("may say more that nobody knows", () => {
    expect(readAll([bytes("X-Trace: 1\r\nContent-Length: 2\r\n\r\n{}")]).bodies).toEqual(["{}"])
  })

  it("is refused with another charset", () => {
    expect(problemOf("Content-Length: 2\r\nContent-Type: a/b; charset=utf-16\r\n\r\n{}")).toContain("charset utf-16")
  })

  it.each([
    ["garbage", "hello\r\n\r\n", "colon"],
    ["no length", "X: 1\r\n\r\n", "no Content-Length"],
    ["an empty one", "\r\n\r\n", "colon"],
    ["words", "Content-Length: abc\r\n\r\n", "Content-Length is"],
    ["a negative length", "Content-Length: -5\r\n\r\n", "Content-Length is"],
    ["a fraction", "Content-Length: 1.5\r\n\r\n", "Content-Length is"],
    ["hexadecimal", "Content-Length: 0x10\r\n\r\n", "Content-Length is"],
    ["an exponent", "Content-Length: 1e3\r\n\r\n", "Content-Length is"],
    ["a huge length", `Content-Length: ${"9".repeat(30)}\r\n\r\n`, "Content-Length is"],
    ["nothing", "Content-Length:\r\n\r\n", "Content-Length is"],
    ["letters beyond ASCII", "Contént: 1\r\nContent-Length: 2\r\n\r\n", "not ASCII"]
  ])("is refused with %s", (_, input, reason) => {
    expect(problemOf(input)).toContain(reason)
  })

  it("has at most as many bytes as allowed, whether its end has come or not", () => {
    const filled = (size: number): string => {
      const end = "\r\nContent-Length: 2\r\n\r\n"
      return `X: ${"x".repeat(size - 3 - end.length)}${end}`
    }
    expect(readAll([bytes(`${filled(LIMITS.headerBytes)}{}`)]).bodies).toEqual(["{}"])
    expect(problemOf(filled(LIMITS.headerBytes + 1))).toContain(`${LIMITS.headerBytes} bytes`)
    expect(problemOf("x".repeat(LIMITS.headerBytes))).toBe(undefined)
    expect(problemOf("x".repeat(LIMITS.headerBytes + 1))).toContain(`${LIMITS.headerBytes} bytes`)
  })
})

describe("a body", () => {
  it("is refused by its length alone where it is too long", () => {
    const body = "x".repeat(LIMITS.bodyBytes)
    expect(readAll([bytes(`Content-Length: ${body.length}\r\n\r\n${body}`)]).bodies).toHaveLength(1)
    expect(problemOf(`Content-Length: ${LIMITS.bodyBytes + 1}\r\n\r\n`)).toContain(`${LIMITS.bodyBytes}`)
  })

  it("may be empty", () => {
    expect(readAll([bytes("Content-Length: 0\r\n\r\n")]).bodies).toEqual([""])
  })

  it("is missing as long as a byte of it is", () => {
    expect(readAll([bytes("Content-Length: 3\r\n\r\n{}")])).toMatchObject({ bodies: [], pending: 3 })
    expect(readAll([bytes("Content-Length: 3\r\n\r\n")]).pending).toBeGreaterThan(0)
    expect(readAll([bytes("Content-Le")]).pending).toBeGreaterThan(0)
    expect(readAll([bytes("Content-Length: 2\r\n\r\n{}")]).pending).toBe(0)
  })
})

it("reads nothing after a problem", () => {
  const reader = makeFrameReader()
  reader.append(bytes("Content-Length: x\r\n\r\n"))
  expect(Result.isFailure(reader.next())).toBe(true)
  reader.append(bytes("Content-Length: 2\r\n\r\n{}"))
  expect(Result.isFailure(reader.next())).toBe(true)
})

describe("a law", () => {
  const Bodies = Schema.Array(Schema.String)
  const Cuts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 })))
  it.prop("reads the same whatever the pieces are", { bodies: Bodies, cuts: Cuts }, ({ bodies, cuts }) => {
    const messages = bodies.map((one) => ({ one: one.toWellFormed() }))
    const whole = Buffer.concat(messages.map(encodeFrame))
    const chunks: Array<Uint8Array> = []
    for (let from = 0, cut = 0; from < whole.length; cut++) {
      const size = cuts[cut % cuts.length] ?? whole.length
      chunks.push(whole.subarray(from, from + size))
      from += size
    }
    expect(readAll(chunks).bodies.map((body) => JSON.parse(body))).toEqual(messages)
  })
})
