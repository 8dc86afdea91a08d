/**
 * One immutable state of the world as the engine sees it: the disk with overlays (texts of open documents) on top.
 *
 * Guarantees: the same question has the same answer for as long as the snapshot lives, whatever happens on disk meanwhile;
 * every answer is total and synchronous; overlays are visible to every kind of question, also those in folders that do not
 * exist; texts have no byte-order mark and no lone surrogate, which the engine would not survive. Every question and its
 * answer is in the ledger (`inputs`).
 */
import { lazily } from "@effx/compiler"
import { aliased } from "./aliased.ts"
import type { Changes, View } from "./engine.ts"
import { contentOf, contentOfText, type Entry, factOfUnread, listingOf, restamp } from "./entry.ts"
import { type DiskContent, type DiskEntries, type DiskKind, disk, paths } from "./host.ts"
import type { Input } from "./ledger.ts"
import { type Answer, outdated } from "./outdated.ts"
import { isOverlooked } from "./planted-fault.ts"
import type { TrustedEngine } from "./trusted-engine.ts"

/** Texts by absolute path that replace what is on disk; `undefined` hides the file. */
export type Overlays = ReadonlyMap<string, string | undefined>

export interface WorldSnapshot extends View {
  readonly overlays: Overlays
  /** Whether the file began with a byte-order mark, which its text lacks. */
  readonly hadMark: (path: string) => boolean
  /** The hash of the bytes of a file; undefined where there are none. */
  readonly hashOf: (path: string) => string | undefined
  /** Why a file of the engine's own folder was withheld from it: nothing that it then says may be used. */
  readonly refusal: () => string | undefined
  /** Where links lead that the engine met, by the path of what is linked: files and folders. */
  readonly links: () => ReadonlyMap<string, string>
  /** The ledger so far, sorted by path. */
  readonly inputs: () => ReadonlyArray<Input>
  /**
   * What the disk would answer differently now, or undefined. What an overlay answers is not the disk's.
   *
   * @param concerns which paths to compare; all unless given
   */
  readonly outdated: (concerns?: (path: string) => boolean) => Changes | undefined
  /** The state after `changes`, with other overlays. What the changes do not touch is not asked again. */
  readonly next: (changes: Changes, overlays: Overlays) => WorldSnapshot
}

/** The state of the disk now, below `overlays`. */
export const takeSnapshot = (overlays: Overlays = new Map(), trusted?: TrustedEngine): WorldSnapshot =>
  make(new Map(), overlays, trusted, [], new Map())

/** A file of a dependency that the engine may read for itself. Manifests are read here too, so they stay ours. */
const DEPENDENCY = /\/node_modules\/.*\.[cm]?[jt]sx?$/

const ancestorsOf = (path: string): ReadonlyArray<string> => {
  const ancestors: Array<string> = []
  for (let folder = paths.dirname(path); ; folder = paths.dirname(folder)) {
    ancestors.push(folder)
    if (folder === paths.dirname(folder)) return ancestors
  }
}

/** Reads a file of the engine's own folder only when it is what it was released as. */
const readTrusted = (
  path: string,
  { folder, refusal }: TrustedEngine,
  refuse: (line: string) => void
): DiskContent | undefined => {
  if (!path.startsWith(`${folder}/`)) return undefined
  const read = disk.read(path)
  const line = read._tag === "Content" ? refusal(path, read.bytes) : undefined
  if (line === undefined) return read
  refuse(line)
  return { _tag: "Unreadable", reason: "it is not what was released" }
}

/**
 * Adds the link that explains why one path is really another one: the highest folder on the way from which on both agree. What it leads to
 * may be called as it is, so that names alone do not tell.
 */
const addLink = (links: Map<string, string>, path: string, real: string): void => {
  let [link, target] = [paths.resolve(path), real]
  while (link !== target && links.get(link) !== target) {
    const [folder, realFolder] = [paths.dirname(link), paths.dirname(target)]
    if (paths.basename(link) !== paths.basename(target) || realpathNow(folder) !== realFolder) {
      links.set(link, target)
      return
    }
    link = folder
    target = realFolder
  }
}

/**
 * @param before the paths of the ledger before, in order: mostly those of this one too
 * @param links what is known of links; it grows
 */
const make = (
  entries: Map<string, Entry>,
  given: Overlays,
  trusted: TrustedEngine | undefined,
  before: ReadonlyArray<string>,
  links: Map<string, string>
): WorldSnapshot => {
  let refused: string | undefined
  const readDisk = (path: string): DiskContent =>
    (trusted &&
      readTrusted(path, trusted, (line) => {
        refused ??= line
      })) ??
    disk.read(path)
  const overlays = aliased(given, links)
  const children = new Map<string, Map<string, DiskKind>>()
  for (const [path, text] of overlays) {
    if (text === undefined) continue
    let child = path
    for (const folder of ancestorsOf(path)) {
      const names = children.get(folder) ?? new Map<string, DiskKind>()
      names.set(paths.basename(child), child === path ? "file" : "directory")
      children.set(folder, names)
      child = folder
    }
  }

  /**
   * Whether some overlay has no file on disk yet. The engine does not ask where the folder of a missing file really is, and would not come
   * to that overlay through a link.
   */
  const isUnwritten = lazily(() =>
    [...overlays].some(([path, text]) => text !== undefined && disk.kind(path) === "none")
  )

  // The sorted ledger, until something is asked that is not in it.
  let ledger: ReadonlyArray<Input> | undefined
  let order = before
  const ordered = (): ReadonlyArray<string> => {
    if (order.length !== entries.size || order.some((path) => !entries.has(path))) {
      order = Array.from(entries.keys()).sort()
    }
    return order
  }
  /** Forgets what the ledger says of an entry that is about to say more. */
  const extend = (record: Entry): void => {
    ledger = undefined
    delete record.input
  }
  const inputOf = (path: string): Input => {
    const record = entry(path)
    const overlay = overlays.has(path) || (children.has(path) && record.content === undefined)
    if (record.input?.overlay === overlay) return record.input
    record.input = {
      path,
      overlay,
      ...(record.kind !== undefined && { kind: record.kind }),
      ...(record.content !== undefined
        ? { content: record.content.fact() }
        : record.unread !== undefined && { content: record.unread() }),
      ...(record.entries !== undefined && { entries: record.entries.hash() }),
      ...(record.realpath !== undefined && { realpath: record.realpath })
    }
    return record.input
  }

  const entry = (path: string): Entry => {
    let found = entries.get(path)
    if (found === undefined) {
      found = {}
      entries.set(path, found)
    }
    return found
  }
  const kind = (path: string): DiskKind => {
    const record = entry(path)
    if (record.kind === undefined) {
      extend(record)
      record.kind = overlays.has(path)
        ? overlays.get(path) === undefined
          ? "none"
          : "file"
        : children.has(path)
          ? "directory"
          : disk.kind(path)
      if (record.kind === "none" && isUnwritten()) realpath(paths.dirname(path))
    }
    return record.kind
  }
  const content = (path: string): NonNullable<Entry["content"]> => {
    const record = entry(path)
    if (record.content === undefined) {
      extend(record)
      const overlay = overlays.get(path)
      record.content =
        overlay !== undefined
          ? contentOfText(overlay)
          : contentOf(overlays.has(path) ? { _tag: "Missing" } : readDisk(path))
    }
    return record.content
  }
  const entriesOf = (path: string): DiskEntries | undefined => {
    const record = entry(path)
    if (record.entries === undefined) {
      extend(record)
      const onDisk = disk.entries(path)
      record.entries = listingOf(onDisk, merge(path, onDisk, children.get(path), overlays))
    }
    return record.entries.merged
  }
  const realpath = (path: string): string => {
    const record = entry(path)
    if (record.realpath === undefined) {
      extend(record)
      record.realpath = realpathNow(path)
      if (record.realpath !== path) addLink(links, path, record.realpath)
    }
    return record.realpath
  }

  const isPlain = (path: string): boolean => {
    if (!DEPENDENCY.test(path) || overlays.has(path)) return false
    if (trusted !== undefined && path.startsWith(`${trusted.folder}/`)) return false
    const record = entry(path)
    if (record.content === undefined && record.unread === undefined) {
      const { kind, stamp } = disk.look(path)
      if (stamp === undefined || kind !== "file") return false
      extend(record)
      record.unread = factOfUnread(path, stamp)
    }
    return record.unread !== undefined
  }

  const answerOf = ([path, record]: readonly [string, Entry]): Answer => {
    const fact = record.content?.fact ?? record.unread
    const own = !overlays.has(path)
    return {
      path,
      ...(record.kind !== undefined && own && !children.has(path) && { kind: record.kind }),
      ...(fact !== undefined && own && { content: { fact, restamp: (now) => restamp(record, now) } }),
      ...(record.entries !== undefined && { listing: { of: record.entries.onDisk } }),
      ...(record.realpath !== undefined && own && { realpath: { was: record.realpath, now: () => realpathNow(path) } })
    }
  }

  return {
    overlays,
    isPlain,
    readFile: (path) => content(path).text,
    fileExists: (path) => kind(path) === "file",
    directoryExists: (path) => kind(path) === "directory",
    entries: (path) => entriesOf(path) ?? { files: [], directories: [], symlinks: [] },
    realpath,
    hadMark: (path) => entries.get(path)?.content?.mark ?? false,
    hashOf: (path) => {
      const record = entry(path)
      const fact = (record.content === undefined && record.unread) || content(path).fact
      const value = fact()
      return value._tag === "Content" ? value.hash : undefined
    },
    links: () => links,
    inputs: () => {
      ledger ??= ordered().map(inputOf)
      return ledger
    },
    outdated: (concerns = () => true) => {
      // Asked every few seconds for as long as a session lasts: what is of no concern costs no memory.
      const answers: Array<Answer> = []
      entries.forEach((record, path) => {
        if (concerns(path) && !isOverlooked(path, () => disk.realpath(path))) answers.push(answerOf([path, record]))
      })
      return outdated(answers)
    },
    next: (changes, overlays) =>
      changes.everything === true
        ? make(new Map(), overlays, trusted, order, new Map())
        : make(without(entries, changes), overlays, trusted, order, links),
    refusal: () => refused
  }
}

const merge = (
  folder: string,
  onDisk: DiskEntries | undefined,
  added: ReadonlyMap<string, DiskKind> | undefined,
  overlays: Overlays
): DiskEntries | undefined => {
  if (onDisk === undefined && added === undefined) return undefined
  const prefix = folder === "/" ? "/" : `${folder}/`
  const files = new Set(
    onDisk?.files.filter((name) => overlays.get(prefix + name) !== undefined || !overlays.has(prefix + name))
  )
  const directories = new Set(onDisk?.directories)
  for (const [name, kind] of added ?? []) (kind === "file" ? files : directories).add(name)
  return { files: [...files].sort(), directories: [...directories].sort(), symlinks: onDisk?.symlinks ?? [] }
}

/** The real path of what is there; of what is not, the path at which it would be, with links above it resolved. */
const realpathNow = (path: string): string => {
  const there = disk.realpath(path)
  if (there !== undefined) return there
  for (const folder of ancestorsOf(path)) {
    const real = disk.realpath(folder)
    if (real !== undefined) return paths.join(real, paths.relative(folder, path))
  }
  return path
}

/**
 * The answers that `changes` leave standing. A named path voids itself and what is below it, the listing of its folder and,
 * since folders may have come or gone with it, every folder above it.
 */
const without = (entries: ReadonlyMap<string, Entry>, changes: Changes): Map<string, Entry> => {
  const named = new Set([...changes.changed, ...changes.created, ...changes.deleted])
  const structural = new Set([...changes.created, ...changes.deleted])
  const above = new Set(Array.from(structural, ancestorsOf).flat())
  const kept = new Map<string, Entry>()
  for (const [path, entry] of entries) {
    if (named.has(path) || above.has(path)) continue
    if (structural.size > 0 && ancestorsOf(path).some((folder) => structural.has(folder))) continue
    kept.set(path, { ...entry })
  }
  return kept
}
