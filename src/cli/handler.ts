/** How a command states its exit code. */
import { Context, Effect, Ref } from "effect"
import type { ExitCode } from "./exit-code.ts"
import { Installed } from "./installed.ts"

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
