/**
 * Positions in one source text. Line breaks are LF, CRLF and CR alone, as in every editor; U+2028 and U+2029 are not.
 *
 * Offsets come from the engine in UTF-16 units of the text without its byte-order mark. A point is one-based with columns in
 * UTF-16 units; a span counts UTF-8 bytes of the file as it is on disk, so a mark adds three.
 */
import type { Site } from "@effx/diagnostics"

export interface SourceText {
  /** Relative to the project, POSIX. */
  readonly file: string
  readonly text: string
  /** The site of the half-open range of offsets. */
  readonly site: (start: number, end: number) => Site
}

/**
 * Indexes a text.
 *
 * @param file the path that sites carry
 * @param text without byte-order mark
 * @param hadMark whether the file on disk begins with one
 */
export const sourceText = (file: string, text: string, hadMark: boolean): SourceText => {
  let table: Table | undefined
  return {
    file,
    text,
    site: (start, end) => {
      table ??= tableOf(text)
      const line = lineOf(table.starts, start)
      const shift = hadMark ? 3 : 0
      return {
        location: { file, line: line + 1, col: start - (table.starts[line] ?? 0) + 1 },
        span: { start: bytesBefore(table, text, start) + shift, end: bytesBefore(table, text, end) + shift }
      }
    }
  }
}

interface Table {
  /** The offset of each line's first unit. */
  readonly starts: ReadonlyArray<number>
  /** The UTF-8 bytes before each line. */
  readonly bytes: ReadonlyArray<number>
  /** Whether every unit is one byte, so that offsets are bytes. */
  readonly ascii: boolean
}

const tableOf = (text: string): Table => {
  const starts = [0]
  const bytes = [0]
  let total = 0
  for (let offset = 0; offset < text.length; offset++) {
    const unit = text.charCodeAt(offset)
    total += widthOf(unit)
    if (unit === 10 || (unit === 13 && text.charCodeAt(offset + 1) !== 10)) {
      starts.push(offset + 1)
      bytes.push(total)
    }
  }
  return { starts, bytes, ascii: total === text.length }
}

/** UTF-8 bytes that a unit stands for; each half of a pair counts two, so that sums are right at every boundary. */
const widthOf = (unit: number): number =>
  unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit <= 0xdfff ? 2 : 3

/** The last line that begins at or before an offset. */
const lineOf = (starts: ReadonlyArray<number>, offset: number): number => {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

const bytesBefore = (table: Table, text: string, offset: number): number => {
  if (table.ascii) return offset
  const line = lineOf(table.starts, offset)
  let total = table.bytes[line] ?? 0
  for (let at = table.starts[line] ?? 0; at < offset; at++) total += widthOf(text.charCodeAt(at))
  return total
}
