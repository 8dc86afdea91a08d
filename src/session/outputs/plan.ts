/**
 * Decides, without touching anything, what a build may write and remove (Spec 0018 §5, output custody).
 *
 * A file is ours when its bytes match the manifest, the journal or what is about to be written. A foreign file is never
 * overwritten or removed; one of ours that someone edited is a conflict until `overwrite`. All conflicts are reported at
 * once, and a plan with a conflict is not carried out at all.
 */
import { compareStrings, sha256Hex } from "@effx/ir"

/** A file to be; `path` is POSIX and relative to the tsconfig's folder. */
export interface OutputFile {
  readonly path: string
  readonly text: string
}

/** What lies at a path now. `Blocked` is anything but a regular file that can be reached without following a link. */
export type Found =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "File"; readonly hash: string }
  | { readonly _tag: "Blocked"; readonly reason: string }

/** Hashes by path that a file of ours may have. An empty set means: ours by name, but with unknown bytes. */
export type Ownership = ReadonlyMap<string, ReadonlySet<string>>

export interface OutputState {
  /** At least every path of `owned` and of what is about to be written. */
  readonly found: ReadonlyMap<string, Found>
  readonly owned: Ownership
}

export interface Conflict {
  readonly path: string
  /** A clause that follows the path: "was edited …". */
  readonly reason: string
}

export interface Plan {
  /** In the order of `next`. */
  readonly writes: ReadonlyArray<OutputFile & { readonly hash: string; readonly existed: boolean }>
  /** Sorted. */
  readonly removals: ReadonlyArray<string>
  readonly unchanged: ReadonlyArray<string>
  readonly conflicts: ReadonlyArray<Conflict>
}

const ABSENT: Found = { _tag: "Absent" }

const EDITED = "was edited since effx wrote it; undo the edit, or pass --overwrite to lose it"
const FOREIGN = "is not a file of effx and is in the way; move it, or choose another outDir"

/** Paths that cannot all exist: one path twice, or a file where another one needs a folder. */
const collisions = (next: ReadonlyArray<OutputFile>): ReadonlyArray<Conflict> => {
  const seen = new Set<string>()
  const twice = next.flatMap(({ path }) => {
    const again = seen.has(path)
    seen.add(path)
    return again ? [{ path, reason: "would be written twice with different content" }] : []
  })
  const nested = next.flatMap(({ path }) =>
    path
      .split("/")
      .slice(0, -1)
      .map((_, index, parts) => parts.slice(0, index + 1).join("/"))
      .filter((parent) => seen.has(parent))
      .map((parent) => ({ path, reason: `needs a folder where the file ${parent} is written` }))
  )
  return [...twice, ...nested]
}

/**
 * Plans the step from what lies on disk to `next`.
 *
 * @param next the complete new set, each path once
 * @param options.overwrite whether edited files of ours may be lost
 */
export const planOutputs = (
  state: OutputState,
  next: ReadonlyArray<OutputFile>,
  options: { readonly overwrite: boolean }
): Plan => {
  const writes: Array<Plan["writes"][number]> = []
  const removals: Array<string> = []
  const unchanged: Array<string> = []
  const conflicts: Array<Conflict> = [...collisions(next)]
  for (const file of next) {
    const hash = sha256Hex(file.text)
    const found = state.found.get(file.path) ?? ABSENT
    const owned = state.owned.get(file.path)
    if (found._tag === "Absent") writes.push({ ...file, hash, existed: false })
    else if (found._tag === "Blocked") conflicts.push({ path: file.path, reason: found.reason })
    else if (found.hash === hash) unchanged.push(file.path)
    else if (owned === undefined) conflicts.push({ path: file.path, reason: FOREIGN })
    else if (owned.has(found.hash) || options.overwrite) writes.push({ ...file, hash, existed: true })
    else conflicts.push({ path: file.path, reason: EDITED })
  }
  const kept = new Set(next.map(({ path }) => path))
  for (const [path, hashes] of [...state.owned].sort((a, b) => compareStrings(a[0], b[0]))) {
    const found = state.found.get(path) ?? ABSENT
    // What is no regular file any more is no file of ours.
    if (kept.has(path) || found._tag !== "File") continue
    if (hashes.has(found.hash) || options.overwrite) removals.push(path)
    else conflicts.push({ path, reason: EDITED })
  }
  return { writes, removals, unchanged, conflicts: conflicts.sort((a, b) => compareStrings(a.path, b.path)) }
}

/** Whether carrying out the plan would change nothing. */
export const isSettled = (plan: Plan): boolean =>
  plan.writes.length === 0 && plan.removals.length === 0 && plan.conflicts.length === 0
