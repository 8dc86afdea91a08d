/**
 * The open documents: an immutable value, and what each notification makes of it (LSP 3.17, Text Document Synchronization; Spec 0018
 * §4, §5).
 *
 * Guarantees: a version belongs to one open instance and only grows in it; what is refused changes nothing and says why; at most
 * `LIMITS.openDocuments` documents with `LIMITS.overlayBytes` in all; no two documents are one file.
 */
import { Result } from "effect"
import { applyChanges, type Change, withoutMark } from "./edit.ts"
import { LIMITS } from "./limits.ts"

export interface Document {
  /** In the client's own spelling. */
  readonly uri: string
  /** The path that the URI names; absent where it names no file of this machine. */
  readonly path?: string | undefined
  /** The path with all links resolved, as far as it exists. */
  readonly identity?: string | undefined
  /** Whether the file existed when its identity was asked for. */
  readonly exists?: boolean | undefined
  readonly version: number
  /** Without byte-order mark. */
  readonly text: string
  /** UTF-8 bytes of the text. */
  readonly bytes: number
}

/** By URI, in the client's own spelling. */
export type Documents = ReadonlyMap<string, Document>

export const NO_DOCUMENTS: Documents = new Map()

/** Why a notification changes nothing. */
export type Refusal =
  | { readonly _tag: "NotOpen"; readonly uri: string }
  | { readonly _tag: "OldVersion"; readonly uri: string; readonly version: number; readonly current: number }
  | { readonly _tag: "SameFile"; readonly uri: string; readonly other: string }
  /** The session cannot go on without what it had to refuse. */
  | { readonly _tag: "TooMany"; readonly what: string }

export type Opened = Omit<Document, "bytes">

const bytesOf = (documents: Documents): number => {
  let total = 0
  for (const { bytes } of documents.values()) total += bytes
  return total
}

/** The documents with one more or another one, unless that is too much. */
const withDocument = (documents: Documents, opened: Opened): Result.Result<Documents, Refusal> => {
  const text = withoutMark(opened.text)
  const document: Document = { ...opened, text, bytes: Buffer.byteLength(text) }
  const next = new Map(documents).set(document.uri, document)
  if (next.size > LIMITS.openDocuments) {
    return Result.fail({
      _tag: "TooMany",
      what: `${next.size} open documents, and at most ${LIMITS.openDocuments} can be`
    })
  }
  const bytes = bytesOf(next)
  if (bytes > LIMITS.overlayBytes) {
    const what = `${bytes} bytes in open documents, and at most ${LIMITS.overlayBytes} can be`
    return Result.fail({ _tag: "TooMany", what })
  }
  return Result.succeed(next)
}

/** Opens a document. One that is open already begins anew: what a client opens is the truth about its text. */
export const open = (documents: Documents, opened: Opened): Result.Result<Documents, Refusal> => {
  for (const { identity, uri } of documents.values()) {
    if (uri !== opened.uri && identity !== undefined && identity === opened.identity) {
      return Result.fail({ _tag: "SameFile", uri: opened.uri, other: uri })
    }
  }
  return withDocument(documents, opened)
}

/** Applies changes, which are all of one version. */
export const change = (
  documents: Documents,
  uri: string,
  version: number,
  changes: ReadonlyArray<Change>
): Result.Result<Documents, Refusal> => {
  const before = documents.get(uri)
  if (before === undefined) return Result.fail({ _tag: "NotOpen", uri })
  if (version <= before.version) {
    return Result.fail({ _tag: "OldVersion", uri, version, current: before.version })
  }
  return withDocument(documents, { ...before, version, text: applyChanges(before.text, changes) })
}

export const close = (documents: Documents, uri: string): Result.Result<Documents, Refusal> => {
  if (!documents.has(uri)) return Result.fail({ _tag: "NotOpen", uri })
  const next = new Map(documents)
  next.delete(uri)
  return Result.succeed(next)
}

/** The documents with what was found out about their files meanwhile. */
export const reconciled = (documents: Documents, found: ReadonlyMap<string, Pick<Document, "identity" | "exists">>) =>
  new Map(Array.from(documents, ([uri, document]) => [uri, { ...document, ...found.get(uri) }] as const))

/** A refusal in words: a clause about a notification of this name. */
export const refusalText = (refusal: Refusal, method: string): string => {
  switch (refusal._tag) {
    case "NotOpen":
      return `${method} is ignored: ${refusal.uri} is not open`
    case "OldVersion":
      return `${method} is ignored: version ${refusal.version} of ${refusal.uri} does not follow ${refusal.current}`
    case "SameFile":
      return `${method} is ignored: ${refusal.uri} is the same file as ${refusal.other}, which is open; close that one first`
    case "TooMany":
      return `the session ends: there are ${refusal.what}`
  }
}
