/** The hash of `node_modules` that Nix pins: it is Nix's own, and it belongs to the present lock. */
import { createHash } from "node:crypto"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { narHash } from "../../release/nar.ts"

const root = join(import.meta.dirname, "../..")
let folder = ""

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "effx-nar-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it("is the hash that Nix gives a tree", () => {
  const tree = join(folder, "tree")
  mkdirSync(join(tree, "b"), { recursive: true })
  writeFileSync(join(tree, "a"), "text\n")
  writeFileSync(join(tree, "b/run"), "#!/bin/sh\n")
  chmodSync(join(tree, "b/run"), 0o755)
  symlinkSync("../a", join(tree, "b/link"))
  writeFileSync(join(tree, "é"), "")
  // What `nix hash path` prints of the same tree.
  expect(narHash(tree)).toBe("sha256-AnN/76Q5KOeikFKuJ5sDOSrdIIbzwxuwiHoO63XZ9kQ=")
})

it("knows contents, names and the executable bit, and no time", () => {
  const tree = join(folder, "tree")
  mkdirSync(tree)
  writeFileSync(join(tree, "a"), "1")
  const one = narHash(tree)
  writeFileSync(join(tree, "a"), "1")
  expect(narHash(tree)).toBe(one)
  chmodSync(join(tree, "a"), 0o755)
  const two = narHash(tree)
  writeFileSync(join(tree, "a"), "2")
  const three = narHash(tree)
  writeFileSync(join(tree, "b"), "")
  expect(new Set([one, two, three, narHash(tree)]).size).toBe(4)
})

it("nix/node-modules.json belongs to bun.lock; else run release/update-node-modules-hash", () => {
  const pinned = JSON.parse(readFileSync(join(root, "nix/node-modules.json"), "utf8"))
  expect(pinned.lock).toBe(
    createHash("sha256")
      .update(readFileSync(join(root, "bun.lock")))
      .digest("hex")
  )
  expect(pinned.hash).toMatch(/^sha256-[A-Za-z0-9+/]{43}=$/)
})
