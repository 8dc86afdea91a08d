/** Bodies to messages of JSON-RPC: of one kind each, or an error that answers them. */
import { describe, expect, it } from "@effect/vitest"
import { envelopeOf } from "../../src/lsp/envelope.ts"

const of = (body: string | Uint8Array) => envelopeOf(typeof body === "string" ? new TextEncoder().encode(body) : body)

it("tells requests, notifications and responses apart", () => {
  expect(of('{"jsonrpc":"2.0","id":1,"method":"a"}')).toMatchObject({ _tag: "Request", message: { id: 1 } })
  expect(of('{"jsonrpc":"2.0","id":"x","method":"a","params":[]}')).toMatchObject({ _tag: "Request" })
  expect(of('{"jsonrpc":"2.0","method":"a","params":null}')).toMatchObject({ _tag: "Notification" })
  expect(of('{"jsonrpc":"2.0","id":1,"result":null}')).toEqual({ _tag: "Response" })
  expect(of('{"jsonrpc":"2.0","id":null,"error":{}}')).toEqual({ _tag: "Response" })
})

describe("what is no JSON", () => {
  it.each([
    ["nothing", ""],
    ["half a value", '{"jsonrpc"'],
    ["two values", "{}{}"],
    ["a byte-order mark", "\ufeff{}"]
  ])("is answered as such: %s", (_, body) => {
    expect(of(body)).toMatchObject({ _tag: "Invalid", id: null, code: -32700 })
  })

  it("is answered as such: bytes that are not UTF-8", () => {
    expect(of(Uint8Array.of(0x22, 0xff, 0x22))).toMatchObject({ code: -32700, reason: "the body is not UTF-8" })
  })
})

describe("JSON that is no message", () => {
  it.each([
    ["a batch", "[]", null],
    ["a string", '"a"', null],
    ["null", "null", null],
    ["another version", '{"jsonrpc":"1.0","id":7,"method":"a"}', 7],
    ["no version", '{"id":7,"method":"a"}', 7],
    ["a method that is no text", '{"jsonrpc":"2.0","id":"q","method":1}', "q"],
    ["no method", '{"jsonrpc":"2.0","id":7}', 7],
    ["an id that is null", '{"jsonrpc":"2.0","id":null,"method":"a"}', null],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"a"}', null]
  ])("is answered as an invalid request, with its id where it has one: %s", (_, body, id) => {
    expect(of(body)).toMatchObject({ _tag: "Invalid", id, code: -32600 })
  })
})

it("survives a body that is nested as deep as it can be", () => {
  const depth = 1_000_000
  expect(of(`${"[".repeat(depth)}${"]".repeat(depth)}`)).toMatchObject({ _tag: "Invalid", code: -32600 })
  expect(of("[".repeat(depth))).toMatchObject({ _tag: "Invalid", code: -32700 })
})
