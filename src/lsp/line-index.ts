/**
 * Positions of the protocol in one text: zero-based lines, characters in UTF-16 units (LSP 3.17, Position).
 *
 * Line breaks are LF, CRLF and CR alone, as in every editor; U+2028 and U+2029 are not. A position beyond the end of its line stands
 * for the end of that line, one beyond the last line for the end of the text. Total: every position has an offset.
 */
export interface Position {
  readonly line: number
  readonly character: number
}

export interface LineIndex {
  readonly lineCount: number
  /** The offset that a position stands for, which may lie between the halves of a surrogate pair. */
  readonly offsetAt: (position: Position) => number
  /** How many UTF-16 units a line has without its break; undefined where there is no such line. */
  readonly lengthOf: (line: number) => number | undefined
}

const LF = 10
const CR = 13

const startsOf = (text: string): ReadonlyArray<number> => {
  const starts = [0]
  for (let offset = 0; offset < text.length; offset++) {
    const unit = text.charCodeAt(offset)
    if (unit === LF || (unit === CR && text.charCodeAt(offset + 1) !== LF)) starts.push(offset + 1)
  }
  return starts
}

export const lineIndex = (text: string): LineIndex => {
  const starts = startsOf(text)
  const endOf = (line: number): number => {
    const next = starts[line + 1]
    if (next === undefined) return text.length
    return text.charCodeAt(next - 1) === LF && text.charCodeAt(next - 2) === CR ? next - 2 : next - 1
  }
  return {
    lineCount: starts.length,
    offsetAt: ({ character, line }) => {
      const start = starts[line]
      return start === undefined ? text.length : Math.min(start + character, Math.max(start, endOf(line)))
    },
    lengthOf: (line) => {
      const start = starts[line]
      return start === undefined ? undefined : Math.max(start, endOf(line)) - start
    }
  }
}
