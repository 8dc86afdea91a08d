/** Golden files: a source and what `--format pretty` prints about it, together. */

import { expect, it } from "@effect/vitest"
import { EFFX2201 } from "@effx/diagnostics"
import { describe } from "vitest"
import { pretty } from "../../../src/cli/reporters/pretty.ts"
import { colourStyle } from "../../../src/cli/reporters/style.ts"
import { elsewhere, report, SOURCE, siteOf, surroundings, undeclared, unlocated } from "./samples.ts"

const at = (source: string, text: string) =>
  EFFX2201.make(
    { operation: "User.Get", error: "NotFound" },
    { site: siteOf(source, text), notes: [{ label: "fix", text: "add NotFound to @Errors" }] }
  )

const long = (before: number, after: number) => `const ${"a".repeat(before)} = @Errors${"b".repeat(after)}\n`

const CASES: Readonly<Record<string, { readonly source: string; readonly rendered: () => string }>> = {
  "the bar": { source: SOURCE, rendered: () => pretty(report([undeclared]), surroundings()) },
  "several findings": {
    source: SOURCE,
    rendered: () => pretty(report([elsewhere, undeclared, unlocated]), surroundings())
  },
  "nothing found": { source: SOURCE, rendered: () => pretty(report([]), surroundings()) },
  "only a warning": { source: SOURCE, rendered: () => pretty(report([unlocated]), surroundings()) },
  "source that is not to be had": {
    source: "",
    rendered: () => pretty(report([undeclared]), surroundings({ lines: () => undefined }))
  },
  colours: { source: SOURCE, rendered: () => pretty(report([undeclared]), surroundings({ style: colourStyle })) },
  "a narrow terminal": { source: SOURCE, rendered: () => pretty(report([undeclared]), surroundings({ columns: 44 })) },
  ...Object.fromEntries(
    Object.entries({
      "first line": "@Errors()\n",
      "last line without a line break": "class A {\n  @Errors()",
      tabs: "\tclass A {\n\tx\t@Errors()\n",
      "wide characters before the point": 'const 名前 = "日本語"; /* 👩‍👩‍👧 é */ @Errors()\n',
      "an astral character before the point": 'const x = "𝒳𝒴"; @Errors()\n',
      "CRLF and a lone CR": "class A {\r\n  one()\r  @Errors()\r\n}",
      "line separators that are not line breaks": "const a = '\u2028'; @Errors()\n",
      "a byte order mark": "\ufeff@Errors()\n",
      "controls in the source": "const a = '\u001b[31m\u0007'; \u202e @Errors()\n",
      "a long line, the point at its end": long(200, 0),
      "a long line, the point at its start": long(0, 200),
      "a long line, the point inside": long(200, 200),
      "a long line after a short one": `short\n${long(200, 200)}`
    }).map(([name, source]) => [
      name,
      { source, rendered: () => pretty(report([at(source, "@Errors")]), surroundings({ source, columns: 80 })) }
    ])
  )
}

describe("pretty", () => {
  for (const [name, { rendered, source }] of Object.entries(CASES)) {
    it(name, async () => {
      const file = `golden/${name.replace(/[^a-z0-9]+/gi, "-")}.txt`
      await expect(`--- source\n${source}\n--- terminal\n${rendered()}`).toMatchFileSnapshot(file)
    })
  }

  it("never prints a line wider than the terminal below a finding's message", () => {
    for (const columns of [40, 57, 80, 120]) {
      for (const source of [long(300, 300), long(0, 500), long(500, 0), `${"名".repeat(200)}@Errors\n`]) {
        const rendered = pretty(report([at(source, "@Errors")]), surroundings({ source, columns }))
        const frame = rendered.split("\n").filter((line) => /^ {3}[ \d]+\|/.test(line))
        expect(frame.length).toBeGreaterThan(0)
        for (const line of frame) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns)
        const [caret, text] = [frame.at(-1) ?? "", frame.at(-2) ?? ""]
        const before = Bun.stringWidth(text.slice(0, text.indexOf("@Errors")))
        expect(caret.indexOf("^")).toBe(before)
      }
    }
  })
})
