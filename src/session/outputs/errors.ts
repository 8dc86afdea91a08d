/** Why outputs are not written. Each carries sentences for the reader; nothing was changed when one is raised. */
import { Data } from "effect"
import type { Conflict } from "./plan.ts"

/** Files are in the way. The program exits with 1 and names every one. */
export class OutputConflict extends Data.TaggedError("OutputConflict")<{
  readonly conflicts: readonly [Conflict, ...ReadonlyArray<Conflict>]
}> {
  override get message(): string {
    return this.conflicts.map(({ path, reason }) => `${path} ${reason}`).join("\n")
  }
}

/** Another process writes the same output set. The program exits with 1. */
export class OutputBusy extends Data.TaggedError("OutputBusy")<{
  /** One sentence without a final full stop. */
  readonly message: string
  readonly pid: number
}> {}

/** The disk refused. The program exits with 3; what was there before is still there. */
export class OutputUnwritable extends Data.TaggedError("OutputUnwritable")<{
  /** One sentence without a final full stop. */
  readonly message: string
  readonly cause?: unknown
}> {}
