/**
 * For people at a terminal: each finding with its code frame, what was inferred and declared, and what to do.
 */
import type { Diagnostic } from "@effx/diagnostics"
import { CliOutput } from "effect/cli"
import { codeFrame } from "./code-frame.ts"
import { countOf, lastLine, placeOf, type Reporter, type Surroundings } from "./report.ts"
import { visible } from "./style.ts"

const GAP = 6

interface Line {
  readonly label: string
  readonly text: string
}

const linesOf = (diagnostic: Diagnostic, surroundings: Surroundings): ReadonlyArray<Line> => [
  ...diagnostic.notes,
  ...diagnostic.related.map((related) => ({
    label: "see",
    text:
      related.location === undefined
        ? related.message
        : `${placeOf(related.location, surroundings)}  ${related.message}`
  }))
]

/** Words of a text on as many rows as its room asks for; a word longer than the room stays whole. */
const wrap = (text: string, room: number): ReadonlyArray<string> => {
  const rows: Array<string> = []
  let row = ""
  for (const word of text.split(" ")) {
    if (row !== "" && CliOutput.displayWidth(row) + 1 + CliOutput.displayWidth(word) > room) {
      rows.push(row)
      row = word
    } else row = row === "" ? word : `${row} ${word}`
  }
  rows.push(row)
  return rows
}

const details = (diagnostic: Diagnostic, surroundings: Surroundings): ReadonlyArray<string> => {
  const { style, columns } = surroundings
  const lines = linesOf(diagnostic, surroundings)
  const indent = Math.max(0, ...lines.map((line) => CliOutput.displayWidth(line.label))) + 2
  const room = Math.max(20, columns - 3 - indent)
  const explain = `effx explain ${diagnostic.code}`
  const rows: Array<string> = []
  let lastWidth = 0
  for (const line of lines) {
    const label = `${line.label}${" ".repeat(indent - CliOutput.displayWidth(line.label))}`
    wrap(visible(line.text), room).forEach((row, index) => {
      rows.push(`   ${index === 0 ? style.strong(label) : " ".repeat(indent)}${row}`)
      lastWidth = 3 + indent + CliOutput.displayWidth(row)
    })
  }
  const last = rows.pop()
  if (last === undefined) return [`   ${style.faint(explain)}`]
  return lastWidth + GAP + explain.length <= columns
    ? [...rows, `${last}${" ".repeat(GAP)}${style.faint(explain)}`]
    : [...rows, last, `   ${style.faint(explain)}`]
}

/** One finding, without a final line break. */
export const prettyFinding = (diagnostic: Diagnostic, surroundings: Surroundings): string => {
  const { style, columns } = surroundings
  const mark = style[diagnostic.severity]
  const { location } = diagnostic
  const lines = location === undefined ? undefined : surroundings.lines(location.file)
  return [
    `${mark(diagnostic.severity)} ${style.strong(visible(diagnostic.code))}  ${visible(diagnostic.message)}`,
    ...(location === undefined ? [] : [`  ${style.place(visible(placeOf(location, surroundings)))}`]),
    ...(location === undefined || lines === undefined ? [] : codeFrame(lines, location, { style, mark, columns })),
    ...details(diagnostic, surroundings)
  ].join("\n")
}

export const pretty: Reporter = (report, surroundings) => {
  const counts = countOf(report.diagnostics)
  const { style } = surroundings
  const paint = report.failed ? style.error : counts.warnings > 0 ? style.warning : style.good
  return [
    ...report.diagnostics.map((diagnostic) => `${prettyFinding(diagnostic, surroundings)}\n\n`),
    `${paint(lastLine(report))}\n`
  ].join("")
}
