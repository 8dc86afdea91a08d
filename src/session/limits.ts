/** Every bound of a session that stays. docs/limits.md says what lies beyond those that a user can meet. */
import { Duration } from "effect"

export const LIMITS = {
  /** How long a session waits after the last hint of the file system before it looks. */
  quiet: Duration.millis(25),
  /** How long it waits at most while hints go on. */
  patience: Duration.millis(250),
  /** So many edits in so short a time are a burst, and a session waits for such a pause of it. */
  burst: { edits: 4, within: Duration.millis(80), pause: Duration.millis(100) },
  /** How often its sentinel looks at the project's own inputs without any hint, at the earliest; also how soon a write is tried again. */
  lookAround: Duration.seconds(2),
  /** Such looks take at most one part in so many of the time: one of 5 ms is followed by a pause of 2.5 s. */
  lookAroundPause: 500,
  /** How long looks may take in a row for the sake of one folder whose hints lead to nothing. */
  fruitless: Duration.millis(50),
  /** Beyond that, they take at most one part in so many of the time. */
  fruitlessPause: 500,
  /** How long a watch may take until it hints: Bun starts it in a thread, and until then every look is one at all inputs. */
  watchStart: Duration.seconds(1),
  /** How long a session waits for its sentinel to end. */
  sentinelEnd: Duration.seconds(1),
  /** How often it looks at all other inputs, those of dependencies, without any hint, at the earliest. */
  lookEverywhere: Duration.seconds(30),
  /** As `lookAroundPause`, of looks at all inputs. */
  lookEverywherePause: 1000,
  /** How often it looks at all inputs where hints are not to be relied on, at the earliest. */
  poll: Duration.seconds(1),
  /** As `lookAroundPause`, while polling. */
  pollPause: 20,
  /** So many looks in a row that find a change which no hint announced mean that the file system gives none. */
  unannounced: 3,
  /** How long results of states that were superseded meanwhile may be held back, so that steady edits are answered. */
  holdBack: Duration.seconds(2),
  /** Files that a process can still open when it watches as many folders as it may: for reading, threads and pipes. */
  spareFiles: 256,
  /** How often in a row the engine may die before the session gives up. */
  engineDeaths: 3,
  /** What executable coverage may hold (Spec 0018, amendment A); beyond, it is refused. */
  coverage: {
    /** Paths that are observed, all components of routes and all entries of folders together. */
    inputs: 200_000,
    /** Bytes of one path, also while links are followed. */
    path: 4096,
    /** Links that lead from one path to where it ends. */
    links: 40,
    /** Folders below a declared one. */
    depth: 64,
    /** Bytes of all files together: each is read at the start. */
    bytes: 512 * 1024 * 1024
  },
  /** A look at executable inputs that nothing asked for is followed by a pause of this many times its length. */
  glancePause: 500,
  /** How many replaced inputs a session names when it asks for a restart. */
  replacedNames: 100
} as const
