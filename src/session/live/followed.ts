/**
 * The open project that follows the disk and the overlays, one state after another.
 *
 * Guarantees: there is at most one, with one engine; letting go of it ends the engine, and the next state opens it anew.
 */
import type { CompilerFault } from "@effx/compiler"
import { type Changes, type OpenProject, type Overlays, SourceFrontend } from "@effx/frontend-ts"
import { Effect, Exit, Scope } from "effect"

export interface FollowedOptions {
  /** Ends it. */
  readonly scope: Scope.Scope
  /** Absolute. */
  readonly tsconfig: string
  /** The engine ended by itself. */
  readonly onDeath: (fault: CompilerFault) => void
}

export interface Followed {
  /** The last state, if there is any. */
  readonly project: () => OpenProject | undefined
  /** Opens the project, or brings the open one to the disk's state. */
  readonly advance: (overlays: Overlays, changes?: Changes) => Effect.Effect<OpenProject, CompilerFault, SourceFrontend>
  readonly letGo: Effect.Effect<void>
}

export const makeFollowed = ({ onDeath, scope, tsconfig }: FollowedOptions): Followed => {
  let held: { readonly project: OpenProject; readonly scope: Scope.Closeable } | undefined
  return {
    project: () => held?.project,
    advance: Effect.fnUntraced(function* (overlays, changes) {
      if (held !== undefined) {
        const { project, scope } = held
        held = { scope, project: yield* project.update({ overlays, ...changes }) }
        return held.project
      }
      const frontend = yield* SourceFrontend
      const own = yield* Scope.fork(scope)
      const project = yield* frontend.open({ tsconfigPath: tsconfig, overlays }).pipe(
        Scope.provide(own),
        Effect.onError(() => Scope.close(own, Exit.void))
      )
      held = { scope: own, project }
      yield* project.engineDied.pipe(
        Effect.flatMap((fault) => Effect.sync(() => onDeath(fault))),
        Effect.forkIn(own)
      )
      return project
    }),
    letGo: Effect.suspend(() => {
      const scope = held?.scope
      held = undefined
      return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
    })
  }
}
