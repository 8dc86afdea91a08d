/** The laws of the registry and of every core entry. */

import { describe, expect, it } from "@effect/vitest"
import { CORE_ENTRIES, definePackageDiagnostic, entryProblems, makeRegistry, ownerOf } from "@effx/diagnostics"

const packageEntry = (packageName: string, code: string) =>
  definePackageDiagnostic<{ readonly operation: string }>(packageName, {
    code,
    title: "Missing reason",
    severity: "error",
    explanation: "An audited operation gives a reason.",
    examples: [{ title: "A reason", before: "a", after: "b" }],
    message: ({ operation }) => `${operation} gives no reason`
  })

describe("core entries", () => {
  it.each(CORE_ENTRIES.map((entry) => [entry.code, entry] as const))("%s is well formed", (_code, entry) => {
    expect(entryProblems(entry)).toEqual([])
    expect(entry.owner).toBe("effx")
  })

  it("have one owner for each code", () => {
    expect(makeRegistry(CORE_ENTRIES).duplicates).toEqual([])
    expect(makeRegistry(CORE_ENTRIES).list.length).toBe(CORE_ENTRIES.length)
  })

  it.each(CORE_ENTRIES.map((entry) => [entry.code, entry] as const))(
    "%s explains in plain sentences",
    (_code, entry) => {
      expect(entry.title).not.toMatch(/\.$/)
      expect(entry.explanation).toMatch(/\.$/)
      expect(entry.explanation.split("\n\n").length).toBeGreaterThanOrEqual(3)
    }
  )
})

describe("ownerOf", () => {
  it.each([
    ["EFFX0001", "effx"],
    ["EFFX[effx-audit]/0001", "effx-audit"],
    ["EFFX[@acme/effx.audit]/9999", "@acme/effx.audit"]
  ])("%s belongs to %s", (code, owner) => expect(ownerOf(code)).toBe(owner))

  it.each([
    "EFFX1",
    "EFFX00001",
    "effx0001",
    "EFFX[]/0001",
    "EFFX[a]/1",
    "EFFX[A]/0001",
    "EFFX[a]]/0001",
    "EFFX[a/b]/0001"
  ])("%s is no code", (code) => expect(ownerOf(code)).toBeUndefined())
})

describe("makeRegistry", () => {
  const first = packageEntry("effx-audit", "0001")
  const second = packageEntry("effx-audit", "0001")

  it("finds an entry by its full code", () => {
    const registry = makeRegistry([...CORE_ENTRIES, first])
    expect(registry.lookup("EFFX[effx-audit]/0001")).toBe(first)
    expect(registry.lookup("EFFX9999")).toBeUndefined()
  })

  it("keeps the first of two entries and reports both", () => {
    const registry = makeRegistry([first, second])
    expect(registry.lookup(first.code)).toBe(first)
    expect(registry.duplicates).toEqual([{ code: first.code, entries: [first, second] }])
  })

  it("counts an entry that is given twice once", () => {
    expect(makeRegistry([first, first]).duplicates).toEqual([])
  })

  it("lists core codes first, in ascending order, whatever the order of its input", () => {
    const codes = makeRegistry([first, ...CORE_ENTRIES.toReversed()]).list.map(({ code }) => code)
    expect(codes.at(-1)).toBe(first.code)
    expect(codes).toEqual(codes.toSorted())
  })
})

describe("entryProblems", () => {
  it("names every empty field and a code that is not the owner's", () => {
    const entry = { ...packageEntry("effx-audit", "0001"), code: "EFFX0001", title: " ", explanation: "" }
    expect(entryProblems(entry)).toEqual([
      "its code is not EFFX[effx-audit]/ and four digits",
      "its title is empty",
      "its explanation is empty"
    ])
  })
})
