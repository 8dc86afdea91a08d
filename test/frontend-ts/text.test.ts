/** Positions: own line table, UTF-16 columns, UTF-8 spans of the file as it is on disk. */
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { sourceText } from "../../src/frontend-ts/text.ts"

const at = (text: string, start: number, end = start, mark = false) => sourceText("f.ts", text, mark).site(start, end)

describe("positions", () => {
  it("count lines by LF, CRLF and CR alone", () => {
    const text = "a\nb\r\nc\rd\u2028e\u2029f\u0085g"
    expect(at(text, text.indexOf("a")).location).toEqual({ file: "f.ts", line: 1, col: 1 })
    expect(at(text, text.indexOf("b")).location).toMatchObject({ line: 2, col: 1 })
    expect(at(text, text.indexOf("c")).location).toMatchObject({ line: 3, col: 1 })
    expect(at(text, text.indexOf("d")).location).toMatchObject({ line: 4, col: 1 })
    expect(at(text, text.indexOf("g")).location).toMatchObject({ line: 4, col: 7 })
  })
  it("count columns in UTF-16 units and spans in UTF-8 bytes", () => {
    const text = "é😀x"
    expect(at(text, 3, 4)).toEqual({ location: { file: "f.ts", line: 1, col: 4 }, span: { start: 6, end: 7 } })
  })
  it("shift spans, and nothing else, by a byte-order mark", () => {
    expect(at("ab", 1, 2, true)).toEqual({ location: { file: "f.ts", line: 1, col: 2 }, span: { start: 4, end: 5 } })
  })
  const Character = Schema.Literals(["a", "\n", "\r", "\r\n", "é", "€", "😀", "\u2028"])
  it.prop(
    "agree with a plain count at every boundary of a character",
    { before: Schema.Array(Character), after: Schema.Array(Character) },
    ({ after, before }) => {
      const head = before.join("")
      // A cut between CR and LF lies inside a line break.
      const tail = after.join("").replace(head.endsWith("\r") ? /^\n+/ : /^$/, "")
      const lines = head.split(/\r\n|\n|\r/)
      const { location, span } = at(head + tail, head.length)
      expect(location.line).toBe(lines.length)
      expect(location.col).toBe((lines.at(-1) ?? "").length + 1)
      expect(span.start).toBe(Buffer.byteLength(head))
    }
  )
})
