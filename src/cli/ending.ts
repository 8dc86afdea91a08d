/** Turns every way in which a command can end into an exit code and, unless it is done, lines on standard error. */
import { CompilerFault } from "@effx/compiler"
import { IntegrityFault } from "@effx/integrity"
import { Cause, Effect, Result } from "effect"
import { CliError } from "effect/cli"
import { ExitCode } from "./exit-code.ts"
import { Output } from "./output.ts"
import { usageLine } from "./presentation.ts"
import { visible } from "./reporters/style.ts"

export interface EndingOptions {
  /** The commands that exist, for whoever names none. */
  readonly commands: ReadonlyArray<string>
  /** Whether to show where in the program something failed. */
  readonly debug: boolean
}

/** What was thrown may be anything, also something that throws when it is looked at. */
const readable = <A>(read: () => A, otherwise: A): A => Result.getOrElse(Result.try(read), () => otherwise)

const messageOf = (error: unknown): string =>
  readable(() => String(error instanceof Error ? error.message : error), "a value that cannot be read")

/** A failure that has a type says itself what is wrong; anything else is a mistake of this program. */
const faultLine = (cause: Cause.Cause<unknown>): string => {
  const typed = Cause.findError(cause)
  if (Result.isSuccess(typed)) return messageOf(typed.success)
  const first = messageOf(Cause.squash(cause)).split("\n")[0] ?? ""
  return `internal fault: ${first}; --log-level debug shows where`
}

/** A proof of the installation that failed, in a command or below the engine. */
const isOfIntegrity = (error: unknown): boolean =>
  error instanceof IntegrityFault || (error instanceof CompilerFault && error.stage === "integrity")

/** The line for what a config or an extension started in the background and nobody waits for. */
export const backgroundLine = (thrown: unknown, debug: boolean): string => {
  const line = visible(`something that runs in the background failed: ${messageOf(thrown).split("\n")[0]}`)
  const stack = debug ? readable(() => (thrown instanceof Error ? `\n${thrown.stack}` : ""), "") : ""
  return `effx: ${line}${stack}`
}

/**
 * Ends a command.
 *
 * @param command succeeds with its exit code
 * @returns never fails, except by interruption
 */
export const ending = <E, R>(
  command: Effect.Effect<ExitCode, E, R>,
  options: EndingOptions
): Effect.Effect<ExitCode, never, R | Output> =>
  Effect.gen(function* () {
    const output = yield* Output
    const say = (line: string, code: ExitCode) => Effect.as(output.err(`effx: ${line}`), code)
    return yield* Effect.catchCause(command, (cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
      const error: unknown = Cause.squash(cause)
      if (CliError.isCliError(error)) return say(usageLine(error, options.commands), ExitCode.Misuse)
      const tag = typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined
      if (tag === "Misuse") return say(messageOf(error), ExitCode.Misuse)
      if (isOfIntegrity(error)) return say(visible(messageOf(error)), ExitCode.Integrity)
      const line = visible(faultLine(cause))
      return say(options.debug ? `${line}\n${Cause.pretty(cause)}` : line, ExitCode.Fault)
    })
  })
