/** The exit codes of the program and how a command states its own. Users script against them: they never change meaning. */
import { Context, Effect, Ref } from "effect"
import { Installed } from "./installed.ts"

export const ExitCode = {
  /** Done; for a check, no error was found. */
  Done: 0,
  /** Diagnostics with an error, a breaking change, an unknown name, a refusal. */
  Findings: 1,
  /** Misuse, or nothing to select or read: one line on standard error says what. */
  Misuse: 2,
  /** Something unexpected failed: input or output, or a broken invariant of the program. */
  Fault: 3,
  /** The installation is not what was released: nothing was read, nothing was written. */
  Integrity: 70
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** Where the command that runs leaves its exit code; `Done` until it does. */
export class ExitStatus extends Context.Service<ExitStatus, Ref.Ref<ExitCode>>()("@effx/cli/ExitStatus") {}

/**
 * Turns a command that ends with an exit code into a handler of `effect/cli`, which runs it on a sound installation only.
 */
export const toHandler = <A, E, R>(run: (input: A) => Effect.Effect<ExitCode, E, R>) =>
  toHandlerAnywhere((input: A) =>
    Effect.gen(function* () {
      yield* (yield* Installed).sound
      return yield* run(input)
    })
  )

/** The same for a command that must run on a damaged installation too, since it says what is damaged. */
export const toHandlerAnywhere = <A, E, R>(run: (input: A) => Effect.Effect<ExitCode, E, R>) =>
  Effect.fnUntraced(function* (input: A) {
    const code = yield* run(input)
    yield* Ref.set(yield* ExitStatus, code)
  })
