import { describe, expect, it } from "@effect/vitest"
import { locateProperty, offsetOf, siteAt } from "../../src/session/text-site.ts"

/** The text of the property that a path of keys finds. */
const found = (text: string, ...keys: ReadonlyArray<string>) => {
  const place = locateProperty(text, keys)
  return place && [text.slice(place.start, place.end), place.start]
}

describe("siteAt", () => {
  it("counts columns in UTF-16 units, spans in bytes, and lines by LF, CRLF and CR", () => {
    const text = "a\r\nb\rc\n😀é x"
    expect(siteAt("f", text, text.indexOf("x"), text.length)).toEqual({
      location: { file: "f", line: 4, col: 5 },
      span: { start: 14, end: 15 }
    })
  })

  it("counts a byte order mark as bytes but not as a column", () => {
    expect(siteAt("f", "\uFEFFab", 2, 3)).toEqual({
      location: { file: "f", line: 1, col: 2 },
      span: { start: 4, end: 5 }
    })
  })

  it("is the inverse of offsetOf", () => {
    const text = "one\r\ntwo\rthree\n\nfive"
    for (let at = 0; at < text.length; at++) {
      if (text[at] === "\n" && text[at - 1] === "\r") continue
      const { col, line } = siteAt("f", text, at, at).location
      expect(offsetOf(text, line, col)).toBe(at)
    }
    expect(offsetOf(text, 99, 1)).toBe(text.length)
  })
})

describe("locateProperty", () => {
  it("finds nested keys in JSON with comments", () => {
    const text = `{ // "effx": 1\n "compilerOptions": { "emit": 1 }, /* "effx": */ "effx": { "a": { "emit": 0 }, "emit": "x" } }`
    expect(found(text, "effx", "emit")).toEqual(['"emit"', text.lastIndexOf('"emit"')])
  })

  it("finds keys in an object literal, quoted or not, and no text of strings", () => {
    const text = `const s = "outDir: 1"\nexport default defineConfig({ api: { title: 'title: 2' }, 'outDir': "x" })`
    expect(found(text, "outDir")).toEqual(["'outDir'", text.lastIndexOf("'outDir'")])
    expect(found(text, "api", "title")).toEqual(["title", text.indexOf("title")])
  })

  it("stays at the deepest key that exists", () => {
    const text = `{ "generators": { "http": true }, "nope": 1 }`
    expect(found(text, "generators", "nope")).toEqual(['"generators"', 2])
    expect(found(text, "missing", "nope")).toBeUndefined()
  })
})
