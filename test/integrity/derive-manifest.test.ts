/** What packing refuses, by file name: the final bytes are judged, whatever was done to them before. */
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, it } from "@effect/vitest"
import { deriveManifest, encodeManifest, PATHS, parseManifest, storeMention } from "@effx/integrity"
import { Effect, Result } from "effect"
import { afterAll, beforeAll, describe, onTestFinished } from "vitest"
import { BUN, buildShim, ENGINE_FOLDER, FACTS, saved } from "./installation.ts"

// Put together here: these tests are files of the repository, which is packed as source too.
const STORE = `/${"nix"}/store/${"a".repeat(32)}-glibc-2.40`

let folder = ""
let tree = ""

const place = (path: string, content: string | Uint8Array, mode = 0o644): void => {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), content)
  chmodSync(join(tree, path), mode)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "effx-derive-"))
  tree = join(folder, "tree")
  place(PATHS.launcher, "#!/bin/sh\n", 0o755)
  place(PATHS.main, "// @bun\n")
  place(PATHS.program, "// @bun\n")
  place(PATHS.worker, "// @bun\n")
  place(PATHS.emptyConfig, "")
  place(PATHS.emptyProject, "{}\n")
  place("lib/typescript/lib.d.ts", "")
  place("npm/effx-ir-0.1.0.tgz", gzipSync("packed"))
  place("share/doc/effx/verify.md", "# Verify\n")
  for (const [path, from, mode] of [
    [PATHS.runtime, BUN, 0o755],
    [PATHS.engine, join(ENGINE_FOLDER, "tsc"), 0o755],
    [PATHS.shim, buildShim(folder), 0o644]
  ] as const) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    copyFileSync(from, join(tree, path))
    chmodSync(join(tree, path), mode)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const derive = () => Effect.runPromise(Effect.result(deriveManifest(tree, FACTS)))

/** The one line for which packing refuses. */
const refusal = async (): Promise<string> => {
  const derived = await derive()
  return Result.isFailure(derived) ? derived.failure.message : "derived"
}

it("derives a manifest that reads back, whatever manifest was there before", async () => {
  const derived = Result.getOrThrow(await derive())
  const text = encodeManifest(derived)
  expect(Result.getOrThrow(parseManifest(new TextEncoder().encode(text)))).toEqual(derived)
  expect(derived.glibcFloor).toBe("2.17")
  expect(derived.files.filter(({ elf }) => elf !== undefined).map(({ path }) => path)).toEqual([
    PATHS.runtime,
    PATHS.shim,
    PATHS.engine
  ])
  onTestFinished(() => rmSync(join(tree, PATHS.manifest)))
  place(PATHS.manifest, text)
  expect(encodeManifest(Result.getOrThrow(await derive()))).toBe(text)
})

describe("packing refuses", () => {
  it.each([PATHS.launcher, PATHS.program, PATHS.worker, "lib/typescript/lib.d.ts", "share/doc/effx/verify.md"])(
    "a path of the Nix store in %s",
    async (path) => {
      onTestFinished(saved(join(tree, path)))
      writeFileSync(join(tree, path), `${readFileSync(join(tree, path))}# ${STORE}\n`)
      expect(await refusal()).toMatch(new RegExp(`^${path}: expected no path of the Nix store, found .* at byte \\d+$`))
    }
  )

  it.each([PATHS.runtime, PATHS.engine, PATHS.shim])("a path of the Nix store in %s", async (path) => {
    onTestFinished(saved(join(tree, path)))
    writeFileSync(join(tree, path), Buffer.concat([readFileSync(join(tree, path)), Buffer.from(STORE)]))
    expect(await refusal()).toMatch(new RegExp(`^${path}: expected no path of the Nix store`))
  })

  it("a path of the Nix store inside a packed package", async () => {
    const path = "npm/effx-ir-0.1.0.tgz"
    onTestFinished(saved(join(tree, path)))
    writeFileSync(join(tree, path), gzipSync(`x ${STORE}`))
    expect(await refusal()).toMatch(/^npm\/effx-ir-0\.1\.0\.tgz: .* at byte 2 of what it packs$/)
    expect(storeMention(gzipSync("nothing"))).toBeUndefined()
    expect(storeMention(Uint8Array.from([0x1f, 0x8b, 0, 0]))).toMatch(/cannot be unpacked/)
  })

  it("an entry that is no regular file, has no class, or a mode of its own", async () => {
    for (const [path, make, line] of [
      [
        "share/link",
        (file: string) => symlinkSync("doc", file),
        /^share\/link: expected a regular file, found a link$/
      ],
      [
        "lib/effx/more.js",
        (file: string) => writeFileSync(file, ""),
        /^lib\/effx\/more\.js: expected a path that has a class/
      ],
      ["share/script", (file: string) => writeFileSync(file, "", { mode: 0o700 }), /^share\/script: .*, found 700$/],
      ["share/a\\b", (file: string) => writeFileSync(file, ""), /^share\/a\\b: expected a portable path/]
    ] as const) {
      make(join(tree, path))
      const refused = await refusal()
      rmSync(join(tree, path))
      expect(refused).toMatch(line)
    }
  })

  it("a tree without a file that nothing runs without", async () => {
    onTestFinished(saved(join(tree, PATHS.worker)))
    rmSync(join(tree, PATHS.worker))
    expect(await refusal()).toBe(`${PATHS.worker}: expected a file, found nothing`)
  })

  it("a shim that is no ELF file, is cut off, or was linked otherwise", async () => {
    const file = join(tree, PATHS.shim)
    onTestFinished(saved(file))
    const before = readFileSync(file)
    writeFileSync(file, "text")
    expect(await refusal()).toBe(`${PATHS.shim}: expected an ELF file, found another file`)
    writeFileSync(file, before.subarray(0, 300))
    expect(await refusal()).toMatch(/expected a well-formed ELF file, found /)
    const source = join(folder, "f.c")
    writeFileSync(source, "int f(void) { return 1; }\n")
    execFileSync("cc", ["-shared", "-fPIC", "-Wl,-z,lazy", "-Wl,-z,execstack", "-Wl,-rpath,/opt", "-o", file, source])
    const lines = (await refusal()).split("\n")
    expect(lines.every((line) => line.startsWith(`${PATHS.shim}: `))).toBe(true)
    expect(lines.join("\n")).toMatch(/no R(UN)?PATH/)
    expect(lines.join("\n")).toMatch(/no executable stack/)
    expect(lines.join("\n")).toMatch(/bindNow true/)
  })

  it("another Bun than the reviewed one", async () => {
    const file = join(tree, PATHS.runtime)
    onTestFinished(saved(file))
    copyFileSync("/bin/sh", file)
    expect(await refusal()).toMatch(/^lib\/bun\/bun: expected /)
  })
})
