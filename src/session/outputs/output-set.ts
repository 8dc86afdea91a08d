/**
 * The place of one project's outputs: `.effx/` in the tsconfig's folder, and the folder of generated code.
 *
 * Paths of outputs are relative to the tsconfig's folder. Here, and only here, they become places on disk; a path that
 * leads neither into the project nor into its `outDir` has none, so a manifest cannot make a build touch anything else.
 */
import { Effect, FileSystem, Path } from "effect"
import { isInside } from "../inside.ts"
import type { Settings } from "../settings.ts"
import { STATE_FOLDER } from "../state-folder.ts"

export interface OutputSet {
  /** The tsconfig's name. */
  readonly project: string
  /** The tsconfig's folder with all links resolved. */
  readonly folder: string
  /** Where `manifest.json`, the journal and the lock are. */
  readonly stateFolder: string
  /** Where generated code goes, relative to the tsconfig's folder, POSIX. */
  readonly outDir: string
  /**
   * The place of a path, with the folder below which no link is followed; nothing where outputs may not be.
   */
  readonly place: (path: string) => { readonly file: string; readonly base: string } | undefined
}

export const MANIFEST = `${STATE_FOLDER}/manifest.json`
export const JOURNAL = `${STATE_FOLDER}/journal.json`
export const LOCK = `${STATE_FOLDER}/lock`
export const IR = `${STATE_FOLDER}/ir.json`
export const SURFACE = `${STATE_FOLDER}/surface.json`

/** Resolves the links of what exists of a path; the rest is appended. */
const canonicalPath: (file: string) => Effect.Effect<string, never, FileSystem.FileSystem | Path.Path> =
  Effect.fnUntraced(function* (file: string) {
    const path = yield* Path.Path
    const fs = yield* FileSystem.FileSystem
    const rest: Array<string> = []
    for (let at = file; ; at = path.dirname(at)) {
      const real = yield* Effect.option(fs.realPath(at))
      if (real._tag === "Some") return path.join(real.value, ...rest)
      if (at === path.dirname(at)) return file
      rest.unshift(path.basename(at))
    }
  })

/** Finds the output set of resolved settings. */
export const outputSet = Effect.fnUntraced(function* ({ outDir, selection }: Pick<Settings, "outDir" | "selection">) {
  const path = yield* Path.Path
  const folder = yield* canonicalPath(selection.folder)
  const relative = path.relative(selection.folder, outDir)
  const inProject = isInside(path, selection.folder, outDir)
  const outside = inProject ? undefined : yield* canonicalPath(outDir)
  const set: OutputSet = {
    project: path.basename(selection.tsconfig),
    folder,
    stateFolder: path.join(folder, STATE_FOLDER),
    outDir: relative,
    place: (name) => {
      const file = path.join(folder, name)
      if (path.isAbsolute(name) || name === "") return undefined
      if (isInside(path, folder, file)) return file === folder ? undefined : { file, base: folder }
      if (outside === undefined || !isInside(path, relative, name) || path.relative(relative, name) === "") {
        return undefined
      }
      return { file: path.join(outside, path.relative(relative, name)), base: outside }
    }
  }
  return set
})
