/**
 * Holds the source to its architecture: packages import downwards only, foreign interfaces are bound in one place each,
 * and at most one host module per package may import `node:` or `bun:`. Prints the host modules; exits 1 on a violation.
 */
import { dirname } from "node:path"
import { Glob } from "bun"

/** Packages from the bottom up; each may import those before it. */
const ORDER = ["diagnostics", "ir", "runtime", "integrity", "compiler", "frontend-ts", "session", "stdio", "lsp", "cli"]

/** Foreign modules and the only package that may import each. */
const BINDINGS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^typescript(\/|$)/, "frontend-ts"],
  [/^effect\/(unstable\/)?cli(\/|$)/, "cli"],
  [/^@effect\/platform-bun(\/|$)/, "cli"],
  [/^bun:ffi$/, "stdio"]
]

const IMPORT = /(?:^|[\s;])(?:import|export)\b[^"'`;]*?\bfrom\s*["']([^"']+)["']|\bimport\s*\(?\s*["']([^"']+)["']/g

const root = `${dirname(import.meta.dirname)}/`
const problems: Array<string> = []
const hosts = new Map<string, Set<string>>()

/** Source text whose comments and template literals are blanked, so that quoted code is not taken for imports. */
const code = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "$1").replace(/`(?:[^`\\]|\\[\s\S])*`/g, "``")

for (const path of Array.from(new Glob("src/**/*.ts").scanSync(root)).sort()) {
  if (path.includes("/node_modules/")) continue
  const owner = path.split("/")[1] ?? ""
  const rank = ORDER.indexOf(owner)
  if (rank < 0) problems.push(`${path}: src/${owner} is not a package of the architecture`)
  for (const match of code(await Bun.file(root + path).text()).matchAll(IMPORT)) {
    const specifier = match[1] ?? match[2] ?? ""
    const sibling = /^@effx\/([a-z-]+)/.exec(specifier)?.[1]
    if (sibling !== undefined && ORDER.indexOf(sibling) >= rank) {
      problems.push(`${path}: ${owner} must not import ${specifier}, which stands above it`)
    }
    for (const [pattern, only] of BINDINGS) {
      if (pattern.test(specifier) && owner !== only) problems.push(`${path}: only ${only} may import ${specifier}`)
    }
    if (/^(node|bun):|^bun$/.test(specifier)) hosts.set(owner, (hosts.get(owner) ?? new Set()).add(path))
    if (specifier.startsWith(".")) {
      const target = new URL(specifier, `file:///${path}`).pathname
      if (!target.startsWith(`/src/${owner}/`)) problems.push(`${path}: ${specifier} leaves the package`)
    }
  }
}

for (const [owner, paths] of hosts) {
  if (paths.size > 1) problems.push(`${owner} has ${paths.size} host modules: ${Array.from(paths).join(", ")}`)
  else process.stdout.write(`host module of ${owner}: ${Array.from(paths).join("")}\n`)
}
for (const problem of problems) process.stdout.write(`${problem}\n`)
process.exit(problems.length === 0 ? 0 : 1)
