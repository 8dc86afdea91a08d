/**
 * Proves a whole installation from outside: manifest, listing and the bytes of every file, the root of trust included. Finds every
 * problem, not only the first, and executes nothing of it.
 */
import { Result } from "effect"
import * as host from "./host.ts"
import { readManifest } from "./installation.ts"
import { listingProblems } from "./listing.ts"
import type { Manifest } from "./manifest.ts"
import type { Problem } from "./problem.ts"
import { byPath, listTree } from "./tree.ts"
import { fileProblem } from "./verified-file.ts"

export interface Verification {
  /** The top folder, without links. */
  readonly top: string
  /** Absent when it cannot be used; then it is the only problem. */
  readonly manifest?: Manifest
  /** Sorted by path, one for each file. */
  readonly problems: ReadonlyArray<Problem>
  /** Files that were proved, and how many bytes they hold. */
  readonly files: number
  readonly bytes: number
}

/**
 * Verifies the installation in `folder`.
 *
 * @returns `undefined` when there is no such folder
 */
export const verifyInstallation = (folder: string): Verification | undefined => {
  const top = host.realPath(folder)
  if (host.isRefusal(top)) return undefined
  const read = readManifest(top)
  if (Result.isFailure(read)) return { top, problems: [read.failure], files: 0, bytes: 0 }
  const manifest = read.success
  const found = new Map<string, Problem>()
  for (const problem of listingProblems(top, manifest, listTree(top), true)) found.set(problem.path, problem)
  let files = 0
  let bytes = 0
  for (const file of manifest.files) {
    const problem = found.has(file.path) ? undefined : fileProblem(top, file)
    if (problem !== undefined) found.set(file.path, problem)
    if (found.has(file.path)) continue
    files++
    bytes += file.size
  }
  return { top, manifest, problems: byPath([...found.values()]), files, bytes }
}
