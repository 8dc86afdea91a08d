/** Which folders to watch for a ledger: hints come from folders, so every input is watched through the one that holds it. */
import type { Input } from "@effx/frontend-ts"
import type { Path } from "effect"
import { isFolder } from "../host.ts"

/** The folder itself, or the nearest above it that exists. */
const existing = (path: Path.Path, folder: string, known: Map<string, string>): string => {
  const before = known.get(folder)
  if (before !== undefined) return before
  const found = isFolder(folder) || folder === "/" ? folder : existing(path, path.dirname(folder), known)
  known.set(folder, found)
  return found
}

/**
 * The folders whose entries decide what the inputs say.
 *
 * @param others absolute paths that matter besides the ledger
 */
export const coverageOf = (
  path: Path.Path,
  inputs: ReadonlyArray<Input>,
  others: ReadonlyArray<string>
): ReadonlySet<string> => {
  const known = new Map<string, string>()
  const folders = new Set<string>()
  for (const { entries, path: file } of [...inputs, ...others.map((path) => ({ path, entries: undefined }))]) {
    folders.add(existing(path, path.dirname(file), known))
    if (entries !== undefined) folders.add(existing(path, file, known))
  }
  return folders
}

/**
 * Tells whether an entry of a watched folder can matter: it leads to an input, or the folder was searched. What is busy beside the inputs,
 * a shared folder for temporary files above all, then wakes nobody.
 *
 * @param searched folders of which every entry matters
 */
export const concernOf = (path: Path.Path, inputs: ReadonlyArray<Input>, searched: Iterable<string>) => {
  const all = new Set(searched)
  const ways = new Set<string>()
  for (const { entries, path: file } of inputs) {
    if (entries !== undefined) all.add(file)
    for (let at = file; at !== "/" && !ways.has(at); at = path.dirname(at)) ways.add(at)
  }
  return (folder: string, name: string): boolean => all.has(folder) || ways.has(path.join(folder, name))
}
