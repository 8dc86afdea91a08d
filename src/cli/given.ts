/** What the command line gives: text that is not empty, which a script passes when its variable is not set. */
import { Argument, Flag } from "effect/cli"

const isGiven = (text: string): boolean => text !== ""

/** A flag that takes text; the message for an empty one says what `metavar` says. */
export const textFlag = (name: string, metavar: string): Flag.Flag<string> =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.filter(isGiven, () => metavar)
  )

/**
 * An argument that is text.
 *
 * @param wanted what it is, as a noun phrase for the message about an empty one
 */
export const textArgument = (name: string, wanted: string): Argument.Argument<string> =>
  Argument.String(name).pipe(Argument.filter(isGiven, () => wanted))
