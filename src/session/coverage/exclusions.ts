/**
 * What is left out below covered folders: what effx and the project's compiler write, and the insides of version control. What is
 * declared itself is never left out by this.
 *
 * Exclusions only grow: what effx owned once is left out until the session ends, so that a change of the output policy is no
 * change of executable code.
 */
import type { Path } from "effect"
import { isInside } from "../inside.ts"

const VERSION_CONTROL = new Set([".git", ".hg", ".svn", ".jj"])

export interface Exclusions {
  /** Whether an entry of a covered folder is left out. */
  readonly excludes: (path: string) => boolean
  /** @returns whether there is anything new among the folders or files */
  readonly exclude: (paths: ReadonlyArray<string>) => boolean
  /** Folders whose own entries are never left out. */
  readonly keep: (folder: string) => void
}

export const makeExclusions = (path: Path.Path): Exclusions => {
  const excluded = new Set<string>()
  const kept = new Set<string>()
  return {
    excludes: (file) => {
      if (VERSION_CONTROL.has(file.slice(file.lastIndexOf("/") + 1))) return true
      for (const folder of excluded) {
        if (!isInside(path, folder, file)) continue
        if (!Array.from(kept).some((root) => isInside(path, folder, root) && isInside(path, root, file))) return true
      }
      return false
    },
    exclude: (paths) => {
      const before = excluded.size
      for (const one of paths) excluded.add(one)
      return excluded.size > before
    },
    keep: (folder) => void kept.add(folder)
  }
}
