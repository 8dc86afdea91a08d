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
