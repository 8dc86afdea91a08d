/** An operation's card, as `@effx/compiler` reads it from the IR, in text for `effx inspect`. */
import { cardRows, type OperationCard } from "@effx/compiler"
import { type Style, visible } from "./reporters/style.ts"

/**
 * The card as text, with a final line break.
 *
 * @param place where the operation is declared, `file:line:col`
 */
export const renderCard = (card: OperationCard, place: string | undefined, style: Style): string => {
  const rows = cardRows(card, place)
  const width = Math.max(...rows.map(([label]) => label.length)) + 2
  const paragraphs = [card.summary, card.description].flatMap((text) => (text === undefined ? [] : text.split("\n")))
  return [
    `${style.strong(visible(card.name))}   ${card.kind}`,
    ...paragraphs.map((line) => (line === "" ? "" : `  ${visible(line)}`)),
    "",
    ...rows.map(([label, text], at) => {
      const shown = rows[at - 1]?.[0] === label ? "" : label
      return `  ${style.faint(shown.padEnd(width))}${visible(text)}`
    }),
    ""
  ].join("\n")
}
