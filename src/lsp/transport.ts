/** What the server needs of standard input and output; `@effx/stdio` provides it, and tests provide their own. */
import type { StdioError } from "@effx/stdio"
import type { Effect, Stream } from "effect"

export interface Transport {
  /** What arrives; ends with the input. For one consumer. */
  readonly chunks: Stream.Stream<Uint8Array, StdioError>
  /** Succeeds when the input has ended, which may be before its last chunk is taken. */
  readonly inputEnded: Effect.Effect<unknown>
  /** Queues bytes; waits while there is no room. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, StdioError>
  /** Succeeds when what was queued before has been handed to the system. */
  readonly flush: Effect.Effect<void, StdioError>
  /** Begins to watch the client's process. */
  readonly watchClient: (pid: number) => Effect.Effect<void, StdioError>
  /** Succeeds when the watched process has ended. */
  readonly clientGone: Effect.Effect<void>
  /** Fails when input and output are over before their scope is. */
  readonly closed: Effect.Effect<void, StdioError>
}
