/**
 * An installation to damage: a release, assembled but not packed. It is made once; each damage is undone before the next.
 */
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Manifest, type ReleaseFacts, readManifest } from "@effx/integrity"
import { Result } from "effect"

export const repository = join(import.meta.dirname, "../..")
export const BUN = join(repository, "tools/bun/node_modules/@oven/bun-linux-x64-baseline/bin/bun")
export const ENGINE_FOLDER = join(repository, "node_modules/@typescript/typescript-linux-x64/lib")

export const FACTS: ReleaseFacts = {
  components: { bun: "1.3.13", effect: "4.1.0", typescript: "7.1.0-beta" },
  source: { revision: "0".repeat(40), tree: "1".repeat(40) },
  toolchain: { compiler: "gcc 12.2.0", headers: "glibc 2.36" },
  version: "0.1.0"
}

/** The shim as the repository's own script builds it, into `folder`. */
export const buildShim = (folder: string): string => {
  execFileSync(join(repository, "release/build-shim.sh"), [folder], { stdio: "pipe" })
  return join(folder, "effx-stdio.so")
}

/** Assembles an installation in a new folder, as a release is assembled. */
export const assemble = (): { readonly top: string; readonly manifest: Manifest } => {
  const top = join(realpathSync(mkdtempSync(join(tmpdir(), "effx integrity "))), "effx 'x\" é")
  execFileSync(BUN, ["--no-env-file", join(repository, "release/assemble.ts"), top], { stdio: "pipe" })
  return { top, manifest: Result.getOrThrow(readManifest(top)) }
}

/** What stands at a path, so that it can be put back. */
export const saved = (path: string): (() => void) => {
  const before = existsSync(path) ? { bytes: readFileSync(path), mode: lstatSync(path).mode & 0o7777 } : undefined
  return () => {
    rmSync(path, { recursive: true, force: true })
    if (before === undefined) return
    writeFileSync(path, before.bytes)
    chmodSync(path, before.mode)
  }
}
