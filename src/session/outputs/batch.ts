/**
 * Carries out a plan without conflicts, so that a kill at any moment leaves every file old or new and the next build can
 * finish (Spec 0018 §5): journal first, then every new file in full under a temporary name, then nothing but renames and
 * removals, the manifest last.
 *
 * A disk that refuses is noticed while temporary names are written, so what was there before is still there.
 */
import { Effect, FileSystem, Option, Path, type PlatformError } from "effect"
import { explainErrno } from "../errno.ts"
import { removeEmptyFolder } from "../host.ts"
import { OutputUnwritable } from "./errors.ts"
import { encodeRecord, type Journal } from "./manifest.ts"
import { JOURNAL, MANIFEST, type OutputSet } from "./output-set.ts"
import type { OutputFile, Plan } from "./plan.ts"
import type { ReadState } from "./state.ts"

const encoder = new TextEncoder()

const temporary = (path: Path.Path, file: string, batch: string): string =>
  path.join(path.dirname(file), `.${path.basename(file)}.${batch}.effx-tmp`)

const TEMPORARY = /^\..*\.[0-9a-f]{16}\.effx-tmp$/

const unwritable =
  (file: string) =>
  (error: PlatformError.PlatformError): OutputUnwritable =>
    new OutputUnwritable({ message: `${file} cannot be written: ${explainErrno(error)}`, cause: error })

/** Writes a new file beside `file` and waits until the disk has it. */
const writeSynced = (staged: string, file: string, text: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const handle = yield* fs.open(staged, { flag: "wx" })
      yield* handle.writeAll(encoder.encode(text))
      yield* handle.sync
    })
  ).pipe(Effect.mapError(unwritable(file)))

/** Makes renames and removals in a folder durable. Some file systems cannot; the order of operations still holds there. */
const syncFolder = (folder: string) =>
  Effect.ignore(
    Effect.scoped(
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* (yield* fs.open(folder)).sync
      })
    )
  )

/** Makes the missing folders down to `folder`, and returns them, outermost first. */
const makeFolders = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const missing: Array<string> = []
  for (let at = folder; !(yield* fs.exists(at)); at = path.dirname(at)) missing.unshift(at)
  yield* Effect.forEach(missing, (at) => fs.makeDirectory(at), { discard: true })
  return missing
})

/** Removes folders that are empty, innermost first; the others stay. */
const removeFolders = (folders: Iterable<string>) =>
  Effect.forEach(
    [...folders].sort((a, b) => b.length - a.length),
    (folder) => Effect.ignore(Effect.tryPromise(() => removeEmptyFolder(folder))),
    { discard: true }
  )

/** Removes what a killed batch left behind under temporary names. */
const sweep = Effect.fnUntraced(function* (set: OutputSet, journal: Journal | undefined) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = Option.getOrElse(yield* Effect.option(fs.readDirectory(set.stateFolder)), () => [])
  const own = names.filter((name) => TEMPORARY.test(name)).map((name) => path.join(set.stateFolder, name))
  const listed = Object.keys(journal?.files ?? {}).flatMap((name) => {
    const place = set.place(name)
    return place === undefined || journal === undefined ? [] : [temporary(path, place.file, journal.batch)]
  })
  yield* Effect.forEach([...own, ...listed], (file) => Effect.ignore(fs.remove(file)), { discard: true })
})

/** Replaces a file in one step. */
const replaceFile = Effect.fnUntraced(function* (file: string, text: string, batch: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const staged = temporary(path, file, batch)
  yield* writeSynced(staged, file, text).pipe(
    Effect.andThen(Effect.mapError(fs.rename(staged, file), unwritable(file))),
    Effect.onError(() => Effect.ignore(fs.remove(staged)))
  )
  yield* syncFolder(path.dirname(file))
})

/** The folders of removed files, up to the folder that they were generated into: candidates for removal. */
const emptied = (path: Path.Path, set: OutputSet, removals: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(
    removals.flatMap((name) => {
      const place = set.place(name)
      if (place === undefined) return []
      const folders: Array<string> = []
      for (let at = path.dirname(place.file); at !== place.base && at !== path.dirname(at); at = path.dirname(at)) {
        folders.push(at)
      }
      return folders
    })
  )

/**
 * Carries the plan out to its end, also when the fiber is interrupted meanwhile.
 *
 * @param state what the plan was made from
 * @param plan has no conflict
 * @param batch sixteen hex digits that no other batch has
 */
export const carryOut = (set: OutputSet, state: ReadState, plan: Plan, batch: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    yield* sweep(set, state.journal)
    const journalFile = path.join(set.folder, JOURNAL)
    if (plan.writes.length === 0 && plan.removals.length === 0) {
      if (state.journal !== undefined) yield* fs.remove(journalFile)
      return
    }
    const files: Record<string, Array<string>> = {}
    for (const [name, hashes] of Object.entries(state.journal?.files ?? {})) files[name] = [...hashes]
    for (const { hash, path: name } of plan.writes) files[name] = [...new Set([...(files[name] ?? []), hash])].sort()
    const journal: Journal = { format: "effx-journal", version: 1, project: set.project, batch, files }
    const made: Array<string> = []
    const staged: Array<{ readonly from: string; readonly to: string; readonly name: string }> = []
    const stage = Effect.fnUntraced(function* (file: OutputFile) {
      const to = set.place(file.path)?.file
      if (to === undefined) return
      made.push(...(yield* Effect.mapError(makeFolders(path.dirname(to)), unwritable(to))))
      const from = temporary(path, to, batch)
      staged.push({ from, to, name: file.path })
      yield* writeSynced(from, to, file.text)
    })
    const undo = Effect.gen(function* () {
      yield* Effect.forEach(staged, ({ from }) => Effect.ignore(fs.remove(from)), { discard: true })
      yield* removeFolders(made)
      if (state.journal === undefined) yield* Effect.ignore(fs.remove(journalFile))
      else yield* Effect.ignore(replaceFile(journalFile, encodeRecord(state.journal), batch))
    })
    yield* replaceFile(journalFile, encodeRecord(journal), batch).pipe(
      Effect.andThen(Effect.forEach(plan.writes, stage, { discard: true })),
      Effect.onError(() => undo)
    )
    // From here on nothing needs space; what still fails leaves a journal that the next build reads.
    const last = ({ name }: { readonly name: string }) => name === MANIFEST
    const leftovers = () => Effect.forEach(staged, ({ from }) => Effect.ignore(fs.remove(from)), { discard: true })
    yield* Effect.gen(function* () {
      const rename = ({ from, to }: (typeof staged)[number]) => Effect.mapError(fs.rename(from, to), unwritable(to))
      yield* Effect.forEach(
        staged.filter((file) => !last(file)),
        rename,
        { discard: true }
      )
      yield* Effect.forEach(plan.removals, (name) => fs.remove(set.place(name)?.file ?? ""), { discard: true })
      const folders = new Set(
        [...staged.map(({ to }) => to), ...plan.removals.flatMap((name) => set.place(name)?.file ?? [])].map(
          path.dirname
        )
      )
      yield* Effect.forEach(folders, syncFolder, { discard: true })
      yield* Effect.forEach(staged.filter(last), rename, { discard: true })
      yield* syncFolder(set.stateFolder)
      yield* fs.remove(journalFile)
    }).pipe(Effect.onError(leftovers))
    yield* removeFolders(emptied(path, set, plan.removals))
  }).pipe(
    Effect.catchTag("PlatformError", (error) => Effect.fail(unwritable(set.stateFolder)(error))),
    Effect.uninterruptible
  )
