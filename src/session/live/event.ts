/** What a session tells, in the order in which it happens. Everything that belongs to a cycle carries its number. */
import type { Changes, Overlays } from "@effx/frontend-ts"
import type { CoverageSummary } from "../coverage/index.ts"
import type { Committed, OutputConflict } from "../outputs/index.ts"
import type { RunResult } from "../run.ts"
import type { Selection } from "../selection.ts"

export type SessionEvent =
  | { readonly _tag: "Started"; readonly selection: Selection; readonly coverage: CoverageSummary }
  | {
      readonly _tag: "CycleStarted"
      readonly cycle: number
      readonly reason: CycleReason
    }
  /** A full replacement of what was said before. */
  | {
      readonly _tag: "Checked"
      readonly cycle: number
      readonly result: RunResult
      /** From the start of the cycle, in milliseconds. */
      readonly milliseconds: number
      /** The text of a file, by absolute path, as it was analysed. */
      readonly textOf?: ((path: string) => string | undefined) | undefined
      /** The path of a file with all links resolved, as it was analysed. */
      readonly realpathOf?: ((path: string) => string) | undefined
      /** The texts of open documents that were analysed: the very value that the session was given. */
      readonly overlays?: Overlays | undefined
    }
  | { readonly _tag: "Written"; readonly cycle: number; readonly committed: Committed }
  /** Nothing was written: these files are in the way. */
  | { readonly _tag: "Refused"; readonly cycle: number; readonly conflicts: OutputConflict["conflicts"] }
  /** Nothing was written: the disk refused. The session tries again until it succeeds. */
  | { readonly _tag: "Unwritten"; readonly cycle: number; readonly message: string }
  /** The project cannot be analysed now: what was said before is void, and nothing takes its place. */
  | { readonly _tag: "Failed"; readonly cycle: number; readonly message: string }
  /** Nothing is pending: the last word of the session is about the disk as it is. `inputs` counts what it depends on. */
  | { readonly _tag: "Settled"; readonly cycle: number; readonly inputs: number; readonly result?: RunResult }
  /**
   * Code that this process has loaded may have been replaced: what was said before is void, and nothing is analysed or written any
   * more. It is told once, with some of the paths that differ.
   */
  | { readonly _tag: "RestartRequired"; readonly paths: ReadonlyArray<string> }
  /** How the session goes on where something is not as it should be. */
  | { readonly _tag: "Notice"; readonly message: string }

export type CycleReason =
  | { readonly _tag: "Start" }
  | { readonly _tag: "Asked" }
  /** The engine was started again. */
  | { readonly _tag: "Engine" }
  /** Absolute paths. */
  | { readonly _tag: "Changed"; readonly paths: ReadonlyArray<string> }

/** What a session knows of the cycle to come. */
export interface NextCycle {
  readonly reason?: CycleReason
  readonly changes?: Changes
  /** Whether overlays differ, and nothing hints at the disk. */
  readonly isOfOverlays?: boolean
}
