/**
 * Applies what a client says it changed in a text.
 *
 * Guarantees: total; each change applies to the result of the one before (LSP 3.17, didChange); a range that is the wrong way round
 * means the same as the right way round; no surrogate pair is split, instead the range grows to the pair; a byte-order mark at the
 * beginning is not part of the text.
 */
import { lineIndex, type Position } from "./line-index.ts"

export interface Change {
  /** Absent: the text replaces the whole document. */
  readonly range?: { readonly start: Position; readonly end: Position } | null | undefined
  readonly text: string
}

/** A text as the session has it: without byte-order mark, which no position counts. */
export const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

const isBetweenHalves = (text: string, offset: number): boolean => {
  const before = text.charCodeAt(offset - 1)
  const after = text.charCodeAt(offset)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}

const applied = (text: string, { range, text: replacement }: Change): string => {
  if (range === undefined || range === null) return withoutMark(replacement)
  const { offsetAt } = lineIndex(text)
  const a = offsetAt(range.start)
  const b = offsetAt(range.end)
  const start = Math.min(a, b)
  const end = Math.max(a, b)
  const from = isBetweenHalves(text, start) ? start - 1 : start
  // An insertion between the halves goes before the pair; a range that ends there takes the whole pair.
  const to = start === end ? from : isBetweenHalves(text, end) ? end + 1 : end
  return withoutMark(text.slice(0, from) + replacement + text.slice(to))
}

/** The text after all changes. */
export const applyChanges = (text: string, changes: ReadonlyArray<Change>): string => changes.reduce(applied, text)
