/**
 * Custody of an output set: the one writer across processes and symlink aliases, for as long as its scope lives.
 *
 * A one-shot build holds it for one commit, a session for its whole life. Nothing else writes or removes an output.
 */
import { Effect, FileSystem, Path } from "effect"
import { explainErrno } from "../errno.ts"
import { removeEmptyFolder } from "../host.ts"
import type { Settings } from "../settings.ts"
import { STATE_FOLDER } from "../state-folder.ts"
import { type Abandoned, abandonedBy } from "./abandoned.ts"
import { carryOut } from "./batch.ts"
import { OutputConflict, OutputUnwritable } from "./errors.ts"
import { holdLock, nonce } from "./lock.ts"
import { LOCK, type OutputSet, outputSet } from "./output-set.ts"
import { type OutputFile, type Plan, planOutputs } from "./plan.ts"
import { readState } from "./state.ts"

export interface CommitOptions {
  /** Whether files of ours that someone edited may be lost. */
  readonly overwrite: boolean
}

/** What a commit did; paths are relative to the tsconfig's folder. */
export interface Committed {
  readonly written: ReadonlyArray<{ readonly path: string; readonly hash: string }>
  readonly removed: ReadonlyArray<string>
  readonly unchanged: ReadonlyArray<string>
  /** What the outDir of the last build keeps, where it lies outside the project and another one was chosen. */
  readonly abandoned?: Abandoned
}

/**
 * Plans without custody and without writing: what `build --check` compares.
 *
 * @returns fails when another project owns the set
 */
export const inspectOutputs = Effect.fnUntraced(function* (
  set: OutputSet,
  files: ReadonlyArray<OutputFile>,
  options: CommitOptions
) {
  return planOutputs(yield* readState(set, files), files, options)
})

/** The state folder must be a real folder: a link would lead custody elsewhere. */
const stateFolder = Effect.fnUntraced(function* (set: OutputSet) {
  const fs = yield* FileSystem.FileSystem
  const folder = set.stateFolder
  const present = yield* Effect.option(fs.lstat(folder))
  if (present._tag === "None") {
    const made = yield* Effect.result(fs.makeDirectory(folder))
    if (made._tag === "Success") return
    // Another build may have made it in between; anything else shows again below.
    const again = yield* Effect.option(fs.lstat(folder))
    if (again._tag === "Some" && again.value.type === "Directory") return
    const message = `${folder} cannot be created: ${explainErrno(made.failure)}`
    return yield* new OutputUnwritable({ message, cause: made.failure })
  }
  if (present.value.type !== "Directory") {
    const kind = present.value.type === "SymbolicLink" ? "a symbolic link" : "not a folder"
    return yield* new OutputConflict({
      conflicts: [{ path: STATE_FOLDER, reason: `is ${kind}; effx needs a folder there` }]
    })
  }
})

const committed = ({ removals, unchanged, writes }: Plan): Committed => ({
  written: writes.map(({ hash, path }) => ({ path, hash })),
  removed: removals,
  unchanged
})

/**
 * Takes custody of the output set of a project until the scope ends.
 *
 * @returns fails with `OutputBusy` when another process has it, with `OutputUnwritable` when the disk refuses
 */
export const takeCustody = Effect.fnUntraced(function* (settings: Pick<Settings, "outDir" | "selection">) {
  const path = yield* Path.Path
  const set = yield* outputSet(settings)
  // The folder goes again when nothing came into it; that fails, as it should, when something did.
  yield* Effect.acquireRelease(stateFolder(set), () =>
    Effect.ignore(Effect.tryPromise(() => removeEmptyFolder(set.stateFolder)))
  )
  yield* holdLock(path.join(set.folder, LOCK), set.folder)
  const commit = Effect.fnUntraced(function* (files: ReadonlyArray<OutputFile>, options: CommitOptions) {
    const state = yield* readState(set, files)
    const plan = planOutputs(state, files, options)
    const [first, ...rest] = plan.conflicts
    if (first !== undefined) return yield* new OutputConflict({ conflicts: [first, ...rest] })
    yield* carryOut(set, state, plan, yield* nonce)
    const abandoned = yield* abandonedBy(set, settings.selection.folder, state.manifest)
    return { ...committed(plan), ...(abandoned && { abandoned }) } satisfies Committed as Committed
  })
  return { set, commit }
})
