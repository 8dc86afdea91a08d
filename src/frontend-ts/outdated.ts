/**
 * What the disk would answer differently now than it did for a snapshot: the only proof of a change there is, since events
 * of a file system are hints at best (they are lost, late, nameless or absent).
 *
 * Guarantees: every facet that was asked is compared by what it said, never by a time alone; the result names every change
 * in the terms in which the engine takes it.
 */
import { sha256Hex } from "@effx/ir"
import type { Changes } from "./engine.ts"
import { type DiskEntries, type DiskKind, disk } from "./host.ts"
import type { ContentFact } from "./ledger.ts"

/** What a snapshot said about one path, without what an overlay said. A facet that is absent was never asked for. */
export interface Answer {
  readonly path: string
  readonly kind?: DiskKind
  readonly content?: {
    readonly fact: () => ContentFact
    /** Takes note that the same content now has another stamp. */
    readonly restamp: (fact: ContentFact) => void
  }
  /** The folder's own entries; `of` is undefined where there was none. */
  readonly listing?: { readonly of: DiskEntries | undefined }
  readonly realpath?: { readonly was: string; readonly now: () => string }
}

/** The content of a file now; `before` itself where it is unchanged and its stamp proves it. */
const contentNow = (path: string, before: ContentFact, stamp: string | undefined): ContentFact => {
  if (before._tag === "Content" && before.stamp !== undefined && before.stamp === stamp) return before
  const now = disk.read(path)
  if (now._tag !== "Content") return now
  return { _tag: "Content", hash: sha256Hex(now.bytes), ...(!now.racy && { stamp: now.stamp }) }
}

const sameContent = (a: ContentFact, b: ContentFact): boolean =>
  a._tag === b._tag && (a._tag !== "Content" || b._tag !== "Content" || a.hash === b.hash)

const NONE: DiskEntries = { files: [], directories: [], symlinks: [] }

/**
 * The names that came and went, each as a child of the folder, and whether folders are among them; undefined where a name now is
 * another kind of thing.
 */
const listingChanges = (before: DiskEntries, now: DiskEntries) => {
  if (before.symlinks.join("/") !== now.symlinks.join("/")) return undefined
  const kinds = ({ directories, files }: DiskEntries) =>
    new Map([
      ...files.map((name) => [name, "file"] as const),
      ...directories.map((name) => [name, "directory"] as const)
    ])
  const [old, current] = [kinds(before), kinds(now)]
  const created = [...current.keys()].filter((name) => !old.has(name))
  const deleted = [...old.keys()].filter((name) => !current.has(name))
  const turned = [...current].some(([name, kind]) => old.has(name) && old.get(name) !== kind)
  const folders =
    created.some((name) => current.get(name) === "directory") || deleted.some((name) => old.get(name) === "directory")
  return turned ? undefined : { created, deleted, folders }
}

/**
 * Compares answers with the disk.
 *
 * @returns undefined when nothing changed
 */
export const outdated = (answers: Iterable<Answer>): Changes | undefined => {
  const changed = new Set<string>()
  const created = new Set<string>()
  const deleted = new Set<string>()
  // A link that leads elsewhere, or a name that is another kind of thing: what it stood for is named, and all is asked again.
  const turned = new Set<string>()
  // A folder that came or went. The engine takes its name for one file's, and could keep what it selected in it.
  let folders = false
  for (const { content, kind, listing, path, realpath } of answers) {
    const now = disk.look(path)
    if (kind !== undefined && kind !== now.kind) {
      folders ||= kind === "directory" || now.kind === "directory"
      if (kind === "none") created.add(path)
      else if (now.kind === "none") deleted.add(path)
      else turned.add(path)
    }
    if (content !== undefined) {
      const before = content.fact()
      const fact = contentNow(path, before, now.stamp)
      if (sameContent(before, fact)) content.restamp(fact)
      else if (before._tag === "Missing") created.add(path)
      else if (fact._tag === "Missing") deleted.add(path)
      else changed.add(path)
    }
    if (listing !== undefined) {
      const names = listingChanges(listing.of ?? NONE, disk.entries(path) ?? NONE)
      if (names === undefined) turned.add(path)
      folders ||= names?.folders ?? false
      for (const name of names?.created ?? []) created.add(path === "/" ? `/${name}` : `${path}/${name}`)
      for (const name of names?.deleted ?? []) deleted.add(path === "/" ? `/${name}` : `${path}/${name}`)
      if ((listing.of === undefined) !== (disk.entries(path) === undefined)) turned.add(path)
    }
    if (realpath !== undefined && realpath.now() !== realpath.was) turned.add(path)
  }
  if (changed.size + created.size + deleted.size + turned.size === 0) return undefined
  return {
    changed: [...changed, ...turned],
    created: [...created],
    deleted: [...deleted],
    ...((turned.size > 0 || folders) && { everything: true })
  }
}
