/**
 * An installation to damage: the pieces of a release in the places of a release, with the manifest that packing derives. It is copied
 * once; each damage is undone before the next.
 */
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { deriveManifest, encodeManifest, type Manifest, PATHS, type ReleaseFacts } from "@effx/integrity"
import { Effect } from "effect"

export const repository = join(import.meta.dirname, "../..")
export const BUN = join(repository, "tools/bun/node_modules/@oven/bun-linux-x64-baseline/bin/bun")
export const ENGINE_FOLDER = join(repository, "node_modules/@typescript/typescript-linux-x64/lib")

export const FACTS: ReleaseFacts = {
  components: { bun: "1.3.13", effect: "4.1.0", typescript: "7.1.0-beta" },
  source: { revision: "0".repeat(40), tree: "1".repeat(40) },
  toolchain: { compiler: "gcc 12.2.0", headers: "glibc 2.36" },
  version: "0.1.0"
}

const LAUNCHER = `#!/bin/sh
here=\${0%/*}/..
EFFX_CWD=$PWD
export EFFX_CWD
cd "$here" || exit 3
exec ./lib/bun/bun --no-env-file --config=./lib/effx/empty.toml --no-install ./lib/effx/main.js "$@"
`

/** The shim as the repository's own script builds it, into `folder`. */
export const buildShim = (folder: string): string => {
  execFileSync(join(repository, "release/build-shim.sh"), [folder], { stdio: "pipe" })
  return join(folder, "effx-stdio.so")
}

/** Assembles an installation in a new folder. */
export const assemble = async (): Promise<{ readonly top: string; readonly manifest: Manifest }> => {
  const top = join(realpathSync(mkdtempSync(join(tmpdir(), "effx integrity "))), "effx 'x\" é")
  const place = (path: string, mode: number, write: (to: string) => void) => {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    write(join(top, path))
    chmodSync(join(top, path), mode)
  }
  const text = (content: string) => (to: string) => writeFileSync(to, content)
  const copy = (from: string) => (to: string) => cpSync(from, to)
  const bundle = (entry: string) => (to: string) => {
    execFileSync(BUN, ["build", "--target=bun", join(repository, entry), "--outfile", to], { stdio: "pipe" })
  }
  place(PATHS.launcher, 0o755, text(LAUNCHER))
  place(PATHS.runtime, 0o755, copy(BUN))
  place(PATHS.bundle, 0o644, bundle("src/cli/main.ts"))
  place(PATHS.worker, 0o644, bundle("src/stdio/io-worker.ts"))
  place(PATHS.emptyConfig, 0o644, text(""))
  const build = mkdtempSync(join(tmpdir(), "effx-shim-"))
  place(PATHS.shim, 0o644, copy(buildShim(build)))
  rmSync(build, { recursive: true })
  place(PATHS.engine, 0o755, copy(join(ENGINE_FOLDER, "tsc")))
  for (const name of readdirSync(ENGINE_FOLDER)) {
    if (name.endsWith(".d.ts")) place(join(PATHS.libraries, name), 0o644, copy(join(ENGINE_FOLDER, name)))
  }
  place("npm/effx-runtime-0.1.0.tgz", 0o644, text("packed"))
  place("share/man/man1/effx.1", 0o644, text(".TH EFFX 1\n"))
  place("share/doc/effx/cli.md", 0o644, copy(join(repository, "docs/cli.md")))
  place("share/licenses/effx/LICENSE", 0o644, copy(join(repository, "LICENSE")))
  const manifest = await Effect.runPromise(deriveManifest(top, FACTS))
  place(PATHS.manifest, 0o644, text(encodeManifest(manifest)))
  return { top, manifest }
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
