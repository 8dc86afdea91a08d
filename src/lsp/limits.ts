/** Every bound of the language server besides those of standard input and output. docs/limits.md says what lies beyond each. */
import { Duration } from "effect"

const MEBIBYTE = 1024 * 1024

export const LIMITS = {
  /** Bytes of the header part of one message, its empty line included. */
  headerBytes: 8 * 1024,
  /** Bytes of one body that arrives. */
  bodyBytes: 8 * MEBIBYTE,
  /** Messages that were read and are not yet taken; with so many, reading stops. */
  inboundMessages: 64,
  /** Bytes of their bodies together; with so many, reading stops. */
  inboundBytes: 8 * MEBIBYTE,
  /** Requests without a response; one more is refused. */
  outstandingRequests: 32,
  /** Documents that are open at once; one more ends the session. */
  openDocuments: 1024,
  /** UTF-8 bytes of their texts together; more end the session. */
  overlayBytes: 64 * MEBIBYTE,
  /** Messages that wait for the client, without diagnostics; with so many, no message is taken. */
  outboundMessages: 32,
  /** Bytes of their bodies together; with so many, no message is taken. */
  outboundBytes: 8 * MEBIBYTE,
  /** Documents whose diagnostics wait for the client, the latest of each; with so many, no message is taken. */
  outboundDocuments: 2 * 1024,
  /** Bytes of the diagnostics of one document; more are not sent. */
  publicationBytes: 4 * MEBIBYTE,
  /** How long after the end of the client's process, or of the input, the rest may take. */
  farewell: Duration.millis(500)
} as const
