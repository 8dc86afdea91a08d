/**
 * What a snapshot knows of one path. Entries go from state to state, so that nothing in one may hold the state in which it was made:
 * closures are made here, where none is in reach. Hashing waits until somebody asks for the ledger: the engine is waiting for the text.
 */
import { lazily } from "@effx/compiler"
import { sha256Hex } from "@effx/ir"
import { type DiskContent, type DiskEntries, type DiskKind, disk } from "./host.ts"
import { type ContentFact, entriesHash, type Input } from "./ledger.ts"

export interface Entry {
  kind?: DiskKind
  content?: { readonly fact: () => ContentFact; readonly text: string | undefined; readonly mark: boolean }
  /** The fact about a file that the engine read for itself. */
  unread?: () => ContentFact
  /** The folder's entries with overlays, and as they are on disk. */
  entries?: {
    readonly merged: DiskEntries | undefined
    readonly onDisk: DiskEntries | undefined
    readonly hash: () => string
  }
  realpath?: string
  /** What the ledger says of it all. */
  input?: Input
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

const decode = (bytes: Uint8Array): string =>
  bytes[0] === 0xff && bytes[1] === 0xfe
    ? new TextDecoder("utf-16le", { ignoreBOM: true }).decode(bytes)
    : bytes[0] === 0xfe && bytes[1] === 0xff
      ? new TextDecoder("utf-16be", { ignoreBOM: true }).decode(bytes)
      : utf8.decode(bytes)

const sanitize = (raw: string): { readonly text: string; readonly mark: boolean } => {
  const mark = raw.charCodeAt(0) === 0xfeff
  return { text: (mark ? raw.slice(1) : raw).toWellFormed(), mark }
}

/** A file as it was read. */
export const contentOf = (read: DiskContent): NonNullable<Entry["content"]> => {
  if (read._tag !== "Content") return { fact: () => read, text: undefined, mark: false }
  const { bytes, racy, stamp } = read
  const fact = lazily((): ContentFact => ({ _tag: "Content", hash: sha256Hex(bytes), ...(!racy && { stamp }) }))
  return { fact, ...sanitize(decode(bytes)) }
}

/** A file as an open document has it. */
export const contentOfText = (text: string): NonNullable<Entry["content"]> => ({
  fact: lazily((): ContentFact => ({ _tag: "Content", hash: sha256Hex(text) })),
  ...sanitize(text)
})

/** A folder on disk, and with what overlays add to it and hide. */
export const listingOf = (
  onDisk: DiskEntries | undefined,
  merged: DiskEntries | undefined
): NonNullable<Entry["entries"]> => ({
  onDisk,
  merged,
  hash: lazily(() => entriesHash(merged))
})

/** The fact about a file that the engine reads: what is on disk, as long as it is still the same file. */
export const factOfUnread = (path: string, stamp: string): (() => ContentFact) =>
  lazily(() => {
    const read = disk.read(path)
    return read._tag === "Content"
      ? {
          _tag: "Content",
          hash: read.stamp === stamp ? sha256Hex(read.bytes) : "changed while it was read",
          ...(!read.racy && { stamp })
        }
      : read
  })

/** Takes note that a file is another one of the same content. */
export const restamp = (record: Entry, now: ContentFact): void => {
  if ((record.content?.fact ?? record.unread)?.() === now) return
  delete record.input
  if (record.content !== undefined) record.content = { ...record.content, fact: () => now }
  else record.unread = () => now
}
