/**
 * Bundles the program: `bun release/bundle.ts FOLDER` writes main.js, program.js and io-worker.js there.
 *
 * Guarantees of each file: its first line is `// @bun`, without which Bun would cache a translation outside of the installation; it
 * imports nothing but `node:` and `bun:` modules, since anything else could be found in a folder above the installation; no path of
 * this machine is in it. Equal sources give equal bytes in whatever folder, also when node_modules is a link.
 */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { join } from "node:path"
import { type Commit, commit } from "./commit.ts"
import { fail } from "./fail.ts"
import { root } from "./root.ts"

const ENTRIES = {
  "main.js": "src/cli/main.ts",
  "program.js": "src/cli/program.ts",
  "io-worker.js": "src/stdio/io-worker.ts"
} as const

/** The printed forms of an import of a Node module: Bun leaves its prefix out. */
const IMPORT = /^((?:import [^"'`\n]+|\}) from |import )"([a-z_/]+)";$/gm
const CALL = /(\b(?:__require|import)\()"([^"\n]+)"(\))/g
const IMPORTED = /^((?:import [^"'`\n]+|\}) from |import )"(?:node|bun):[a-z_/]+";$|\bimport\("node:[a-z_/]+"\)/gm
const MODULE_COMMENT = /^\/\/ .*\/(node_modules\/.*)$/gm

/** Puts the prefixes back, and names each module by its place below the innermost node_modules. */
const normalized = (text: string): string =>
  text
    .replace(IMPORT, (line, head, name) => (builtinModules.includes(name) ? `${head}"node:${name}";` : line))
    .replace(CALL, (call, head, name, tail) => (builtinModules.includes(name) ? `${head}"node:${name}"${tail}` : call))
    .replace(MODULE_COMMENT, (_, inside: string) => `// ${inside.slice(inside.lastIndexOf("node_modules/"))}`)

const isOwn = (specifier: string): boolean => specifier.startsWith("node:") || specifier.startsWith("bun:")

/** What a bundle must not be, one line each. */
export const bundleProblems = (name: string, text: string, folder: string): ReadonlyArray<string> => {
  const imported = new Bun.Transpiler({ loader: "js" }).scanImports(text)
  const specifiers = new Set([
    ...imported.map(({ path }) => path),
    ...Array.from(text.matchAll(CALL), ([, , specifier = ""]) => specifier)
  ])
  // Printed texts that only look like an import would have been rewritten too.
  const rewritten = (text.match(IMPORTED) ?? []).length
  return [
    ...(imported.length === rewritten
      ? []
      : [`${name} has ${imported.length} imports, of which ${rewritten} were seen`]),
    ...(text.startsWith("// @bun\n") ? [] : [`${name} does not begin with // @bun`]),
    ...Array.from(specifiers)
      .filter((specifier) => !isOwn(specifier))
      .sort()
      .map((specifier) => `${name} imports ${specifier}, which would be looked for outside of the installation`),
    ...(text.includes(`${folder}/`) ? [`${name} holds the path of the folder that it was built in`] : [])
  ]
}

/** The text of one bundle. */
const bundle = async (name: string, entry: string, { modified, revision }: Commit): Promise<string> => {
  const built = await Bun.build({
    entrypoints: [join(root, entry)],
    root,
    target: "bun",
    throw: false,
    define: { EFFX_COMMIT: JSON.stringify(revision), EFFX_MODIFIED: JSON.stringify(modified) }
  })
  const [output] = built.outputs
  if (!built.success || output === undefined || built.outputs.length !== 1) {
    return fail(`${entry} cannot be bundled`, ...built.logs.map(String))
  }
  const text = normalized(await output.text())
  const problems = bundleProblems(name, text, root)
  return problems.length === 0 ? text : fail(...problems)
}

/** Writes all bundles to a folder. */
export const bundleTo = async (folder: string, from: Commit): Promise<void> => {
  // Bun names modules by their paths from here.
  process.chdir(root)
  mkdirSync(folder, { recursive: true })
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const file = join(folder, name)
    writeFileSync(file, await bundle(name, entry, from))
    chmodSync(file, 0o644)
  }
}

if (import.meta.main) await bundleTo(process.argv[2] ?? fail("bundle.ts needs a folder"), commit())
