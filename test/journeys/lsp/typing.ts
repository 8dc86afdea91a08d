/** Typing: one text becomes another by edits that follow each other, as an editor sends them. */
import type { Random } from "../../equivalence/random.ts"
import { difference, type OpenDocument } from "./driver.ts"

/** A few sequential edits that make one text of another. */
export const typing = (document: OpenDocument, to: string, random: Random): void => {
  const from = document.text()
  const { end, start } = difference(from, to)
  const positionAt = positions(from)
  const changes = [{ range: { start: positionAt(start), end: positionAt(from.length - end) }, text: "" }]
  const letters = [...to.slice(start, to.length - end)]
  const size = Math.ceil(letters.length / (1 + random.below(4)))
  let text = from.slice(0, start) + from.slice(from.length - end)
  let offset = start
  while (letters.length > 0) {
    const piece = letters.splice(0, size).join("")
    const at = positions(text)(offset)
    changes.push({ range: { start: at, end: at }, text: piece })
    text = text.slice(0, offset) + piece + text.slice(offset)
    offset += piece.length
  }
  // In one notification, or in one for each key.
  if (random.chance(0.5)) document.change(changes)
  else for (const change of changes) document.change([change])
  if (document.text() !== to) throw new Error(`${document.uri} was not typed as intended`)
}

/** Positions by offset: lines end with LF, CRLF or CR. */
const positions = (text: string) => (offset: number) => {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/)
  const character = before.at(-1)?.length ?? 0
  // Between CR and LF is the end of the line.
  const inside = text[offset - 1] === "\r" && text[offset] === "\n"
  return inside
    ? { line: before.length - 2, character: before.at(-2)?.length ?? 0 }
    : { line: before.length - 1, character }
}
