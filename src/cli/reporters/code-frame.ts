/**
 * A code frame: the line of a finding with the line before it, and a caret below the point.
 *
 * Guarantees: the caret stands below the character that the location names, whatever stands before it (tabs, wide and
 * combining characters, astral ones); no line is wider than the terminal; no character of the source acts on the terminal.
 */
import type { Location } from "@effx/diagnostics"
import { CliOutput } from "effect/cli"
import { type Style, visible } from "./style.ts"

const TAB = 4

/** Beyond this distance from the point, in UTF-16 units, a line is not measured: nothing of it would be shown. */
const REACH = 2_000

/** The narrowest view of a line; on narrower terminals the terminal wraps it. */
const NARROWEST = 20

interface Cell {
  readonly text: string
  readonly width: number
}

interface Row {
  readonly cells: ReadonlyArray<Cell>
  /** The column, in cells of the terminal, of the character at the point. */
  readonly point: number
  readonly width: number
  readonly cutBefore: boolean
  readonly cutAfter: boolean
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

const boundary = (line: string, index: number): number =>
  index > 0 && index < line.length && line.charCodeAt(index) >= 0xdc00 && line.charCodeAt(index) <= 0xdfff
    ? index - 1
    : index

const layOut = (line: string, offset: number): Row => {
  const from = boundary(line, Math.max(0, offset - REACH))
  const to = boundary(line, Math.min(line.length, offset + REACH))
  const cells: Array<Cell> = []
  let column = 0
  let point: number | undefined
  for (const { segment, index } of graphemes.segment(line.slice(from, to))) {
    const text = segment === "\t" ? " ".repeat(TAB - (column % TAB)) : visible(segment)
    const width = CliOutput.displayWidth(text)
    if (point === undefined && from + index + segment.length > offset) point = column
    cells.push({ text, width })
    column += width
  }
  return { cells, point: point ?? column, width: column, cutBefore: from > 0, cutAfter: to < line.length }
}

/** The part of a row from cell column `left`, at most `room` wide, with `…` where something is left out. */
const view = (row: Row, left: number, room: number): string => {
  const cutBefore = left > 0 || row.cutBefore
  const cutAfter = row.width - left > room || row.cutAfter
  const first = left + (cutBefore ? 1 : 0)
  const last = Math.min(left + room - (cutAfter ? 1 : 0), Math.max(row.width, left))
  let text = ""
  let column = 0
  let shown = first
  for (const cell of row.cells) {
    if (column >= first && column + cell.width <= last) {
      text += " ".repeat(Math.max(0, column - shown)) + cell.text
      shown = column + cell.width
    }
    column += cell.width
  }
  if (row.width <= left && left > 0) return row.width > 0 ? "…" : ""
  return `${cutBefore ? "…" : ""}${text}${cutAfter ? "…" : ""}`
}

const leftEdge = (row: Row, room: number): number =>
  row.width <= room && !row.cutBefore
    ? 0
    : row.point < room - 8 && !row.cutBefore
      ? 0
      : Math.max(0, row.point - (room >> 1))

export interface FrameOptions {
  readonly style: Style
  /** Paints the caret. */
  readonly mark: (text: string) => string
  readonly columns: number
}

/**
 * The lines of a frame, or none when the location is not in the text.
 *
 * @param lines the file's lines, as `splitLines` gives them
 * @param location one-based; `col` counts UTF-16 units
 */
export const codeFrame = (
  lines: ReadonlyArray<string>,
  location: Location,
  options: FrameOptions
): ReadonlyArray<string> => {
  const line = lines[location.line - 1]
  if (line === undefined) return []
  const number = String(location.line)
  const gutter = (label: string) => options.style.faint(`   ${label.padStart(number.length)} |`)
  const room = Math.max(NARROWEST, options.columns - number.length - 6)
  const row = layOut(line, location.col - 1)
  const left = leftEdge(row, room)
  const show = (label: string, text: string) => (text === "" ? gutter(label) : `${gutter(label)} ${text}`)
  const before = lines[location.line - 2]
  return [
    ...(before === undefined
      ? []
      : [
          show(
            String(location.line - 1),
            view(layOut(before.trimEnd(), Math.min(before.trimEnd().length, location.col - 1)), left, room)
          )
        ]),
    show(number, view(row, left, room)),
    `${gutter("")} ${" ".repeat(row.point - left)}${options.mark("^")}`
  ]
}
