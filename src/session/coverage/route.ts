/**
 * What executable code is found by: a logical path, kept as it was declared, and how far it reaches once it leads somewhere.
 * Two routes to one file are two routes (Spec 0018 §4).
 */

/**
 * What is covered at the end of a route, whichever is found there: of a file always its bytes; of a folder its names, the kinds
 * and the link destinations behind them and, with `tree`, the same of all that lies below it. `presence` covers only whether
 * anything is at the path.
 */
export type Reach = "presence" | "names" | "tree"

export interface Route {
  /** Absolute. */
  readonly path: string
  readonly reach: Reach
  /** How a message begins that is about this route. */
  readonly named: string
}
