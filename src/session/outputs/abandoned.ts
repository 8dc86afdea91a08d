/**
 * What an outDir outside the project leaves behind when another one is chosen: a build may not touch the old folder any more, so
 * all that is left to do is to say what is there.
 */
import { sha256Hex } from "@effx/ir"
import { Effect, FileSystem, Option, Path } from "effect"
import type { Manifest } from "./manifest.ts"
import type { OutputSet } from "./output-set.ts"

export interface Abandoned {
  /** The former outDir, absolute. */
  readonly folder: string
  /** The files in it that are as effx wrote them, relative to it, sorted. */
  readonly files: ReadonlyArray<string>
}

/**
 * @param root the tsconfig's folder, to which the paths of the manifest are relative
 * @param manifest what the last build wrote
 */
export const abandonedBy = Effect.fnUntraced(function* (set: OutputSet, root: string, manifest: Manifest | undefined) {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  if (manifest === undefined || manifest.outDir === set.outDir) return undefined
  const folder = path.resolve(root, manifest.outDir)
  const outside = Object.entries(manifest.files).filter(([name]) => set.place(name) === undefined)
  const files = yield* Effect.filter(outside, ([name, hash]) =>
    Effect.map(
      Effect.option(fs.readFile(path.resolve(root, name))),
      Option.exists((bytes) => sha256Hex(bytes) === hash)
    )
  )
  const abandoned: Abandoned = { folder, files: files.map(([name]) => path.relative(manifest.outDir, name)).sort() }
  return files.length === 0 ? undefined : abandoned
})
