/** The open documents: versions, bounds, and files with two names. */
import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { change, close, type Documents, NO_DOCUMENTS, open } from "../../src/lsp/documents.ts"
import { LIMITS } from "../../src/lsp/limits.ts"

const success = (result: Result.Result<Documents, unknown>): Documents => Result.getOrThrow(result)

const opened = (uri: string, version = 1, text = "", identity = uri) => ({ uri, version, text, path: uri, identity })

const one = success(open(NO_DOCUMENTS, opened("a", 5, "abc")))

const insertion = (text: string) => [
  { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text }
]

describe("a version", () => {
  it("has to grow, gaps allowed; what does not follow changes nothing", () => {
    for (const version of [5, 4, -1]) {
      expect(change(one, "a", version, insertion("x"))).toEqual(
        Result.fail({ _tag: "OldVersion", uri: "a", version, current: 5 })
      )
    }
    const next = success(change(one, "a", 900, insertion("x")))
    expect(next.get("a")).toMatchObject({ version: 900, text: "xabc" })
    expect(one.get("a")).toMatchObject({ version: 5, text: "abc" })
  })

  it("grows with a notification that changes nothing", () => {
    expect(success(change(one, "a", 6, [])).get("a")).toMatchObject({ version: 6, text: "abc" })
  })

  it("begins anew with another instance", () => {
    const again = success(open(success(close(one, "a")), opened("a", 1, "z")))
    expect(success(change(again, "a", 2, insertion("y"))).get("a")).toMatchObject({ version: 2, text: "yz" })
  })
})

it("refuses changes and closes of what is not open", () => {
  expect(change(one, "b", 9, [])).toEqual(Result.fail({ _tag: "NotOpen", uri: "b" }))
  expect(close(success(close(one, "a")), "a")).toEqual(Result.fail({ _tag: "NotOpen", uri: "a" }))
})

describe("a file", () => {
  it("is open under one URI only", () => {
    expect(open(one, opened("link", 1, "", "a"))).toEqual(Result.fail({ _tag: "SameFile", uri: "link", other: "a" }))
    expect(Result.isSuccess(open(success(close(one, "a")), opened("link", 1, "", "a")))).toBe(true)
  })

  it("that is opened twice begins anew", () => {
    expect(success(open(one, opened("a", 1, "new"))).get("a")).toMatchObject({ version: 1, text: "new" })
  })
})

it("keeps documents that are no files, as many as there are", () => {
  const both = success(
    open(success(open(NO_DOCUMENTS, { uri: "untitled:1", version: 1, text: "" })), {
      uri: "untitled:2",
      version: 1,
      text: ""
    })
  )
  expect(both.size).toBe(2)
})

describe("the bounds", () => {
  it("allow as many documents as they say", () => {
    let documents: Documents = NO_DOCUMENTS
    for (let at = 0; at < LIMITS.openDocuments; at++) documents = success(open(documents, opened(`${at}`)))
    expect(open(documents, opened("more"))).toMatchObject({ failure: { _tag: "TooMany" } })
    expect(Result.isSuccess(open(documents, opened("0", 2)))).toBe(true)
    expect(Result.isSuccess(open(success(close(documents, "0")), opened("more")))).toBe(true)
  })

  it("allow as many bytes as they say, over all documents", () => {
    const half = "é".repeat(LIMITS.overlayBytes / 4)
    const documents = success(open(success(open(NO_DOCUMENTS, opened("a", 1, half))), opened("b", 1, half)))
    expect(change(documents, "b", 2, insertion("x"))).toMatchObject({ failure: { _tag: "TooMany" } })
    expect(open(documents, opened("c", 1, "x"))).toMatchObject({ failure: { _tag: "TooMany" } })
    expect(Result.isSuccess(open(documents, opened("c", 1, "")))).toBe(true)
  })
})
