/** Findings as an editor shows them: code, severity, point and message of `check`, and what a client can take besides (Spec 0018 §6). */
import { describe, expect, it } from "@effect/vitest"
import { CORE_ENTRIES, EFFX0002, EFFX0003, type Location } from "@effx/diagnostics"
import { Schema } from "effect"
import { lineIndex } from "../../src/lsp/line-index.ts"
import { type Abilities, makeProjection, unseenText } from "../../src/lsp/projection.ts"
import { Text, textOf } from "./texts.ts"

const ALL: Abilities = { relatedInformation: true, versions: true, codeDescription: true }
const NONE: Abilities = { relatedInformation: false, versions: false, codeDescription: false }

const projecting = (
  abilities: Abilities,
  text = "let a = 1\n",
  catalogue: string | undefined = "/opt/effx doc/diagnostics.html"
) => makeProjection({ abilities, catalogue, textOf: () => text, uriOf: (file) => `file:///p/${file}` })

const point = (line: number, col: number, file = "src/a.ts"): Location => ({ file, line, col })

type Located = Parameters<ReturnType<typeof makeProjection>>[0]

const finding = (location: Location, occurrence: object = {}): Located =>
  ({
    ...EFFX0002.make(
      { file: "x", reason: "it is so" },
      { site: { location, span: { start: 0, end: 0 } }, ...occurrence }
    )
  }) as Located

/** A finding of a code that nobody ships. */
const foreign = (located: Located): Located => ({ ...located, code: "EFFX[@scope/pkg]/0001" })

describe("a finding", () => {
  it("has its code, severity, message and its point as a range without length", () => {
    const located = finding(point(1, 5))
    expect(projecting(NONE)(located)).toEqual({
      range: { start: { line: 0, character: 4 }, end: { line: 0, character: 4 } },
      severity: 1,
      code: "EFFX0002",
      source: "effx",
      message: located.message
    })
  })

  it("has the number of its severity", () => {
    const of = (severity: "error" | "warning" | "info") =>
      projecting(NONE)({ ...finding(point(1, 1)), severity }).severity
    expect([of("error"), of("warning"), of("info")]).toEqual([1, 2, 3])
  })

  it("links to its anchor in the shipped catalogue, for every code that is in it", () => {
    for (const { code } of CORE_ENTRIES) {
      const { codeDescription } = projecting(ALL)({ ...finding(point(1, 1)), code })
      expect(codeDescription?.href).toBe(`file:///opt/effx%20doc/diagnostics.html#${encodeURIComponent(code)}`)
    }
  })

  it("of another package has no link, and none where there is no catalogue or no ability", () => {
    const located = finding(point(1, 1))
    expect(projecting(ALL)(foreign(located)).codeDescription).toBe(undefined)
    expect(projecting(NONE)(located).codeDescription).toBe(undefined)
    const without = makeProjection({ abilities: ALL, textOf: () => "", uriOf: (file) => file })
    expect(without(located).codeDescription).toBe(undefined)
  })
})

describe("what belongs to a finding", () => {
  const related = [
    { message: "the other one", location: point(1, 3, "src/b.ts"), span: { start: 0, end: 0 } },
    { message: "nowhere in particular" }
  ]
  const located = finding(point(1, 1), { related })

  it("is related information where it has a place and the client can show it, else it is said", () => {
    const { message, relatedInformation } = projecting(ALL)(located)
    expect(relatedInformation).toEqual([
      {
        location: {
          uri: "file:///p/src/b.ts",
          range: { start: { line: 0, character: 2 }, end: { line: 0, character: 2 } }
        },
        message: "the other one"
      }
    ])
    expect(String(message).split("\n")).toEqual([located.message, "nowhere in particular"])
  })

  it("is said after the message, which stays as it is, where a client cannot show it", () => {
    const { message, relatedInformation } = projecting(NONE)(located)
    expect(relatedInformation).toBe(undefined)
    expect(String(message).split("\n")).toEqual([
      located.message,
      "the other one (src/b.ts:1:3)",
      "nowhere in particular"
    ])
  })
})

describe("a law", () => {
  const Number = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30 }))
  it.prop("puts every point into the text", { pieces: Text, line: Number, col: Number }, ({ col, line, pieces }) => {
    const text = textOf(pieces)
    const { range } = projecting(ALL, text)(finding(point(line, col)))
    const index = lineIndex(text)
    expect(range.start.line).toBeLessThan(index.lineCount)
    expect(range.start.character).toBeLessThanOrEqual(index.lengthOf(range.start.line) ?? -1)
    const fits = line <= index.lineCount && col - 1 <= (index.lengthOf(line - 1) ?? -1)
    if (fits) expect(range.start).toEqual({ line: line - 1, character: col - 1 })
    expect(range.end).toEqual(range.start)
  })
})

describe("findings that no document shows", () => {
  const nowhere = EFFX0003.make({ project: "tsconfig.json", files: 2 })

  it("are one message for the log, of the worst severity, each with how to explain it", () => {
    const worse = EFFX0002.make({ file: "x", reason: "it is so" })
    const elsewhere = finding(point(3, 7))
    const text = unseenText([nowhere, worse, elsewhere], undefined)
    expect(text?.type).toBe(1)
    expect(text?.message.split("\n")).toEqual([
      `${nowhere.severity} EFFX0003: ${nowhere.message}; effx explain EFFX0003`,
      `error EFFX0002: ${worse.message}; effx explain EFFX0002`,
      `${elsewhere.severity} ${elsewhere.code} at ${elsewhere.location?.file}:3:7: ${elsewhere.message}; effx explain ${elsewhere.code}`
    ])
  })

  it("of another package are explained with the config that brings them", () => {
    const text = unseenText([{ ...nowhere, code: "EFFX[pkg]/0001" }] as never, "/p/effx.config.ts")
    expect(text?.message).toContain("effx explain 'EFFX[pkg]/0001' --config /p/effx.config.ts")
  })

  it("are nothing to say where there are none", () => {
    expect(unseenText([], undefined)).toBe(undefined)
  })
})
