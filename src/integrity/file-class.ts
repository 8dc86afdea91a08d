/**
 * What each file of an installation is to the program that runs from it, and thereby who proves it and when.
 *
 * A path that no rule names has no class: it can be neither packed nor listed by a manifest.
 */

/**
 * - `root` runs before anything can be hashed; only another copy can prove it.
 * - `worker`, `shim` and `engine` are hashed before they are executed.
 * - `library` is what the engine reads: each file is hashed before its use.
 * - `rest` is never executed by the program; `effx verify` proves it.
 */
export const FILE_CLASSES = ["root", "worker", "shim", "engine", "library", "rest"] as const
export type FileClass = (typeof FILE_CLASSES)[number]

/** The files that the running program itself looks for. */
export const PATHS = {
  launcher: "bin/effx",
  runtime: "lib/bun/bun",
  bundle: "lib/effx/main.js",
  emptyConfig: "lib/effx/empty.toml",
  worker: "lib/effx/io-worker.js",
  shim: "lib/effx/effx-stdio.so",
  engine: "lib/typescript/tsc",
  libraries: "lib/typescript",
  manifest: "manifest.json"
} as const

/** The files without which no installation works. */
export const REQUIRED: ReadonlyArray<string> = [
  PATHS.launcher,
  PATHS.runtime,
  PATHS.bundle,
  PATHS.emptyConfig,
  PATHS.worker,
  PATHS.shim,
  PATHS.engine
]

const RULES: ReadonlyArray<readonly [path: string | RegExp, FileClass]> = [
  [PATHS.launcher, "root"],
  [PATHS.runtime, "root"],
  [PATHS.bundle, "root"],
  [PATHS.emptyConfig, "root"],
  [PATHS.worker, "worker"],
  [PATHS.shim, "shim"],
  [PATHS.engine, "engine"],
  [/^lib\/typescript\/lib(\.[a-z0-9.]+)?\.d\.ts$/, "library"],
  [/^lib\/typescript\/[A-Za-z0-9.]+\.(txt|md|json)$|^lib\/typescript\/LICENSE$/, "rest"],
  [/^lib\/effx\/template\/./, "rest"],
  [/^npm\/[^/]+\.tgz$/, "rest"],
  [/^share\/./, "rest"],
  [/^(LICENSE|README\.md|CHANGELOG\.md)$/, "rest"]
]

/** The class of a file by its path in the installation; `undefined` when none is known. */
export const fileClassOf = (path: string): FileClass | undefined =>
  RULES.find(([rule]) => (typeof rule === "string" ? rule === path : rule.test(path)))?.[1]
