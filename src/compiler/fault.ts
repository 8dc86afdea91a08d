/** The compiler's only failure: unexpected I/O or a broken invariant, never a mistake of the user. */
import { Data } from "effect"

export class CompilerFault extends Data.TaggedError("CompilerFault")<{
  readonly stage: "collect" | "interpret" | "analyze" | "generate" | "engine" | "integrity"
  /** One sentence for a reader. */
  readonly message: string
  readonly cause?: unknown
}> {}
