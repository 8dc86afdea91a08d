/**
 * The program's part of a release tree: launcher, bundles, runtime, engine, shim, packages. Files are copied byte for byte, but
 * for a search path of a Nix store, which is stripped from the shim; modes are 755 or 644 whatever the umask.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { PATHS } from "@effx/integrity"
import { bundleTo } from "./bundle.ts"
import type { Commit } from "./commit.ts"
import { fail } from "./fail.ts"
import { root } from "./root.ts"
import { stripStoreRpath } from "./strip-rpath.ts"

/** What is built before, and elsewhere: by the other scripts here, or by derivations. */
export interface Parts {
  /** The published Bun, untouched. */
  readonly bun: string
  /** The compiled shim. */
  readonly shim: string
  /** The folder of the `@effx` packages' archives. */
  readonly npm: string
}

/** The engine's package, as its publisher packed it. */
export const ENGINE = join(root, "node_modules/@typescript/typescript-linux-x64")

/** Copies one file to its place in the tree. */
export const place = (tree: string, from: string, to: string, mode: 0o644 | 0o755 = 0o644): void => {
  if (!existsSync(from)) fail(`${from} is missing; run 'npm start' once`)
  const target = join(tree, to)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(from, target)
  chmodSync(target, mode)
}

export const placeInstallation = async (tree: string, parts: Parts, from: Commit): Promise<void> => {
  place(tree, join(root, "src/cli/bin/effx"), PATHS.launcher, 0o755)
  place(tree, join(root, "src/cli/bin/empty.toml"), PATHS.emptyConfig)
  place(tree, join(root, "src/cli/bin/empty.json"), PATHS.emptyProject)
  await bundleTo(join(tree, dirname(PATHS.main)), from)
  place(tree, parts.shim, PATHS.shim)
  stripStoreRpath(join(tree, PATHS.shim))
  place(tree, parts.bun, PATHS.runtime, 0o755)
  for (const file of readdirSync(join(ENGINE, "lib")).filter((name) => /^tsc$|^lib\..*d\.ts$/.test(name))) {
    const to = `${PATHS.libraries}/${file}`
    place(tree, join(ENGINE, "lib", file), to, to === PATHS.engine ? 0o755 : 0o644)
  }
  for (const archive of readdirSync(parts.npm).filter((name) => name.endsWith(".tgz"))) {
    place(tree, join(parts.npm, archive), `npm/${archive}`)
  }
}
