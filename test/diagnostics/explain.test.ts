/** `effx explain` and the catalogue page come from the registry and from nothing else. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import {
  CORE_ENTRIES,
  catalogue,
  definePackageDiagnostic,
  EFFX2504,
  explain,
  makeRegistry,
  nearCodes
} from "@effx/diagnostics"
import { generatedPages } from "../../tools/docs.ts"

const audit = definePackageDiagnostic<object>("@acme/effx-audit", {
  code: "0001",
  title: "Missing reason",
  severity: "warning",
  explanation: "An audited operation gives a reason.",
  examples: [{ title: "A reason", file: "a.json", before: "a", after: "b\n" }],
  message: () => "no reason"
})

describe("explain", () => {
  it("shows code, title, severity, policy, owner, explanation and examples", () => {
    expect(explain(audit)).toBe(`# EFFX[@acme/effx-audit]/0001: Missing reason

Severity: **warning**

Reported by the extension package \`@acme/effx-audit\`

An audited operation gives a reason.

## Example: A reason

\`a.json\` with the finding:

\`\`\`json
a
\`\`\`

and without it:

\`\`\`json
b
\`\`\`
`)
  })

  it("says when another severity applies", () => {
    expect(explain(EFFX2504)).toContain("Severity: **warning**, or **error** when `strictAccess` is set")
  })

  it.each(CORE_ENTRIES.map((entry) => [entry.code, entry] as const))("%s needs no network", (_code, entry) => {
    expect(explain(entry)).not.toMatch(/https?:\/\//)
  })
})

describe("catalogue", () => {
  it("has one anchor for each full code, and links that lead to it", () => {
    const registry = makeRegistry([...CORE_ENTRIES, audit])
    const page = catalogue(registry)
    const anchors = Array.from(page.matchAll(/<a id="([^"]+)">/g), ([, id]) => id)
    const links = Array.from(page.matchAll(/\]\(#([^)]+)\)/g), ([, id]) => decodeURIComponent(id ?? ""))
    expect(anchors).toEqual(registry.list.map(({ code }) => code))
    expect(links).toEqual(anchors)
  })

  it.each(Object.entries(generatedPages()))("%s is what tools/docs.ts writes", (path, text) => {
    expect(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")).toBe(text)
  })
})

describe("nearCodes", () => {
  const registry = makeRegistry([...CORE_ENTRIES, audit])

  it.each([
    ["effx2201", ["EFFX2201"]],
    ["2201", ["EFFX2201"]],
    ["EFFX-2701", ["EFFX2701"]],
    ["EFX2701", ["EFFX2701"]],
    ["EFFX[@acme/effx-audit]/001", ["EFFX[@acme/effx-audit]/0001"]]
  ])("%s is near %o", (text, expected) => expect(nearCodes(registry, text).slice(0, 1)).toEqual(expected))

  it.each(["", "hello world", "x".repeat(1_000_000)])("nothing is near a text that is no code", (text) => {
    expect(nearCodes(registry, text)).toEqual([])
  })

  it("gives at most three", () => expect(nearCodes(registry, "EFFX2209").length).toBe(3))
})
