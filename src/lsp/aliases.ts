/**
 * The names of a document's file: as the client's URI says it, with all links resolved, and as the project says it, whose folder may
 * itself be reached through a link (Spec 0018 §4). A file that does not exist yet has the identity of the folder that will hold it.
 */
import { Effect, FileSystem, Path } from "effect"

export interface Identity {
  /** The path with its links resolved, as far as it exists. */
  readonly identity: string
  /** Whether it exists; else the identity may be another one once it does. */
  readonly exists: boolean
}

export const identityOf = Effect.fnUntraced(function* (
  file: string
): Effect.fn.Return<Identity, never, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  const rest: Array<string> = []
  for (let at = file; ; at = path.dirname(at)) {
    const real = yield* Effect.option(fs.realPath(at))
    if (real._tag === "Some") return { identity: path.join(real.value, ...rest), exists: rest.length === 0 }
    if (at === path.dirname(at)) return { identity: file, exists: false }
    rest.unshift(path.basename(at))
  }
})

/** The project's folder as it is selected, and with its links resolved. */
export interface ProjectFolder {
  readonly logical: string
  readonly real: string
}

/** All names of a file, the client's own first. */
export const namesOf = (
  { identity, path }: { readonly path: string; readonly identity: string },
  folder: ProjectFolder
): ReadonlyArray<string> => {
  const inside = identity.startsWith(`${folder.real}/`)
  const logical = inside ? [`${folder.logical}${identity.slice(folder.real.length)}`] : []
  return [...new Set([path, identity, ...logical])]
}
