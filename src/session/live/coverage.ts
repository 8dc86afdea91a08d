/** Which folders to watch for a ledger: hints come from folders, so an input is watched through the one that holds it. */
import { type Input, isLibraryOf, NO_ENTRIES } from "@effx/frontend-ts"
import type { Path } from "effect"
import { isFolder } from "../host.ts"
import { isInside } from "../inside.ts"
import type { Outlook } from "./sentinel.ts"

/** The folder itself, or the nearest above it that exists. */
const existing = (path: Path.Path, folder: string, known: Map<string, string>): string => {
  const before = known.get(folder)
  if (before !== undefined) return before
  const found = isFolder(folder) || folder === "/" ? folder : existing(path, path.dirname(folder), known)
  known.set(folder, found)
  return found
}

/** Whether a path is of an installed package. */
export const isDependency = (path: string): boolean => path.includes("/node_modules/")

/**
 * The paths of a ledger, by how they are looked at: those of the project whose content or entries were asked for, those of it of which
 * only what is there, and those of installed packages and of TypeScript itself.
 *
 * @param project the project's own folder, absolute
 */
export const outlookOf = (project: string, inputs: ReadonlyArray<Input>): Outlook => {
  const [whole, names, far]: [Array<string>, Array<string>, Array<string>] = [[], [], []]
  for (const { content, entries, path } of inputs) {
    if (isDependency(path) || isLibraryOf(project, path)) far.push(path)
    else (content === undefined && entries === undefined ? names : whole).push(path)
  }
  return { whole, names, far }
}

/**
 * The folders to watch: those of the project, of installed packages, and of what was read elsewhere. A folder above the project in which
 * something was only looked for is none of them: it may be everybody's, such as a home or /tmp, and the sentinel looks there.
 *
 * @param project the project's own folder, absolute
 * @param others absolute paths that matter besides the ledger
 */
export const coverageOf = (
  path: Path.Path,
  project: string,
  inputs: ReadonlyArray<Input>,
  others: ReadonlyArray<string>
): ReadonlySet<string> => {
  const known = new Map<string, string>()
  const folders = new Set(others.map((file) => existing(path, path.dirname(file), known)))
  for (const input of inputs) {
    const folder = existing(path, path.dirname(input.path), known)
    if (input.content?._tag === "Content" || isDependency(`${folder}/`) || isInside(path, project, folder))
      folders.add(folder)
    if (input.entries === undefined) continue
    const listed = existing(path, input.path, known)
    if (input.entries !== NO_ENTRIES || isInside(path, project, listed)) folders.add(listed)
  }
  return folders
}

/** Whether two ledgers have the same paths, and the same of them say where to watch. */
export const isSamePlace = (a: ReadonlyArray<Input>, b: ReadonlyArray<Input>): boolean =>
  a.length === b.length &&
  a.every((input, index) => {
    const other = b[index]
    return (
      input === other ||
      (input.path === other?.path &&
        input.content?._tag === other.content?._tag &&
        (input.entries === undefined) === (other.entries === undefined) &&
        (input.entries === NO_ENTRIES) === (other.entries === NO_ENTRIES))
    )
  })
