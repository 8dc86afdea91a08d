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
  main: "lib/effx/main.js",
  program: "lib/effx/program.js",
  emptyConfig: "lib/effx/empty.toml",
  /** Ends Bun's search for one above the installation, whose `paths` could lead even the program itself elsewhere. */
  emptyProject: "tsconfig.json",
  worker: "lib/effx/io-worker.js",
  shim: "lib/effx/effx-stdio.so",
  engine: "lib/typescript/tsc",
  libraries: "lib/typescript",
  manifest: "manifest.json"
} as const

/** The bundles, of which the first holds no package. */
export const BUNDLES = [PATHS.main, PATHS.program, PATHS.worker] as const

/** Classes of single files. */
const SINGLE: ReadonlyMap<string, FileClass> = new Map([
  [PATHS.launcher, "root"],
  [PATHS.runtime, "root"],
  [PATHS.main, "root"],
  [PATHS.program, "root"],
  [PATHS.emptyConfig, "root"],
  [PATHS.emptyProject, "root"],
  [PATHS.worker, "worker"],
  [PATHS.shim, "shim"],
  [PATHS.engine, "engine"],
  [`${PATHS.libraries}/LICENSE`, "rest"],
  ["CHANGELOG.md", "rest"],
  ["LICENSE", "rest"],
  ["README.md", "rest"]
])

/** The files without which no installation works. */
export const REQUIRED: ReadonlySet<string> = new Set(
  Array.from(SINGLE).flatMap(([path, fileClass]) => (fileClass === "rest" ? [] : [path]))
)

const isIn = (folder: string, path: string, ending: string): boolean =>
  path.startsWith(folder) && path.endsWith(ending) && path.indexOf("/", folder.length) < 0

/** The class of a file by its path in the installation; `undefined` when none is known. */
export const fileClassOf = (path: string): FileClass | undefined => {
  const single = SINGLE.get(path)
  if (single !== undefined) return single
  if (isIn("lib/typescript/lib.", path, ".d.ts")) return "library"
  const isRest =
    path.startsWith("share/") ||
    path.startsWith("lib/effx/template/") ||
    isIn("npm/", path, ".tgz") ||
    isIn("lib/typescript/", path, ".txt") ||
    isIn("lib/typescript/", path, ".json") ||
    isIn("lib/typescript/", path, ".md")
  return isRest ? "rest" : undefined
}
