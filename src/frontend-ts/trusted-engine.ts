/**
 * An engine that somebody proved before it starts, and whose own files are proved before it sees them: what a packed program uses.
 * How that is proved is not known here.
 */
export interface TrustedEngine {
  /** What to start. */
  readonly executable: string
  /** The engine's own folder: absolute, real. Its files are read only through `refusal`. */
  readonly folder: string
  /**
   * Why the bytes of a file in the folder may not be used, as a line for a reader; `undefined` when they may. Total, synchronous and
   * fast: the engine waits.
   */
  readonly refusal: (path: string, bytes: Uint8Array) => string | undefined
  /** Why an engine that runs is not to be used after all, asked once it has started; `undefined` when it is. */
  readonly objection: () => string | undefined
}
