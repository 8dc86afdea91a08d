/** The exit codes of the program. Users script against them: they never change meaning. The process itself needs them, so this imports nothing. */

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
