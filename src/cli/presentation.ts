/**
 * What the parser of the command line has to say, in this program's manner: help and version on standard output, a usage error
 * as one line on standard error. Standard output of the language server holds frames of its protocol and nothing else, so its help too goes
 * to standard error (Spec 0018 §6).
 */
import { type Console, Effect } from "effect"
import { type CliError, CliOutput } from "effect/cli"
import { visible } from "./reporters/style.ts"

const helpText = (doc: CliOutput.Presenter.Help["helpDoc"], colours: boolean): string =>
  `${CliOutput.defaultFormatter({ colors: colours, globalFlags: "full" }).formatHelpDoc(doc).trimEnd()}\n`

/** How the usage of the language server begins. */
const SERVER = /^effx lsp\b/

/**
 * What Effect's command line prints by itself, kept until the program writes it through its one writer: help, the version and
 * completion scripts. Usage errors are not among them; `usageLine` says those.
 *
 * @param components the lines after the version
 */
export const heldOutput = (colours: boolean, components: Effect.Effect<string>) => {
  const held: Array<string> = []
  let isOfServer = false
  const presenter: CliOutput.Presenter = {
    present: (event) =>
      event._tag === "Version"
        ? Effect.map(components, (lines) => void held.push(`${event.name} ${event.version}\n${lines}\n`))
        : Effect.sync(() => {
            if (event._tag !== "Help" || event.reason !== "Requested") return
            held.push(helpText(event.helpDoc, colours))
            isOfServer = SERVER.test(event.helpDoc.usage)
          })
  }
  const console: Console.Console = Object.assign(Object.create(globalThis.console), {
    log: (...texts: ReadonlyArray<unknown>) => void held.push(`${texts.join(" ")}\n`)
  })
  return { presenter, console, text: () => held.join(""), isOfServer: () => isOfServer }
}

const oneLine = (text: string): string => visible(text.replace(/\s+/g, " ").trim())

const suggestion = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : `; did you mean ${suggestions.slice(0, 2).join(" or ")}?`

const helpHint = (path: ReadonlyArray<string>): string => `; see ${path.join(" ")} --help`

/** `"a" | "b" | "c"` as words. */
const alternatives = (expected: string): string => {
  const words = expected.split(" | ").map((word) => word.replace(/^"(.*)"$/, "$1"))
  return words.length === 1 ? expected : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
}

/** A word of the command line; in quotes where nothing could be seen of it. */
const word = (text: string): string => (text.trim() === "" ? JSON.stringify(text) : text)

const sentence = (error: CliError.NonShowHelpErrors): string => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return `unknown flag ${error.option}${suggestion(error.suggestions)}`
    case "UnknownSubcommand":
      return `unknown command ${word(error.subcommand)}${suggestion(error.suggestions)}`
    case "MissingArgument":
      return `${error.argument.toUpperCase()} is missing`
    case "UnexpectedArgument":
      return `unexpected argument ${error.arguments.map(word).join(" ")}`
    case "MissingOption":
      return `--${error.option} is missing`
    case "InvalidValue": {
      const name = error.kind === "flag" ? `--${error.option}` : error.option.toUpperCase()
      if (/^\d+ occurrences$/.test(error.value)) return `${name} may be given once only`
      const wanted = alternatives(error.expected)
      return error.value === ""
        ? `${name} needs a value: ${wanted}`
        : `${name} must be ${wanted}, not ${JSON.stringify(error.value)}`
    }
    default:
      return error.message
  }
}

/** The one line for a command line that does not parse. */
export const usageLine = (error: CliError.CliError, commands: ReadonlyArray<string>): string => {
  if (error._tag !== "ShowHelp") return oneLine(sentence(error))
  const [first] = error.errors
  if (first === undefined) return `name a command: ${commands.join(", ")}${helpHint(error.commandPath)}`
  const line = oneLine(sentence(first))
  return line.endsWith("?") ? line : `${line}${helpHint(error.commandPath)}`
}
