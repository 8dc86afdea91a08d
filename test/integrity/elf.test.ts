/** ELF facts: equal to what readelf says, refused where malformed, never a throw or a hang whatever the bytes are. */
import { execFileSync, spawnSync } from "node:child_process"
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { compareVersions, type ElfFacts, elfProblems, PATHS, readElf } from "@effx/integrity"
import { Result, Schema } from "effect"
import { afterAll, beforeAll, describe } from "vitest"
import { LIMITS } from "../../src/integrity/limits.ts"
import { BUN, buildShim, ENGINE_FOLDER } from "./installation.ts"

const ENGINE = join(ENGINE_FOLDER, "tsc")
let folder = ""
let shim = ""

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "effx-elf-"))
  shim = buildShim(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const factsOf = (file: string): ElfFacts => Result.getOrThrow(readElf(readFileSync(file)))

const readelf = (option: string, file: string): string =>
  execFileSync("readelf", [option, "-W", file], { encoding: "utf8", env: { LC_ALL: "C" }, maxBuffer: 2 ** 28 })

/** The same facts, as binutils report them. */
const readelfFacts = (file: string): ElfFacts => {
  const [header, segments, dynamic] = [readelf("-h", file), readelf("-l", file), readelf("-d", file)]
  const one = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1]
  const versions = new Map<string, { readonly library: string; readonly version: string }>()
  let library = ""
  for (const [, of, version] of readelf("-V", file).matchAll(
    /Version: 1 {2}File: (\S+)|Name: (\S+) {2}Flags: \S+ {2}V/g
  )) {
    if (of !== undefined) library = of
    else if (version !== undefined) versions.set(`${library} ${version}`, { library, version })
  }
  const needs = [...versions].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, need]) => need)
  const libraryOf = (version: string) => needs.filter((need) => need.version === version).map((need) => need.library)
  const symbols = Array.from(
    readelf("--dyn-syms", file).matchAll(/^ +\d+: [0-9a-f]+ +\S+ +\w+ +\w+ +\w+ +\S+ +(\S+?)@(\S+) \(\d+\)$/gm),
    ([, symbol = "", version = ""]) => ({ symbol, version })
  )
  const floor = needs
    .flatMap(({ version }) => /^GLIBC_(\d.*)$/.exec(version)?.[1] ?? [])
    .reduce<string | undefined>((a, b) => (a === undefined || compareVersions(b, a) > 0 ? b : a), undefined)
  const optional = {
    glibcFloor: floor,
    interpreter: one(segments, /\[Requesting program interpreter: (.*)\]/),
    rpath: one(dynamic, /\(RPATH\) +Library rpath: \[(.*)\]/),
    runpath: one(dynamic, /\(RUNPATH\) +Library runpath: \[(.*)\]/),
    soname: one(dynamic, /\(SONAME\) +Library soname: \[(.*)\]/)
  }
  const flags = (type: string) =>
    [...segments.matchAll(new RegExp(`^ +${type} .* ([R ][W ][E ]) +0x`, "gm"))].map((m) => m[1] ?? "")
  const stack = flags("GNU_STACK")
  return {
    record: {
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
      bindNow: /\(BIND_NOW\)|\(FLAGS\).*\bBIND_NOW\b|\(FLAGS_1\).*\bNOW\b/.test(dynamic),
      class: "ELF64",
      executableStack: stack.length === 0 || stack.some((flag) => flag.includes("E")),
      machine: /Machine: +Advanced Micro Devices X86-64/.test(header) ? "x86-64" : "another",
      needed: Array.from(dynamic.matchAll(/\(NEEDED\) +Shared library: \[(.*)\]/g), ([, name = ""]) => name),
      relro: /^ +GNU_RELRO /m.test(segments),
      textRelocations: /\(TEXTREL\)|\(FLAGS\).*\bTEXTREL\b/.test(dynamic),
      type: /Type: +EXEC/.test(header) ? "EXEC" : "DYN",
      versions: needs,
      writableCode: flags("LOAD").some((flag) => flag.includes("W") && flag.includes("E"))
    },
    symbols: symbols
      .map(({ symbol, version }) => ({ symbol, version, library: libraryOf(version)[0] ?? "" }))
      .sort((a, b) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0))
  }
}

/** Libraries and programs of the machine, of many makers and ages of linkers. */
const systemFiles = (): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const place of ["/lib/x86_64-linux-gnu", "/usr/bin", "/lib64"]) {
    if (!existsSync(place)) continue
    for (const name of readdirSync(place).sort()) {
      if (
        !/^(ld-linux|libc\.so|libm\.so|libstdc\+\+|libz\.so|libgcc_s|libssl|libpthread|ls$|env$|gcc$|perl$|git$)/.test(
          name
        )
      )
        continue
      const path = realpathSync(join(place, name))
      if (!statSync(path).isFile()) continue
      if (readFileSync(path).subarray(0, 4).toString("latin1") === "\u007fELF") found.add(path)
    }
  }
  return [...found]
}

const hasReadelf = spawnSync("readelf", ["--version"]).status === 0

describe("facts", () => {
  it.skipIf(!hasReadelf)(
    "equal readelf's on Bun, the engine, the shim and files of this machine (needs readelf)",
    () => {
      const files = [BUN, ENGINE, shim, ...systemFiles()]
      expect(files.length).toBeGreaterThan(6)
      for (const file of files) {
        const [ours, theirs] = [factsOf(file), readelfFacts(file)]
        expect({ file, ...ours.record }).toEqual({ file, ...theirs.record })
        const names = ({ symbols }: ElfFacts) => symbols.map(({ symbol, version }) => `${symbol}@${version}`).sort()
        expect(names(ours)).toEqual(names(theirs))
      }
    }
  )

  it("orders versions by number", () => {
    expect(["2.17", "2.4", "2.2.5", "2.34", "2.3.4"].sort(compareVersions)).toEqual([
      "2.2.5",
      "2.3.4",
      "2.4",
      "2.17",
      "2.34"
    ])
  })
})

describe("hostile bytes", () => {
  const reasonOf = (bytes: Uint8Array): string => {
    const read = readElf(bytes)
    return Result.isFailure(read) ? read.failure.reason : "facts"
  }

  it("are refused when they are something else, cut off or of another kind", () => {
    const bytes = readFileSync(shim)
    expect(reasonOf(new Uint8Array())).toBe("NotElf")
    expect(reasonOf(new TextEncoder().encode("#!/bin/sh\n"))).toBe("NotElf")
    expect(reasonOf(bytes.subarray(0, 20))).toBe("Malformed")
    for (const [at, value, reason] of [
      [4, 1, "Unsupported"],
      [5, 2, "Unsupported"],
      [16, 1, "Unsupported"],
      [54, 32, "Malformed"],
      [56, 0, "Malformed"]
    ] as const) {
      const changed = Uint8Array.from(bytes)
      changed[at] = value
      expect(reasonOf(changed), `byte ${at}`).toBe(reason)
    }
  })

  it("are refused one segment beyond the bound", () => {
    const bytes = new Uint8Array(64 + (LIMITS.elfSegments + 1) * 56)
    bytes.set(readFileSync(shim).subarray(0, 64))
    const view = new DataView(bytes.buffer)
    view.setUint16(56, LIMITS.elfSegments, true)
    expect(reasonOf(bytes)).toBe("facts")
    view.setUint16(56, LIMITS.elfSegments + 1, true)
    expect(reasonOf(bytes)).toBe("Malformed")
  })

  // Headers and the dynamic tables are where a change matters; most of the file is code.
  const Change = Schema.Struct({
    at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff })),
    inHead: Schema.Boolean,
    value: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
  })
  const input = {
    changes: Schema.Array(Change).check(Schema.isMaxLength(8)),
    kept: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff })),
    cut: Schema.Boolean
  }

  it.prop(
    "never throw or run on, wherever they are changed or cut",
    input,
    ({ changes, cut, kept }) => {
      const bytes = Uint8Array.from(readFileSync(shim))
      for (const { at, inHead, value } of changes) bytes[at % (inHead ? 0x600 : bytes.length)] = value
      const read = readElf(cut ? bytes.subarray(0, kept % bytes.length) : bytes)
      expect(Result.isSuccess(read) || read.failure._tag === "ElfError").toBe(true)
    },
    { arbitrary: { runs: 2000 } }
  )

  it("never throw when any 64-bit field of the headers holds an extreme", () => {
    const original = readFileSync(shim)
    const extremes = [0n, 1n, 0xffffffffn, 0x7fffffffffffffffn, 0xffffffffffffffffn, BigInt(original.length)]
    for (let at = 0; at < 0x400; at += 8) {
      for (const value of extremes) {
        const bytes = Uint8Array.from(original)
        new DataView(bytes.buffer).setBigUint64(at, value, true)
        readElf(bytes)
      }
    }
  })
})

describe("assertions", () => {
  it("hold of what is shipped", () => {
    expect(elfProblems(PATHS.runtime, factsOf(BUN))).toEqual([])
    expect(elfProblems(PATHS.engine, factsOf(ENGINE))).toEqual([])
    expect(elfProblems(PATHS.shim, factsOf(shim))).toEqual([])
  })

  it("refuse each fact that must not be, by file and symbol", () => {
    const { record, symbols } = factsOf(shim)
    const found = (change: Partial<ElfFacts["record"]>, used: ElfFacts["symbols"] = symbols) =>
      elfProblems(PATHS.shim, { record: { ...record, ...change }, symbols: used }).map((problem) => problem.found)
    expect(found({ rpath: "/opt" })).toEqual(["RPATH /opt"])
    expect(found({ runpath: "$ORIGIN" })).toEqual(["RUNPATH $ORIGIN"])
    expect(found({ executableStack: true })).toHaveLength(1)
    expect(found({ textRelocations: true })).toHaveLength(1)
    expect(found({ writableCode: true })).toHaveLength(1)
    expect(found({ relro: false })).toEqual(["false"])
    expect(found({ bindNow: false })).toEqual(["false"])
    expect(found({ machine: "aarch64" })).toEqual(["the machine aarch64"])
    expect(found({ needed: ["libc.so.6", "libgcc_s.so.1"] })).toEqual(["NEEDED libgcc_s.so.1"])
    const newer = { library: "libc.so.6", version: "GLIBC_2.33" }
    expect(found({ versions: [...record.versions, newer] }, [...symbols, { ...newer, symbol: "stat" }])).toEqual([
      "GLIBC_2.33 of libc.so.6 for stat"
    ])
    expect(found({ versions: [{ library: "libc.so.6", version: "GLIBC_PRIVATE" }] })).toEqual([
      "GLIBC_PRIVATE of libc.so.6"
    ])
  })

  it("refuse a foreign executable whose facts are not the reviewed ones, and any in another place", () => {
    const { record, symbols } = factsOf(BUN)
    expect(elfProblems(PATHS.runtime, { record: { ...record, relro: true }, symbols })).toHaveLength(1)
    expect(elfProblems(PATHS.runtime, { record: { ...record, soname: "bun" }, symbols })).toHaveLength(1)
    expect(elfProblems(PATHS.engine, { record, symbols }).length).toBeGreaterThan(0)
    expect(elfProblems("share/doc/effx/x", factsOf(shim))).toHaveLength(1)
  })

  it("see a compiled shim that needs a newer glibc", () => {
    const source = join(folder, "newer.c")
    writeFileSync(source, "#include <sys/stat.h>\nint f(const char *p) { struct stat s; return stat(p, &s); }\n")
    const library = join(folder, "newer.so")
    execFileSync("cc", ["-shared", "-fPIC", "-Wl,-z,now", "-Wl,-rpath,/opt/lib", "-o", library, source])
    const found = elfProblems(PATHS.shim, factsOf(library)).map((problem) => problem.found)
    expect(found).toContainEqual(expect.stringMatching(/^R(UN)?PATH \/opt\/lib$/))
    // glibc 2.33 gave `stat` a version of its own; before, the call went through `__xstat`.
    expect(found).toContainEqual(expect.stringMatching(/^GLIBC_2\.\d+ of libc\.so\.6 for .*stat/))
  })
})
