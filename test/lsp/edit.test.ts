/** Edits of a client: ranges one after the other, and what a careless client sends. */
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { TextDocument } from "vscode-languageserver-textdocument"
import { applyChanges, type Change } from "../../src/lsp/edit.ts"
import { changeOf, Edit, Text, textOf } from "./texts.ts"

const at = (line: number, character: number) => ({ line, character })
const range = (start: readonly [number, number], end: readonly [number, number]) => ({
  start: at(...start),
  end: at(...end)
})

it("applies each change to the result of the one before", () => {
  expect(
    applyChanges("one\ntwo\n", [
      { range: range([0, 0], [0, 3]), text: "a\nb" },
      { range: range([1, 1], [1, 1]), text: "c" },
      { range: range([2, 0], [2, 3]), text: "" }
    ])
  ).toBe("a\nbc\n\n")
})

it("mixes replacements of the whole text with ranges", () => {
  expect(applyChanges("x", [{ text: "ab" }, { range: range([0, 1], [0, 2]), text: "c" }, { text: "d" }])).toBe("d")
})

it("deletes the last line as Neovim asks for it", () => {
  expect(applyChanges("one\ntwo", [{ range: range([1, 0], [2, 0]), text: "" }])).toBe("one\n")
  expect(applyChanges("one\ntwo\n", [{ range: range([1, 0], [2, 0]), text: "" }])).toBe("one\n")
})

it("takes a range that is the wrong way round for the same range", () => {
  expect(applyChanges("abcd", [{ range: range([0, 3], [0, 1]), text: "-" }])).toBe("a-d")
})

describe("a surrogate pair", () => {
  it("is taken as a whole where a range begins or ends in it", () => {
    expect(applyChanges("a𝔸b", [{ range: range([0, 2], [0, 4]), text: "" }])).toBe("a")
    expect(applyChanges("a𝔸b", [{ range: range([0, 0], [0, 2]), text: "" }])).toBe("b")
  })

  it("stays behind what is inserted in it", () => {
    expect(applyChanges("a𝔸b", [{ range: range([0, 2], [0, 2]), text: "-" }])).toBe("a-𝔸b")
  })
})

it("has no byte-order mark, wherever it comes from, so that the first column is the first", () => {
  const mark: Change = { text: "\ufeffab" }
  expect(applyChanges("", [mark, { range: range([0, 0], [0, 1]), text: "" }])).toBe("b")
  expect(applyChanges("ab", [{ range: range([0, 0], [0, 0]), text: "\ufeff" }])).toBe("ab")
})

const isInPair = (text: string, offset: number): boolean =>
  /[\ud800-\udbff]/.test(text[offset - 1] ?? "") && /[\udc00-\udfff]/.test(text[offset] ?? "")

describe("laws", () => {
  it.prop(
    "gives what the protocol's own library gives, where no pair would be split",
    { pieces: Text, edits: Schema.Array(Edit) },
    ({ edits, pieces }) => {
      let text = textOf(pieces)
      for (const edit of edits) {
        const change = changeOf(edit)
        const reference = TextDocument.create("file:///a.ts", "typescript", 1, text)
        const splits =
          change.range !== undefined &&
          [change.range.start, change.range.end].some((position) => isInPair(text, reference.offsetAt(position)))
        const next = applyChanges(text, [change])
        if (!splits) expect(next).toBe(TextDocument.update(reference, [change], 2).getText())
        text = next
      }
    }
  )

  it.prop("never splits a pair", { pieces: Text, edits: Schema.Array(Edit) }, ({ edits, pieces }) => {
    const text = applyChanges(textOf(pieces), edits.map(changeOf))
    expect(text.isWellFormed()).toBe(true)
  })

  it.prop(
    "is the same for changes in one notification and in several",
    { pieces: Text, edits: Schema.Array(Edit) },
    ({ edits, pieces }) => {
      const text = textOf(pieces)
      const changes = edits.map(changeOf)
      expect(applyChanges(text, changes)).toBe(changes.reduce((before, one) => applyChanges(before, [one]), text))
    }
  )
})
