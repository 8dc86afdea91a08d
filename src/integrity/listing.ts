/**
 * The listing of an installation against its manifest: what is missing, what is of another kind, what was added. Reads no file and
 * never looks at a time.
 */
import { PATHS } from "./file-class.ts"
import * as host from "./host.ts"
import type { Manifest } from "./manifest.ts"
import type { Problem } from "./problem.ts"
import type { Tree } from "./tree.ts"
import { KINDS } from "./verified-file.ts"

/** Where nothing may ever be added: what lies there is found by name. */
const CLOSED = /^(bin|lib)\//

/**
 * What is wrong with the entries of a tree.
 *
 * @param strict also counts as wrong what was added and cannot harm: files that nothing executes, links inside the tree
 */
export const listingProblems = (
  top: string,
  manifest: Manifest,
  tree: Tree,
  strict: boolean
): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = [...tree.problems]
  const listed = new Set<string>([PATHS.manifest])
  for (const { path } of manifest.files) {
    listed.add(path)
    const kind = tree.entries.get(path)
    if (kind === "file") continue
    const found = kind !== undefined ? KINDS[kind] : tree.folders.has(path) ? KINDS.folder : "nothing"
    problems.push({ path, expected: "a regular file", found })
  }
  const added: Array<Problem> = []
  for (const [path, kind] of tree.entries) {
    if (listed.has(path)) continue
    const found = addition(top, path, kind, strict)
    if (found !== undefined) added.push({ path, expected: "nothing in this place", found })
  }
  // A link in the place of a folder explains everything that is missing below it.
  return [...added, ...problems]
}

const addition = (top: string, path: string, kind: host.EntryKind, strict: boolean): string | undefined => {
  if (kind === "link") {
    const target = host.realPath(`${top}/${path}`)
    if (host.isRefusal(target)) return "a symbolic link that leads nowhere"
    if (target !== top && !target.startsWith(`${top}/`)) return "a symbolic link that leaves the installation"
    return strict || CLOSED.test(`${path}/`) ? KINDS.link : undefined
  }
  if (strict || kind !== "file" || CLOSED.test(path)) return KINDS[kind]
  const status = host.status(`${top}/${path}`)
  return host.isRefusal(status) || (status.mode & 0o111) === 0 ? undefined : "an executable file"
}
