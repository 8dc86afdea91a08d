/** Compiles the selected project for the commands that check it or read its IR. */
import type { CompileResult } from "@effx/compiler"
import { type Flags, type RunResult, run } from "@effx/session"
import { Effect } from "effect"
import { Installed } from "./installed.ts"
import { Output } from "./output.ts"
import type { Findings } from "./reporting.ts"
import { render } from "./reporting.ts"
import { workingDirectory } from "./working-directory.ts"

/** Runs the compiler on the project that the flags select from the working directory. */
export const compileProject = Effect.fnUntraced(function* (flags: Flags, options: { readonly generate: boolean }) {
  // Before the config is evaluated: it could read what must stay unread on a damaged installation.
  yield* (yield* Installed).engine
  return yield* run({ flags, cwd: yield* workingDirectory, generate: options.generate })
})

/** What a reporter needs of a run. */
export const findingsOf = ({ diagnostics, revision, root, settings }: RunResult): Findings => ({
  diagnostics,
  root,
  revision,
  entries: settings?.extensions.flatMap((extension) => extension.diagnostics) ?? []
})

/**
 * The compiled project of a command whose own output is not a list of findings. Findings go to standard error: all of them when
 * nothing could be compiled, else how many errors `effx check` would show.
 *
 * @returns undefined when there is nothing to go on with
 */
export const compiledProject = Effect.fnUntraced(function* (flags: Flags) {
  const output = yield* Output
  const result = yield* compileProject(flags, { generate: false })
  if (result.compiled === undefined) {
    yield* output.err(yield* render(findingsOf(result), { format: "plain", denyWarnings: false }))
    return undefined
  }
  const { error } = result.counts
  if (error > 0)
    yield* output.err(`effx: the project has ${error === 1 ? "an error" : `${error} errors`}; see effx check`)
  return { result, compiled: result.compiled satisfies CompileResult }
})
