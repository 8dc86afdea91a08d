/**
 * The error of a command that cannot begin: nothing to select, or a selected input that cannot be read. The program
 * exits with 2 and prints `message`, one sentence without a final full stop.
 */
import { Data } from "effect"

export class Misuse extends Data.TaggedError("Misuse")<{ readonly message: string }> {}
