/**
 * Which files an analysis was made of: the program's sources and libraries, its tsconfigs, and the manifests that decide how they are
 * read. Whatever else was asked for led to one of these or to nothing.
 *
 * Guarantees: the answer depends on the state alone, not on the states before it, whose questions are in the ledger too.
 */
import type { View } from "./engine.ts"
import { paths } from "./host.ts"

/** Whether a file is one of TypeScript's own declarations, which lie wherever the engine does. */
export const isLibraryOf = (root: string, file: string): boolean => LIBRARY.test(file) && !file.startsWith(`${root}/`)

/** The name of a declaration file of TypeScript's own. */
export const LIBRARY = /\/lib\.[a-z0-9.]*d\.ts$/

/**
 * @param files absolute paths of the program's files and tsconfigs
 * @param root the tsconfig's folder
 */
export const madeOf = (
  view: Pick<View, "fileExists">,
  files: ReadonlyArray<string>,
  root: string
): ReadonlyArray<string> => {
  const nearest = new Map<string, string | undefined>()
  const manifestOf = (folder: string): string | undefined => {
    if (nearest.has(folder)) return nearest.get(folder)
    const own = paths.join(folder, "package.json")
    const above = paths.dirname(folder)
    const found = view.fileExists(own) ? own : above === folder ? undefined : manifestOf(above)
    nearest.set(folder, found)
    return found
  }
  const manifests = [root, ...files.filter((file) => !isLibraryOf(root, file)).map(paths.dirname)].flatMap(
    (folder) => manifestOf(folder) ?? []
  )
  return Array.from(new Set([...files, ...manifests])).sort()
}
