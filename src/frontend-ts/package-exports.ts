/** The subpath by which a package's manifest offers one of its files (Node.js, "Package entry points"). */
import type { PackageFacts } from "./package-facts.ts"

const EXTENSION = /(?:\.d)?\.[cm]?[jt]sx?$/

/** A path without the extension of a source, declaration or script file. */
export const stripExtension = (path: string): string => path.replace(EXTENSION, "")

/** Conditions under which generated code may import; `require` alone is none of them. */
const leaves = (target: unknown): ReadonlyArray<string> => {
  if (typeof target === "string") return [target]
  if (Array.isArray(target)) return target.flatMap(leaves)
  if (typeof target !== "object" || target === null) return []
  return Object.entries(target).flatMap(([condition, value]) => (condition === "require" ? [] : leaves(value)))
}

const matching = (pattern: string, file: string): string | undefined => {
  const wanted = stripExtension(pattern.replace(/^\.\//, ""))
  const star = wanted.indexOf("*")
  if (star < 0) return wanted === file ? "" : undefined
  const before = wanted.slice(0, star)
  const after = wanted.slice(star + 1)
  return file.startsWith(before) && file.endsWith(after) && file.length >= before.length + after.length
    ? file.slice(before.length, file.length - after.length)
    : undefined
}

/**
 * The subpath of a file, with its leading slash and empty for the package's main entry.
 *
 * @param within the file's path relative to the package's folder
 * @returns `undefined` when the manifest offers the file under no name
 */
export const subpathOf = (manifest: PackageFacts, within: string): string | undefined => {
  const file = stripExtension(within)
  if (manifest.exports === undefined) {
    const main = stripExtension((manifest.types ?? manifest.main ?? "index").replace(/^\.\//, ""))
    return file === main ? "" : `/${file}`
  }
  const table: Readonly<Record<string, unknown>> =
    typeof manifest.exports === "object" &&
    manifest.exports !== null &&
    Object.keys(manifest.exports).some((key) => key.startsWith("."))
      ? (manifest.exports as Readonly<Record<string, unknown>>)
      : { ".": manifest.exports }
  for (const [key, target] of Object.entries(table)) {
    for (const leaf of leaves(target)) {
      const part = matching(leaf, file)
      if (part !== undefined) return key.slice(1).replace("*", part)
    }
  }
  return undefined
}
