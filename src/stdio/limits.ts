/** Every bound of standard input and output. docs/limits.md says what lies beyond them. */
import { TRANSFER_BYTES } from "./abi.ts"

export const LIMITS = {
  /** The most bytes of one read, one chunk and one write; the native part refuses more. */
  transferBytes: TRANSFER_BYTES,
  /** How many chunks may wait for the program; at this number reading stops. */
  inboundChunks: 16,
  /** How many bytes may wait for the client; a power of two. A write waits for room. */
  outboundBytes: 1_048_576,
  /** How long the client may take nothing of what waits for it, and how long a close may take to write the rest. */
  stallMilliseconds: 2_000,
  /** How long the worker may take to start. */
  startMilliseconds: 5_000,
  /** How long the worker may take to end once it has nothing to do, and again to be gone when it was made to. */
  endMilliseconds: 1_000,
  /** When a terminal that says it is writable takes nothing: until the next attempt. */
  retryMilliseconds: 10
} as const
