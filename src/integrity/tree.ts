/**
 * The entries of an installation as they are on disk. Links are listed, never followed; the search is bounded in depth and number.
 */
import { compareStrings } from "@effx/ir"
import { type EntryKind, entries, isRefusal } from "./host.ts"
import { LIMITS } from "./limits.ts"
import type { Problem } from "./problem.ts"

export interface Tree {
  /** Everything but folders, by path relative to the top. */
  readonly entries: ReadonlyMap<string, EntryKind>
  readonly folders: ReadonlySet<string>
  /** What could not be listed. */
  readonly problems: ReadonlyArray<Problem>
}

/** Lists everything below `top`. */
export const listTree = (top: string): Tree => {
  const found = new Map<string, EntryKind>()
  const folders = new Set<string>()
  const problems: Array<Problem> = []
  let count = 0
  const visit = (folder: string, depth: number): void => {
    const listed = entries(folder === "" ? top : `${top}/${folder}`)
    if (isRefusal(listed)) {
      problems.push({ path: folder === "" ? "." : folder, expected: "a folder that can be listed", found: listed.code })
      return
    }
    for (const { kind, name } of listed) {
      if (++count > LIMITS.treeEntries) return
      const path = folder === "" ? name : `${folder}/${name}`
      if (kind !== "folder") {
        found.set(path, kind)
        continue
      }
      folders.add(path)
      if (depth < LIMITS.folderDepth) visit(path, depth + 1)
      else problems.push({ path, expected: `at most ${LIMITS.folderDepth} folders inside each other`, found: "more" })
    }
  }
  visit("", 1)
  if (count > LIMITS.treeEntries) {
    problems.push({ path: ".", expected: `at most ${LIMITS.treeEntries} entries`, found: "more" })
  }
  return { entries: found, folders, problems }
}

/** Orders problems for output. */
export const byPath = (problems: ReadonlyArray<Problem>): ReadonlyArray<Problem> =>
  [...problems].sort((a, b) => compareStrings(a.path, b.path))
