/** Texts and edits for laws of the language server: short, and full of what positions get wrong. */
import { Schema } from "effect"

/** Pieces of text: every kind of line break, what is none, one to four bytes, one or two units. */
const Piece = Schema.Literals(["a", "bc", " ", "\n", "\r", "\r\n", "é", "漢", "𝔸", "\u2028", "\u2029", "\u0085", "\t"])

export const Text = Schema.Array(Piece)

export const textOf = (pieces: ReadonlyArray<string>): string => pieces.join("")

const Coordinate = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))
const Position = Schema.Struct({ line: Coordinate, character: Coordinate })

/** A change of a range, or of the whole text. */
export const Edit = Schema.Struct({
  range: Schema.UndefinedOr(Schema.Struct({ start: Position, end: Position })),
  pieces: Text
})

export const changeOf = ({ pieces, range }: typeof Edit.Type) => ({
  ...(range !== undefined && { range }),
  text: textOf(pieces)
})
