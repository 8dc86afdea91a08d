/** The contract of extensions: EFFX0010 and EFFX0011. Whatever an extension does, compiling ends in findings. */
import { describe, expect, it } from "@effect/vitest"
import { defineExtension, type Extension } from "@effx/compiler"
import { definePackageDiagnostic, EFFX2504, type Entry, type Severity } from "@effx/diagnostics"
import { findings, run } from "./run.ts"
import { collect, object, operation, schema, text } from "./source.ts"

const Item = schema("Item", object({ id: text }))
const marked = collect(
  [
    operation("get", [
      ["Query", { name: "Item.Get", success: Item }],
      ["Annotate", "mark", { level: 3 }]
    ])
  ],
  { schemas: [Item] }
)

const entry = (owner: string, code = "0001", severity: Severity = "warning"): Entry<string> =>
  definePackageDiagnostic<string>(owner, {
    code,
    title: "Marked",
    severity,
    explanation: "A mark.",
    examples: [{ title: "A mark", before: "a", after: "b" }],
    message: (name) => `${name} is marked`
  })

const Marked = entry("effx-marks")

const extension = (parts: Partial<Extension>): Extension =>
  defineExtension({
    name: "marks",
    package: "effx-marks",
    diagnostics: [Marked],
    interpreters: [{ annotation: "mark", interpret: () => ({}) }],
    analyses: [],
    generators: [],
    ...parts
  })

const interpreting = (returned: () => unknown, parts: Partial<Extension> = {}): Extension =>
  extension({ interpreters: [{ annotation: "mark", interpret: returned as never }], ...parts })

const reporting = (diagnostic: unknown, parts: Partial<Extension> = {}): Extension =>
  interpreting(() => ({ diagnostics: [diagnostic] }), parts)

const found = (...and: ReadonlyArray<Extension>) => findings(marked, { and })

describe("codes", () => {
  it("an extension reports its own codes", () => {
    expect(found(reporting(Marked.make("Item.Get")))).toEqual(["EFFX[effx-marks]/0001 warning - Item.Get is marked"])
  })

  it("EFFX0010: a code of effx", () => {
    const forged = EFFX2504.make({ operation: "Item.Get", method: "GET", path: "/" })
    expect(found(reporting(forged))).toEqual([
      "EFFX0010 error src/main.ts:102:3 The extension marks uses EFFX2504, which belongs to effx"
    ])
    expect(found(extension({ diagnostics: [EFFX2504] }))).toEqual([
      "EFFX0010 error - The extension marks uses EFFX2504, which belongs to effx"
    ])
  })

  it("EFFX0010: a code that it does not register, or of another package", () => {
    expect(found(reporting(entry("effx-marks", "0002").make("Item.Get")))).toEqual([
      "EFFX0010 error src/main.ts:102:3 The extension marks reports EFFX[effx-marks]/0002, which it does not register"
    ])
    expect(found(reporting(entry("effx-other").make("Item.Get")))).toEqual([
      "EFFX0010 error src/main.ts:102:3 The extension marks uses EFFX[effx-other]/0001, which belongs to effx-other"
    ])
  })

  it("EFFX0010: a severity that the entry does not allow", () => {
    expect(found(reporting({ ...Marked.make("Item.Get"), severity: "error" }))).toEqual([
      "EFFX0010 error src/main.ts:102:3 The extension marks reports EFFX[effx-marks]/0001 as error, which its registration does not allow"
    ])
  })

  it("EFFX0010: one code in two extensions, or twice in one", () => {
    expect(found(extension({}), extension({ name: "more", interpreters: [] }))).toEqual([
      "EFFX0010 error - The extension more registers EFFX[effx-marks]/0001, which the extension marks registers too"
    ])
    expect(found(extension({ diagnostics: [Marked, entry("effx-marks")] }))).toHaveLength(1)
  })

  it("EFFX0010: an entry without an example", () => {
    const bare = { ...Marked, examples: [] as never }
    expect(found(extension({ diagnostics: [bare] }))).toEqual([
      "EFFX0010 error - The extension marks registers EFFX[effx-marks]/0001 with an invalid entry: it has no example"
    ])
  })

  it("EFFX0010: an extension without a package, which may report nothing", () => {
    const { package: _, ...anonymous } = reporting(Marked.make("Item.Get"), { diagnostics: [] })
    expect(found(anonymous)).toEqual([
      "EFFX0010 error - The extension marks does not name the npm package that owns it",
      "EFFX0010 error src/main.ts:102:3 The extension marks uses EFFX[effx-marks]/0001, which belongs to effx-marks"
    ])
  })
})

describe("callbacks", () => {
  const throwing = (): never => {
    throw new Error("no\n  reason")
  }

  it("EFFX0011: an interpreter that throws, at the annotation", () => {
    expect(found(interpreting(throwing))).toEqual([
      "EFFX0011 error src/main.ts:102:3 The extension marks failed in the interpreter of mark: no reason"
    ])
  })

  it("EFFX0011: an analysis or a generator that throws", () => {
    expect(found(extension({ analyses: [{ name: "levels", analyze: throwing }] }))).toEqual([
      "EFFX0011 error - The extension marks failed in the analysis levels: no reason"
    ])
    const generators = [{ name: "marks", generate: throwing }]
    expect(findings(marked, { and: [extension({ generators })], generate: true })).toEqual([
      "EFFX0011 error - The extension marks failed in the generator marks: no reason"
    ])
  })

  it("EFFX0011: what an interpreter returns is decoded piece by piece", () => {
    const { diagnostics, ir } = run(marked, {
      and: [
        interpreting(() => ({
          nodes: [
            { _tag: "Extension", id: "ext:marks/a", extension: "core", tag: "schema", data: {} },
            { _tag: "Operation", id: "model:Item" },
            7
          ],
          edges: "none",
          sites: { "operation:Item.Get": "here" },
          diagnostics: [{}]
        }))
      ]
    })
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(["EFFX0011"]))
    expect(diagnostics).toHaveLength(6)
    expect(ir.nodes).toEqual(
      run(
        collect(
          marked.declarations.map((declaration) => ({
            ...declaration,
            annotations: declaration.annotations.slice(0, 1)
          })),
          { schemas: [Item] }
        )
      ).ir.nodes
    )
  })

  it("EFFX0011: no contribution at all", () => {
    for (const returned of [undefined, null, 7, "nothing"]) {
      expect(found(interpreting(() => returned))).toEqual([
        "EFFX0011 error src/main.ts:102:3 The extension marks returned an invalid value from the interpreter of mark: it is not a contribution"
      ])
    }
  })
})

describe("generation", () => {
  const writing = (path: string, name = "marks"): Extension["generators"][number] => ({
    name,
    generate: () => [{ path, text: "ok\n" }]
  })
  const generated = (generators: Extension["generators"], options: Parameters<typeof run>[1] = {}) =>
    run(marked, { extensions: [], and: [extension({ generators })], generate: true, ...options })
  const compiled = (parts: Partial<Extension>, options: Parameters<typeof run>[1] = {}) =>
    run(marked, { and: [extension(parts)], generate: true, ...options })

  it("writes what generators return", () => {
    expect(
      compiled(
        { generators: [writing("notes/marks.txt")] },
        { disabledGenerators: ["http", "rpc", "cli", "client", "openapi"] }
      ).files
    ).toEqual([{ path: "notes/marks.txt", text: "ok\n" }])
  })

  it("does not run for check, nor after an error, nor where config says no", () => {
    const generators = [writing("marks.txt")]
    expect(compiled({ generators }, { generate: false }).files).toEqual([])
    expect(generated(generators).files).toEqual([])
    const off = compiled({ generators }, { disabledGenerators: ["marks"] })
    expect(off.files.map(({ path }) => path)).not.toContain("marks.txt")
    expect(off.semanticHash).toBe(compiled({ generators }).semanticHash)
  })

  it("EFFX0011: paths outside the folder, and two files of one path", () => {
    for (const path of ["../marks.txt", "/marks.txt", "a//b", "", "a\\b", "./a"]) {
      const { diagnostics, files } = compiled({ generators: [writing(path)] })
      expect(diagnostics.map(({ message }) => message)).toEqual([
        `The extension marks returned an invalid value from the generator marks: the path ${path} is not inside the output folder`
      ])
      expect(files).toEqual([])
    }
    expect(
      compiled({ generators: [writing("a.txt", "one"), writing("a.txt", "two")] }).diagnostics.map(
        ({ message }) => message
      )
    ).toEqual([
      "The extension marks returned an invalid value from the generator two: the generator one already writes a.txt"
    ])
  })
})
