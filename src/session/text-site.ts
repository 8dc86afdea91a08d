/**
 * Places in a text file that no compiler parsed: a site of two offsets, and the property that a path of keys names.
 *
 * Line breaks are LF, CRLF and CR; a byte order mark is three bytes of the file but no column (Spec 0018 §6).
 */
import type { Site } from "@effx/diagnostics"

const bytes = new TextEncoder()
const BOM = "\uFEFF"

/**
 * @param file relative to the project's folder, POSIX
 * @param text the file's whole text, byte order mark included
 * @param start offset in UTF-16 units
 * @param end exclusive
 */
export const siteAt = (file: string, text: string, start: number, end: number): Site => {
  const lines = text.slice(0, start).split(/\r\n|\n|\r/)
  const last = lines[lines.length - 1] ?? ""
  const offset = bytes.encode(text.slice(0, start)).length
  return {
    location: { file, line: lines.length, col: (last.startsWith(BOM) ? last.length - 1 : last.length) + 1 },
    span: { start: offset, end: offset + bytes.encode(text.slice(start, end)).length }
  }
}

/** The start of a line and column as an offset; both one-based, the column in UTF-16 units. */
export const offsetOf = (text: string, line: number, col: number): number => {
  const breaks = /\r\n|\n|\r/g
  for (let left = line - 1; left > 0; left--) if (breaks.exec(text) === null) return text.length
  return Math.min(breaks.lastIndex + col - 1, text.length)
}

const TOKEN =
  /\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\r\n]|\\[\s\S])*"|'(?:[^'\\\r\n]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`|[\p{ID_Start}_$][\p{ID_Continue}$]*|[{}[\]():,]/gu

const nameOf = (token: string): string => (/^["']/.test(token) ? token.slice(1, -1) : token)

/**
 * Finds the property that a path of keys names in JSON with comments or in an object literal: the deepest key that exists.
 * It reads tokens, not syntax, so it is a hint for people, never a base for decisions.
 */
export const locateProperty = (
  text: string,
  keys: ReadonlyArray<string>
): { readonly start: number; readonly end: number } | undefined => {
  let found: { readonly start: number; readonly end: number } | undefined
  let depth = 0
  /** The depth at which the next key of the path may stand: any until the first one is found. */
  let wanted: number | undefined
  let next = 0
  let previous: { readonly text: string; readonly start: number } | undefined
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token.startsWith("//") || token.startsWith("/*")) continue
    if (/^[{[(]$/.test(token)) depth++
    if (/^[}\])]$/.test(token)) {
      depth--
      if (wanted !== undefined && depth < wanted - 1) return found
    }
    const key = keys[next]
    if (
      token === ":" &&
      previous !== undefined &&
      nameOf(previous.text) === key &&
      (wanted === undefined || wanted === depth)
    ) {
      found = { start: previous.start, end: previous.start + previous.text.length }
      next++
      wanted = depth + 1
      if (next === keys.length) return found
    }
    previous = { text: token, start: index }
  }
  return found
}
