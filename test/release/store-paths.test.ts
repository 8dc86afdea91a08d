/**
 * Nothing that is packed leads to a Nix store: a search path in the shim is stripped, and any other mention makes packing refuse, in every
 * kind of file and by the file's name. Each of the two is shown to be what decides: without it, its test would fail.
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { deriveManifest, type Manifest, parseManifest } from "@effx/integrity"
import { Effect, Result } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"

const root = join(import.meta.dirname, "../..")
const SHIM = "lib/effx/effx-stdio.so"
/** What compilers of nixpkgs leave in a library. */
const SEARCH_PATH = "/nix/store/0c0fz4kqyl9vv5bgq4f1lpx0bdm5hq0y-glibc-2.40/lib"

const TOOLS = ["gcc", "patchelf"] as const
const missing = TOOLS.filter(
  (tool) => !(process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, tool)))
)
const need = missing.length === 0 ? "" : ` (skipped: this machine lacks ${missing.join(", ")})`

const run = (command: string, args: ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}) => {
  const ended = spawnSync(command, args, { cwd: root, encoding: "utf8", env: { ...process.env, ...variables } })
  if (ended.status !== 0) throw new Error(`${command} ${args.join(" ")}: ${ended.stdout}${ended.stderr}`)
  return ended.stdout
}

/** Files are of one kind when they have one place and one extension. */
const kindOf = (path: string): string =>
  `${path.split("/").slice(0, -1).join("/")}/*${/\.[^./]+$/.exec(path)?.[0] ?? ""}`

const planted = (path: string, bytes: Uint8Array): Uint8Array => {
  const mention = Buffer.from(`\n${SEARCH_PATH}\n`)
  if (!/gz$/.test(path)) return Buffer.concat([bytes, mention])
  return gzipSync(Buffer.concat([gunzipSync(bytes), mention]))
}

describe.skipIf(missing.length > 0)(`store paths${need}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "effx-store-paths-"))
  const tree = join(folder, "tree")
  const withPath = join(folder, "effx-stdio.so")
  let manifest: Manifest

  const bytesOf = (path: string): Uint8Array => readFileSync(join(tree, path))
  /** What packing says of the tree as it is; undefined when it is content. */
  const refusal = async (derive: typeof deriveManifest): Promise<string | undefined> => {
    const derived = await Effect.runPromise(Effect.result(derive(tree, manifest)))
    return Result.isFailure(derived) ? derived.failure.message : undefined
  }

  beforeAll(() => {
    run("sh", ["release/build-shim.sh", folder])
    run("patchelf", ["--set-rpath", SEARCH_PATH, withPath])
    run(process.execPath, ["--no-env-file", "release/assemble.ts", tree], { EFFX_RELEASE_SHIM: withPath })
    manifest = Result.getOrThrow(parseManifest(bytesOf("manifest.json")))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("the shim's is stripped, and the shim still works", () => {
    expect(run("patchelf", ["--print-rpath", withPath]).trim()).toBe(SEARCH_PATH)
    const elf = manifest.files.find(({ path }) => path === SHIM)?.elf
    expect(elf).toBeDefined()
    expect([elf?.rpath, elf?.runpath]).toEqual([undefined, undefined])
    expect(Buffer.from(bytesOf(SHIM)).includes("/nix/store")).toBe(false)
    expect(run(process.execPath, ["--no-env-file", "tools/check-shim.ts", join(tree, SHIM)])).toContain("ABI")
  })

  it("without stripping, packing would refuse that shim", async () => {
    const stripped = bytesOf(SHIM)
    copyFileSync(withPath, join(tree, SHIM))
    const message = await refusal(deriveManifest)
    writeFileSync(join(tree, SHIM), stripped)
    expect(message).toContain(`${SHIM}: expected no RUNPATH, found RUNPATH ${SEARCH_PATH}`)
  })

  it("one of each kind of file is refused by name with a mention in it, and not without the search for it", async () => {
    expect(await refusal(deriveManifest)).toBeUndefined()
    const kinds = new Map(manifest.files.map(({ path }) => [kindOf(path), path]))
    expect(kinds.size).toBeGreaterThan(12)

    vi.resetModules()
    vi.doMock("../../src/integrity/store-path.ts", () => ({ storeMention: () => undefined }))
    const { deriveManifest: unguarded } = await import("../../src/integrity/derive-manifest.ts")

    for (const path of kinds.values()) writeFileSync(join(tree, path), planted(path, bytesOf(path)))
    const refused = (await refusal(deriveManifest))?.split("\n").toSorted()
    expect(refused?.map((line) => line.replace(/ at byte \d+.*/, ""))).toEqual(
      [...kinds.values()].map((path) => `${path}: expected no path of the Nix store, found /nix/store`).toSorted()
    )
    expect(await refusal(unguarded)).toBeUndefined()
  })
})
