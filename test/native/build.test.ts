/** How the shim is compiled: without a warning, with the same bytes everywhere, and for every system with glibc. */
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { buildShim, compiler, root, run, scratch, tool } from "./toolchain.ts"

const SOURCE = join(root, "native/effx_stdio.c")
const WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion"]

/** What a compiler says about the shim's source. */
const remarks = (command: string, flags: ReadonlyArray<string>): string => {
  const result = spawnSync(command, [...WARNINGS, ...flags, "-c", "-o", "/dev/null", SOURCE], { encoding: "utf8" })
  return `${result.stdout}${result.stderr}`
}

for (const name of ["gcc", "clang"]) {
  it.skipIf(tool(name) === undefined)(`${name} has no warning (needs ${name})`, () => {
    expect(remarks(name, ["-O2"])).toBe("")
    expect(remarks(name, ["-O2", "-Wshadow", "-Wcast-qual", "-Wstrict-prototypes"])).toBe("")
  })
}

it.skipIf(tool("gcc") === undefined)("gcc's analyzer finds nothing (needs gcc)", () => {
  expect(remarks("gcc", ["-O2", "-fanalyzer"])).toBe("")
})

it.skipIf(tool("gcc") === undefined)("the analyzer would find something (needs gcc)", () => {
  const flawed = "#include <stdlib.h>\nint f(void) { int *p = malloc(4); return *p; }\n"
  const result = spawnSync("gcc", ["-fanalyzer", "-c", "-x", "c", "-o", "/dev/null", "-"], {
    input: flawed,
    encoding: "utf8"
  })
  expect(result.stderr).toContain("-Wanalyzer")
})

describe.skipIf(compiler === undefined)("the build (needs a C compiler)", () => {
  const [copies, empty, kept] = [scratch(), scratch(), scratch()]

  it("gives the same bytes from another folder, umask, locale and zone, and under another compiler's wrapping", () => {
    const copy = join(copies, "a copy, elsewhere")
    mkdirSync(join(copy, "release"), { recursive: true })
    cpSync(join(root, "native"), join(copy, "native"), { recursive: true })
    cpSync(join(root, "release/build-shim.sh"), join(copy, "release/build-shim.sh"))
    execFileSync("/bin/sh", ["-c", 'umask 077; cd / && exec "$script" "$out"'], {
      env: {
        PATH: process.env.PATH ?? "",
        script: join(copy, "release/build-shim.sh"),
        out: join(copies, "other"),
        LANG: "de_DE.UTF-8",
        TZ: "Asia/Tokyo",
        SOURCE_DATE_EPOCH: "1",
        CPATH: "/nowhere",
        NIX_HARDENING_ENABLE: "fortify pie"
      }
    })
    const one = readFileSync(buildShim(join(copies, "one")))
    expect(readFileSync(join(copies, "other/effx-stdio.so")).equals(one)).toBe(true)
    expect(one.includes(root)).toBe(false)
    expect(one.includes("/nix/store")).toBe(false)
    expect(one.includes("GCC:")).toBe(false)
  })

  it("says so where no compiler is installed", () => {
    symlinkSync(tool("dirname") ?? "", join(empty, "dirname"))
    const result = spawnSync("/bin/sh", [join(root, "release/build-shim.sh"), empty], {
      env: { PATH: empty },
      encoding: "utf8"
    })
    expect(result.stderr).toBe("effx build-shim: no C compiler is found; install gcc or set CC\n")
    expect(result.status).toBe(1)
  })

  it("leaves what was there when it fails", () => {
    const shim = buildShim(kept)
    const before = readFileSync(shim)
    const result = spawnSync("/bin/sh", [join(root, "release/build-shim.sh"), kept], {
      env: { ...process.env, CC: "false" }
    })
    expect(result.status).not.toBe(0)
    expect(readFileSync(shim).equals(before)).toBe(true)
    expect(run("ls", ["-A", kept])).toBe("effx-stdio.so\n")
  })
})

describe.skipIf(compiler === undefined || tool("readelf") === undefined)(
  "the library (needs a C compiler and readelf)",
  () => {
    const shim = compiler === undefined ? "" : buildShim(scratch())
    const readelf = (flag: string): string => run("readelf", ["-W", flag, shim])

    it("needs libc alone, at 2.4 or older", () => {
      const needed = Array.from(readelf("-d").matchAll(/\(NEEDED\).*\[(.*)\]/g), (match) => match[1])
      expect(needed).toEqual(["libc.so.6"])
      const versions = new Set(Array.from(readelf("-V").matchAll(/Name: (GLIBC_[\d.]+)/g), (match) => match[1]))
      expect(Array.from(versions).sort()).toEqual(["GLIBC_2.2.5", "GLIBC_2.4"])
    })

    it("has a SONAME, no search path, no text relocation and binds at once", () => {
      const dynamic = readelf("-d")
      expect(dynamic).toContain("Library soname: [effx-stdio.so]")
      expect(dynamic).toContain("BIND_NOW")
      expect(dynamic).not.toMatch(/RPATH|RUNPATH|TEXTREL|\(INIT|\(FINI/)
    })

    it("has RELRO, no executable stack, and nothing both writable and executable", () => {
      const segments = readelf("-l")
      expect(segments).toContain("GNU_RELRO")
      expect(segments).toMatch(/GNU_STACK .* RW +0x/)
      expect(segments).not.toContain("RWE")
    })

    it("offers the entry points of its header and nothing more", () => {
      const header = readFileSync(join(root, "native/effx_stdio.h"), "utf8")
      const declared = Array.from(header.matchAll(/EFFX_STDIO_API int32_t (\w+)\(/g), (match) => match[1]).sort()
      const defined = Array.from(
        readelf("--dyn-syms").matchAll(/GLOBAL +\w+ +\d+ (\w+)$/gm),
        (match) => match[1]
      ).sort()
      expect(declared).toHaveLength(11)
      expect(defined).toEqual(declared)
    })
  }
)
