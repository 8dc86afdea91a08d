/** What the server needs of standard input and output; `@effx/stdio` provides it, and tests provide their own. */
import type { Stdio } from "@effx/stdio"
import type { Effect } from "effect"

export interface Transport extends Omit<Stdio["Service"], "inputEnded" | "inputKind" | "outputKind"> {
  /** Succeeds when the input has ended, which may be before its last chunk is taken. */
  readonly inputEnded: Effect.Effect<unknown>
}
