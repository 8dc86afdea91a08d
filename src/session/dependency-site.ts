/** Where a project declares a dependency: the key in the nearest package.json that has it. */
import type { Occurrence } from "@effx/diagnostics"
import { Effect, FileSystem, Option, Path } from "effect"
import { locateProperty, siteAt } from "./text-site.ts"

const SECTIONS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]

/**
 * @param root the tsconfig's folder; the search goes upwards from it and locations are relative to it
 * @param name the npm package
 * @returns nothing where no package.json declares it
 */
export const dependencySite = Effect.fnUntraced(function* (
  root: string,
  name: string
): Effect.fn.Return<Occurrence, never, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  for (let folder = root; ; folder = path.dirname(folder)) {
    const file = path.join(folder, "package.json")
    // A pipe would be waited for.
    const isFile = Option.exists(yield* Effect.option(fs.stat(file)), ({ type }) => type === "File")
    const text = isFile ? Option.getOrUndefined(yield* Effect.option(fs.readFileString(file))) : undefined
    for (const section of text === undefined ? [] : SECTIONS) {
      const found = text === undefined ? undefined : locateProperty(text, [section, name])
      if (text !== undefined && found !== undefined && text.slice(found.start, found.end) === `"${name}"`) {
        return { site: siteAt(path.relative(root, file), text, found.start, found.end) }
      }
    }
    if (folder === path.dirname(folder)) return {}
  }
})
