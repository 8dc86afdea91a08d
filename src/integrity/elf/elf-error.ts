/** Why bytes are not an ELF file that can be judged. */
import { Data } from "effect"

export class ElfError extends Data.TaggedError("ElfError")<{
  /**
   * `NotElf`: another kind of file. `Unsupported`: well-formed but not a 64-bit little-endian program or library.
   * `Malformed`: what it says about itself leads out of it, or exceeds a bound.
   */
  readonly reason: "NotElf" | "Unsupported" | "Malformed"
  /** A clause such as `its dynamic section ends outside of the file`. */
  readonly message: string
}> {}

export const malformed = (message: string): ElfError => new ElfError({ reason: "Malformed", message })
