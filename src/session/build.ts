/** What `build` and `build --check` do with a run: its complete outputs, compared with the disk or committed to it. */
import type { CompileResult } from "@effx/compiler"
import { Effect } from "effect"
import { artifactsOf } from "./outputs/artifacts.ts"
import { type CommitOptions, inspectOutputs, takeCustody } from "./outputs/custody.ts"
import { outputSet } from "./outputs/output-set.ts"
import type { RunResult } from "./run.ts"
import type { Settings } from "./settings.ts"

/** A run without errors whose generators ran. */
export interface Buildable extends RunResult {
  readonly settings: Settings
  readonly compiled: CompileResult
}

/** Whether a run may be written: an error writes nothing. */
export const isBuildable = (result: RunResult): result is Buildable =>
  result.settings !== undefined && result.compiled !== undefined && result.counts.error === 0

/** Writes the outputs of a run under custody of its output set. */
export const commitOutputs = Effect.fnUntraced(function* (
  { compiled, diagnostics, settings }: Buildable,
  options: CommitOptions
) {
  const { commit, set } = yield* takeCustody(settings)
  return yield* commit(artifactsOf(set, compiled, diagnostics), options)
}, Effect.scoped)

/** What committing would do; nothing is written and no custody is taken. */
export const compareOutputs = Effect.fnUntraced(function* ({ compiled, diagnostics, settings }: Buildable) {
  const set = yield* outputSet(settings)
  return yield* inspectOutputs(set, artifactsOf(set, compiled, diagnostics), { overwrite: false })
})
