/**
 * What an analysis depended on: every path that the engine asked about, with what it was told, failed look-ups included.
 *
 * The ledger is what to watch (Spec 0018 §5), and its content hashes name one state of all inputs.
 */
import { sha256Hex } from "@effx/ir"
import type { DiskEntries, DiskKind } from "./host.ts"

/**
 * What was read: the hash of the bytes, or why there are none. `stamp` is absent for overlays and wherever it proves nothing.
 */
export type ContentFact =
  | { readonly _tag: "Content"; readonly hash: string; readonly stamp?: string }
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Unreadable"; readonly reason: string }

/** One path and the facets of it that mattered; a facet that is absent was never asked for. */
export interface Input {
  /** Absolute. */
  readonly path: string
  /** Whether the answers came from an overlay and say nothing about the disk. */
  readonly overlay: boolean
  readonly kind?: DiskKind
  readonly content?: ContentFact
  /** A hash of the sorted names and kinds of the folder's entries; `none` when there is no such folder. */
  readonly entries?: string
  /** The path with all links resolved; the path itself where nothing is there. */
  readonly realpath?: string
}

/** What stands for the entries of a folder that is not there or cannot be read. */
export const NO_ENTRIES = "none"

/** A hash of what a folder holds. */
export const entriesHash = (entries: DiskEntries | undefined): string =>
  entries === undefined ? NO_ENTRIES : sha256Hex(JSON.stringify([entries.files, entries.directories, entries.symlinks]))
