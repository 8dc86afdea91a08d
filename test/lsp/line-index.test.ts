/** Positions of the protocol: what counts as a line, what as a character, and what lies beyond both. */
import { describe, expect, it } from "@effect/vitest"
import { TextDocument } from "vscode-languageserver-textdocument"
import { lineIndex } from "../../src/lsp/line-index.ts"
import { Text, textOf } from "./texts.ts"

it("breaks lines at LF, CRLF and CR, and nowhere else", () => {
  const index = lineIndex("a\nb\r\nc\rd\u2028e\u2029f\u0085g\vh\fi")
  expect(index.lineCount).toBe(4)
  expect([0, 1, 2, 3, 4].map(index.lengthOf)).toEqual([1, 1, 1, 11, undefined])
})

it("takes CRLF for one break also where the text ends with it, and CR LF CR for two", () => {
  expect(lineIndex("a\r\n").lineCount).toBe(2)
  expect(lineIndex("\r\n\r").lineCount).toBe(3)
  expect(lineIndex("").lineCount).toBe(1)
})

it("counts an astral character as two", () => {
  expect(lineIndex("𝔸b").offsetAt({ line: 0, character: 2 })).toBe(2)
  expect(lineIndex("𝔸b").lengthOf(0)).toBe(3)
})

it("takes what is beyond a line for its end, and what is beyond the last line for the end of the text", () => {
  const { offsetAt } = lineIndex("ab\r\nc")
  expect(offsetAt({ line: 0, character: 99 })).toBe(2)
  expect(offsetAt({ line: 1, character: 99 })).toBe(5)
  expect(offsetAt({ line: 2, character: 0 })).toBe(5)
  expect(offsetAt({ line: 2 ** 31 - 1, character: 2 ** 31 - 1 })).toBe(5)
})

describe("a law", () => {
  it.prop("agrees with the protocol's own library about every position", { pieces: Text }, ({ pieces }) => {
    const text = textOf(pieces)
    const reference = TextDocument.create("file:///a.ts", "typescript", 1, text)
    const index = lineIndex(text)
    expect(index.lineCount).toBe(reference.lineCount)
    for (let line = 0; line <= index.lineCount; line++) {
      for (let character = 0; character <= text.length + 1; character++) {
        expect(index.offsetAt({ line, character })).toBe(reference.offsetAt({ line, character }))
      }
    }
  })
})
