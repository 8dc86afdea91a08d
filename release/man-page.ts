/**
 * The manual page effx(1): docs/cli.md, and after it what each command says of its own flags. Nothing is written here that the program
 * or its documentation does not say.
 */
import { marked, type Token, type Tokens } from "marked"

export interface CommandHelp {
  readonly name: string
  /** What `effx NAME --help` prints. */
  readonly help: string
}

export interface ManPageOptions {
  readonly version: string
  /** Seconds since 1970. */
  readonly time: number
  readonly markdown: string
  readonly commands: ReadonlyArray<CommandHelp>
}

/** Text as roff reads it: no escape, no request at the start of a line. */
const plain = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/gm, "\\&$1")
    .replace(
      /[^\n -~]/gu,
      (character) => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`
    )

/** The sources of tokens hold entities of HTML for these. */
const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

const inline = (tokens: ReadonlyArray<Token>): string =>
  tokens
    .map((token): string => {
      if (token.type === "codespan") return `\\fB${plain(unescaped(token.text))}\\fR`
      if (token.type === "em" || token.type === "strong") return `\\fI${inline(token.tokens ?? [])}\\fR`
      if ("tokens" in token && token.tokens !== undefined) return inline(token.tokens)
      return plain("text" in token ? unescaped(token.text) : "")
    })
    .join("")
    .replace(/\s*\n\s*/g, " ")

const example = (text: string): string => `.PP\n.RS 4\n.EX\n${plain(text.trimEnd())}\n.EE\n.RE`

/** A row of a table: its first column is what the others describe. */
const row = (cells: ReadonlyArray<Tokens.TableCell>): string => {
  const [first, ...others] = cells.map(({ tokens }) => inline(tokens))
  return `.TP\n${first}\n${others.join(": ")}`
}

const blocks = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> =>
  tokens.flatMap((token) => {
    switch (token.type) {
      case "heading":
        return token.depth === 1 ? [] : [`${token.depth === 2 ? ".SH" : ".SS"} "${plain(token.text)}"`]
      case "paragraph":
        return [`.PP\n${inline(token.tokens ?? [])}`]
      case "code":
        return [example(token.text)]
      case "table":
        return (token as Tokens.Table).rows.map(row)
      case "list":
        return (token as Tokens.List).items.map(
          ({ tokens: item }) =>
            `.IP \\(bu 2\n${blocks(item)
              .join("\n")
              .replace(/^\.PP\n/, "")}`
        )
      case "text":
        return [inline("tokens" in token ? (token.tokens ?? []) : [token])]
      default:
        return []
    }
  })

/** The page in the format of `man`. */
export const manPage = ({ commands, markdown, time, version }: ManPageOptions): string => {
  const [first, ...rest] = marked.lexer(markdown).filter(({ type }) => type === "code" || type !== "space")
  const [synopsis, ...description] = first?.type === "heading" ? rest : [first, ...rest]
  return [
    `.TH EFFX 1 "${new Date(time * 1000).toISOString().slice(0, 10)}" "effx ${version}" "User Commands"`,
    ".SH NAME\neffx \\- ahead\\-of\\-time compiler for Effect applications",
    `.SH SYNOPSIS\n.EX\n${plain(synopsis?.type === "code" ? synopsis.text : "effx COMMAND")}\n.EE`,
    ".SH DESCRIPTION",
    ...blocks(description.flatMap((token) => token ?? [])),
    ".SH FLAGS OF EACH COMMAND",
    ...commands.map(({ help, name }) => `.SS effx ${name}\n${example(help)}`)
  ]
    .join("\n")
    .concat("\n")
}
