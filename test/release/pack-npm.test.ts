/** The archives that projects install: complete, without source, and the same bytes under any umask, zone and locale. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { onTestFinished } from "vitest"

const root = join(import.meta.dirname, "../..")
/** Packs into a new folder and returns the archives' hashes, by name. */
const pack = (
  out: string,
  shell = ":",
  env: Readonly<Record<string, string>> = {}
): Readonly<Record<string, string>> => {
  execFileSync("/bin/sh", ["-c", `${shell}; exec "$bun" release/pack-npm.ts "$out"`], {
    cwd: root,
    env: { ...process.env, bun: process.execPath, out, ...env }
  })
  return Object.fromEntries(
    readdirSync(out)
      .filter((name) => name.endsWith(".tgz"))
      .sort()
      .map((name) => [
        name,
        createHash("sha256")
          .update(readFileSync(join(out, name)))
          .digest("hex")
      ])
  )
}

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "effx-pack-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it("packs the same bytes under another umask, time zone and locale", () => {
  const folder = temporary()
  const first = pack(join(folder, "one"), "umask 022", { TZ: "UTC", LC_ALL: "C" })
  expect(Object.keys(first).map((name) => name.replace(/-\d.*$/, ""))).toEqual([
    "effx-cli",
    "effx-compiler",
    "effx-diagnostics",
    "effx-ir",
    "effx-runtime"
  ])
  expect(pack(join(folder, "two"), "umask 077", { TZ: "Asia/Tokyo", LC_ALL: "C.UTF-8" })).toEqual(first)
})

it("packs what the exports name, and every module that those import", () => {
  const folder = temporary()
  const out = join(folder, "npm")
  for (const archive of Object.keys(pack(out))) {
    const to = join(folder, archive)
    mkdirSync(to)
    execFileSync("tar", ["-xzf", join(out, archive)], { cwd: to })
    const manifest = JSON.parse(readFileSync(join(to, "package/package.json"), "utf8"))
    expect(JSON.stringify(manifest)).not.toContain("workspace:")
    for (const entry of Object.values<{ readonly types: string; readonly default: string }>(manifest.exports)) {
      for (const file of [entry.types, entry.default]) {
        const text = readFileSync(join(to, "package", file), "utf8")
        expect(text).not.toMatch(/from "\.[^"]*\.ts"/)
        for (const [, specifier = ""] of text.matchAll(/from "(\.[^"]+)\.js"/g)) {
          expect(existsSync(join(to, "package", file, "..", `${specifier}.js`)), specifier).toBe(true)
        }
      }
    }
  }
})
