/** Why something cannot be covered: coverage is complete or refused, never cut short (Spec 0018 §4). */
import { Data } from "effect"
import type { Route } from "./route.ts"

export class CoverageProblem extends Data.TaggedError("CoverageProblem")<{
  readonly route: Route
  /** The path below the route that the reason is about, where it is another one. */
  readonly path?: string
  /** A clause whose subject is the path, without a final full stop. */
  readonly reason: string
}> {}
