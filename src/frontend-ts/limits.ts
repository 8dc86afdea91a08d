/** Every bound of the frontend. docs/limits.md says what lies beyond those that a user can meet. */
import { Duration } from "effect"

export const LIMITS = {
  /** How long the engine's process may take until it answers its first request. */
  engineStart: Duration.seconds(20),
  /** How long the engine may take to load a project or an update of one. */
  engineUpdate: Duration.seconds(300),
  /** How long a killed engine and its client may take to be gone: a server has to be gone within a second. */
  engineClose: Duration.millis(200),
  /** How many turns of the event loop the engine's process may take to appear behind its client. */
  engineTurns: 1000,
  /** How deep arrays and objects may nest in an argument: every value has its own pointer, so depth costs its square. */
  argumentDepth: 100,
  /**
   * How far a walk goes from a declaration into its type. Named schemas begin anew, so only a type that makes new types for
   * ever gets here.
   */
  shapeDepth: 100,
  /** How many namespaces deep the exports of another package are searched. */
  namespaceDepth: 4,
  /** How many constants that only rename something of the runtime are followed. */
  renames: 8,
  /** How many constants and annotations of a guard's security scheme are followed; beyond, the scheme is not read. */
  guardDepth: 8,
  /** How much source text a message quotes, in UTF-16 units. */
  quotedText: 60
} as const
