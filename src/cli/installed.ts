/**
 * The installation that the program runs from, proved as far as the command that runs needs it. From source there is nothing to
 * prove: whoever can edit the source needs no other way in.
 *
 * Every command proves `sound` before it does anything, and then what it executes before it reads or evaluates anything. Each proof
 * is made once.
 */
import { CompilerFault } from "@effx/compiler"
import { SourceFrontend, type TrustedEngine } from "@effx/frontend-ts"
import {
  glibcProblem,
  type Installation,
  IntegrityFault,
  openInstallation,
  PATHS,
  type Problem,
  type VerifiedFile
} from "@effx/integrity"
import { Context, Data, Effect, Layer, Result } from "effect"
import * as host from "./host.ts"

/** A machine that the installation cannot run on, whatever its state. */
export class UnsupportedMachine extends Data.TaggedError("UnsupportedMachine")<{ readonly message: string }> {}

/** Why the installation may not be used. */
export type Unusable = IntegrityFault | UnsupportedMachine

export interface InstalledService {
  /** The top folder; undefined when the program runs from source. */
  readonly top: string | undefined
  /** Manifest, listing, worker and shim are what was released, for machines like this one. */
  readonly sound: Effect.Effect<void, Unusable>
  /** The engine, proved and held by its descriptor; undefined from source. */
  readonly engine: Effect.Effect<TrustedEngine | undefined, Unusable>
  /** All that the engine reads is what was released: for a program that runs on and on. */
  readonly libraries: Effect.Effect<void, Unusable>
  /** The proved installation, for whoever loads worker and shim through their descriptors; undefined from source. */
  readonly installation: Effect.Effect<Installation | undefined, Unusable>
}

export class Installed extends Context.Service<Installed, InstalledService>()("@effx/cli/Installed") {
  /** @param programFolder where the program's main module lies */
  static readonly at = (programFolder: string): InstalledService => {
    const top = PACKED.test(programFolder) ? programFolder.replace(PACKED, "") : undefined
    if (top === undefined) {
      return { top, sound: Effect.void, engine: NONE, libraries: Effect.void, installation: NONE }
    }
    const proved = <A>(result: Result.Result<A, Problem>): Effect.Effect<A, IntegrityFault> =>
      Result.isFailure(result) ? Effect.fail(IntegrityFault.of(top, result.failure)) : Effect.succeed(result.success)
    let opened: Result.Result<Installation, Problem> | undefined
    const open = Effect.suspend(() => {
      opened ??= openInstallation(top)
      return Effect.tap(proved(opened), ({ manifest }) => {
        const message = glibcProblem(manifest)
        return message === undefined ? Effect.void : Effect.fail(new UnsupportedMachine({ message }))
      })
    })
    return {
      top,
      installation: open,
      sound: Effect.flatMap(open, ({ shim, worker }) => Effect.andThen(proved(worker()), proved(shim()))).pipe(
        Effect.asVoid
      ),
      engine: Effect.flatMap(open, (installation) =>
        Effect.map(proved(installation.engine()), (engine): TrustedEngine => trusted(installation, engine))
      ),
      libraries: Effect.flatMap(open, (installation) => {
        const problem = installation.libraries()
        return problem === undefined ? Effect.void : Effect.fail(IntegrityFault.of(top, problem))
      })
    }
  }

  static readonly layer = Layer.sync(Installed, () => Installed.at(host.programFolder))
}

/** Where the program lies in an archive, and nowhere else: from source it is in `src/cli`. */
const PACKED = /\/lib\/effx$/

const NONE = Effect.succeed(undefined)

const trusted = (installation: Installation, engine: VerifiedFile): TrustedEngine => {
  const line = (problem: Problem | undefined): string | undefined =>
    problem === undefined ? undefined : IntegrityFault.of(installation.top, problem).message
  return {
    executable: engine.path,
    folder: `${installation.top}/${PATHS.libraries}`,
    refusal: (path, bytes) => line(installation.libraryProblem(path, bytes)),
    objection: () => line(engine.swapped())
  }
}

/** The frontend with the proved engine; below it a fault of the installation is a fault of the compiler. */
export const provedFrontend: Layer.Layer<SourceFrontend, never, Installed> = Layer.unwrap(
  Effect.map(Installed, ({ engine }) =>
    SourceFrontend.layerWith(
      Effect.mapError(engine, ({ message }) => new CompilerFault({ stage: "integrity", message }))
    )
  )
)
