/** What the server says about itself before and after the client may be told. */
import { expect, it } from "@effect/vitest"
import { LIMITS } from "../../src/lsp/limits.ts"
import { makeLog } from "../../src/lsp/log.ts"
import { MessageType } from "../../src/lsp/protocol.ts"

it("keeps what is said before, up to its bound and in order, and reports all of it", () => {
  const [sent, reported]: [Array<unknown>, Array<string>] = [[], []]
  const log = makeLog({ send: (message) => void sent.push(message) }, (line) => reported.push(line))
  const lines = Array.from({ length: LIMITS.outboundMessages + 1 }, (_, n) => `line ${n}`)
  for (const line of lines) log.say(MessageType.info, line)
  expect(sent).toEqual([])
  log.begin()
  log.begin()
  const messages = () => sent.map((one) => (one as { readonly params: { readonly message: string } }).params.message)
  expect(messages()).toEqual(lines.slice(0, LIMITS.outboundMessages))
  expect(reported).toEqual(lines)
  log.say(MessageType.info, "after")
  expect(messages().at(-1)).toBe("after")
})
