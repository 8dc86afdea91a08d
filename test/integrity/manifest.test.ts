/** The manifest: read strictly, written canonically, and every file of a release in a class. */
import { expect, it } from "@effect/vitest"
import { encodeManifest, FILE_CLASSES, fileClassOf, Manifest, PATHS, parseManifest } from "@effx/integrity"
import { canonicalJson } from "@effx/ir"
import { Result, Schema } from "effect"
import { describe } from "vitest"
import { REQUIRED } from "../../src/integrity/file-class.ts"
import { LIMITS } from "../../src/integrity/limits.ts"
import { hasManifestForm } from "../../src/integrity/manifest-form.ts"
import { arePlainPaths, pathProblem } from "../../src/integrity/path-rule.ts"
import { FACTS } from "./installation.ts"

const elf = {
  bindNow: true,
  class: "ELF64",
  executableStack: false,
  glibcFloor: "2.4",
  machine: "x86-64",
  needed: ["libc.so.6"],
  relro: true,
  soname: "effx-stdio.so",
  textRelocations: false,
  type: "DYN",
  versions: [{ library: "libc.so.6", version: "GLIBC_2.4" }],
  writableCode: false
} as const

const file = (path: string, more: Partial<Manifest["files"][number]> = {}): Manifest["files"][number] => ({
  class: fileClassOf(path) ?? "rest",
  mode: "644",
  path,
  sha256: "a".repeat(64),
  size: 1,
  ...more
})

const sample: Manifest = {
  ...FACTS,
  files: [
    file(PATHS.launcher, { mode: "755" }),
    file(PATHS.runtime, { mode: "755" }),
    file(PATHS.shim, { elf }),
    file(PATHS.emptyConfig, { size: 0 }),
    file(PATHS.worker),
    file(PATHS.main),
    file(PATHS.program),
    file("lib/typescript/lib.d.ts"),
    file(PATHS.engine, { mode: "755" }),
    file("share/doc/effx/é.md"),
    file(PATHS.emptyProject, { size: 3 })
  ],
  format: "effx.release.v1",
  glibcFloor: "2.4",
  target: "x86_64-linux-gnu"
}

const parse = (value: Manifest) => parseManifest(new TextEncoder().encode(encodeManifest(value)))
const found = (value: unknown): string => {
  const parsed = parse(value as Manifest)
  return Result.isFailure(parsed) ? `${parsed.failure.expected}; ${parsed.failure.found}` : "accepted"
}
const withFiles = (...files: ReadonlyArray<Manifest["files"][number]>) => ({
  ...sample,
  files: [...sample.files, ...files].sort((a, b) => (a.path < b.path ? -1 : 1))
})

describe("a manifest", () => {
  it("reads back as what was written", () => {
    expect(Result.getOrThrow(parseManifest(new TextEncoder().encode(encodeManifest(sample))))).toEqual(sample)
  })

  it("is refused with a key that is unknown, missing or there twice", () => {
    expect(found({ ...sample, more: 1 })).toMatch(/more/)
    expect(found({ ...sample, source: { revision: "0".repeat(40) } })).toMatch(/tree/)
    const twice = encodeManifest(sample).replace('"format":', '"format":"effx.release.v1","format":')
    expect(Result.isFailure(parseManifest(new TextEncoder().encode(twice)))).toBe(true)
  })

  it("is refused wherever a bit of it is flipped", () => {
    const bytes = new TextEncoder().encode(encodeManifest(sample))
    for (let at = 0; at < bytes.length; at++) {
      const flipped = Uint8Array.from(bytes)
      flipped[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
      expect(Result.isFailure(parseManifest(flipped)), `byte ${at}`).toBe(true)
    }
  })

  it("is refused in any other encoding than the canonical one", () => {
    const text = encodeManifest(sample)
    for (const other of [
      text.trimEnd(),
      ` ${text}`,
      `\uFEFF${text}`,
      `${text}\n`,
      text.replace('"target"', '"\\u0074arget"'),
      text.replace('"size":0', '"size":-0'),
      text.replace('"size":1}', '"size":1.0}'),
      text.replace('{"class":"root","mode":"755"', '{"mode":"755","class":"root"'),
      text.slice(0, -10),
      ""
    ]) {
      expect(other).not.toBe(text)
      expect(Result.isFailure(parseManifest(new TextEncoder().encode(other))), other.slice(0, 40)).toBe(true)
    }
    expect(Result.isFailure(parseManifest(Uint8Array.from([0xff, 0xfe, 0x7b])))).toBe(true)
  })

  it.each([
    "/etc/passwd",
    "share/../bin/x",
    "../x",
    "share//x",
    "share/./x",
    "share/x/",
    "share/a\nb",
    "share/a\\b",
    ""
  ])("is refused with the path %j", (path) => {
    expect(found(withFiles(file(path, { class: "rest" })))).toMatch(/^portable paths; /)
  })

  it("is refused with a path twice, out of order, without a class, of another class, or too long", () => {
    expect(found(withFiles(file("share/a"), file("share/a")))).toBe("unique paths in order; share/a twice")
    expect(found({ ...sample, files: [...sample.files].reverse() })).toMatch(/^unique paths in order; .* after /)
    expect(found(withFiles(file("lib/effx/more.js")))).toMatch(/^the class of a known place for lib\/effx\/more\.js/)
    expect(found(withFiles(file("share/x", { class: "root" })))).toBe("the class rest for share/x; root")
    const longest = `share/${"a".repeat(LIMITS.pathBytes - 6)}`
    expect(found(withFiles(file(longest)))).toBe("accepted")
    expect(found(withFiles(file(`${longest}a`)))).toMatch(/longer than/)
  })

  it("is refused without a file that nothing runs without, and with a floor that its files do not have", () => {
    for (const path of REQUIRED) {
      expect(found({ ...sample, files: sample.files.filter((entry) => entry.path !== path) })).toContain(path)
    }
    expect(found({ ...sample, glibcFloor: "2.3" })).toMatch(/^the glibc floor 2\.4/)
    expect(found({ ...sample, glibcFloor: "2.17" })).toMatch(/^the glibc floor 2\.4/)
  })

  it("is refused beyond its bounds", () => {
    expect(found(withFiles(file("share/x", { size: LIMITS.fileBytes })))).toBe("accepted")
    expect(found(withFiles(file("share/x", { size: LIMITS.fileBytes + 1 })))).not.toBe("accepted")
    const many = (count: number) =>
      withFiles(...Array.from({ length: count - sample.files.length }, (_, index) => file(`share/${index}`)))
    expect(found(many(LIMITS.manifestFiles))).toBe("accepted")
    expect(found(many(LIMITS.manifestFiles + 1))).not.toBe("accepted")
    const padded = (size: number) =>
      parseManifest(new TextEncoder().encode(encodeManifest(sample).replace("é", "e").padEnd(size)))
    expect(padded(LIMITS.manifestBytes)).toMatchObject({ failure: { expected: "canonical JSON" } })
    expect(padded(LIMITS.manifestBytes + 1)).toMatchObject({ failure: { found: "more" } })
  })

  const Place = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))

  it.prop(
    "has by hand the form that its schema says, whatever is changed in it",
    { changes: Schema.Array(Schema.Tuple([Place, Schema.Json])).check(Schema.isMaxLength(2)), drop: Schema.Boolean },
    ({ changes, drop }) => {
      let value: unknown = sample
      for (const [place, replacement] of changes) value = changed(value, place, replacement, drop)
      const canonical: unknown = JSON.parse(canonicalJson(value))
      const decoded = Schema.decodeUnknownResult(Manifest)(canonical, { onExcessProperty: "error" })
      expect(hasManifestForm(canonical)).toBe(Result.isSuccess(decoded))
    },
    { arbitrary: { runs: 400 } }
  )
})

/** The value with the `place`-th of its parts replaced, or with its key dropped. */
const changed = (value: unknown, place: number, replacement: unknown, drop: boolean): unknown => {
  const parts: Array<ReadonlyArray<string>> = []
  const visit = (part: unknown, path: ReadonlyArray<string>): void => {
    parts.push(path)
    if (typeof part === "object" && part !== null) {
      for (const [key, inner] of Object.entries(part)) visit(inner, [...path, key])
    }
  }
  visit(value, [])
  const path = parts[place % parts.length] ?? []
  const at = (part: unknown, rest: ReadonlyArray<string>): unknown => {
    const [key, ...more] = rest
    if (key === undefined) return replacement
    if (Array.isArray(part)) return part.map((inner, index) => (String(index) === key ? at(inner, more) : inner))
    const record = part as Readonly<Record<string, unknown>>
    if (more.length === 0 && drop) return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))
    return { ...record, [key]: at(record[key], more) }
  }
  return at(value, path)
}

it("classes are known for the places of a release and for no other", () => {
  const places: Readonly<Record<string, ReadonlyArray<string>>> = {
    root: [PATHS.launcher, PATHS.runtime, PATHS.main, PATHS.program, PATHS.emptyConfig, PATHS.emptyProject],
    worker: [PATHS.worker],
    shim: [PATHS.shim],
    engine: [PATHS.engine],
    library: ["lib/typescript/lib.d.ts", "lib/typescript/lib.es2015.symbol.wellknown.d.ts"],
    rest: ["npm/effx-cli-0.1.0.tgz", "share/man/man1/effx.1", "lib/typescript/NOTICE.txt", "lib/effx/template/a/b.ts"]
  }
  expect(Object.keys(places)).toEqual([...FILE_CLASSES])
  for (const [name, paths] of Object.entries(places)) {
    for (const path of paths) expect([path, fileClassOf(path)]).toEqual([path, name])
  }
  for (const path of [
    "bin/other",
    "lib/effx/other.js",
    "lib/typescript/lib.d.ts/x",
    "npm/a/b.tgz",
    "x",
    "sharex/y",
    PATHS.manifest
  ]) {
    expect([path, fileClassOf(path)]).toEqual([path, undefined])
  }
})

it("plain paths are portable, wherever they stand in a list", () => {
  for (const path of [
    "",
    "/a",
    "a//b",
    "a/",
    "./a",
    "a/../b",
    "..",
    "a\\b",
    "a\nb",
    "a\u0000",
    'a"b',
    "é",
    "a b",
    ".git/x"
  ]) {
    for (const list of [[path], ["a/b", path], [path, "a/b"], ["a", path, "b"]]) {
      expect([list, arePlainPaths(list)]).toEqual([list, false])
    }
  }
  expect(arePlainPaths(["bin/effx", "share/a.b-c_d@1+2/x"])).toBe(true)
})

it("paths that are portable are let through", () => {
  for (const path of ["a", "a/b", ".hidden", "a/.b/..c", "ü/é", "a b", "@x/y+z"])
    expect([path, pathProblem(path)]).toEqual([path, undefined])
})
