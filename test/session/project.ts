/** Projects on disk for tests: a folder of texts that is gone when the test's scope ends. */
import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Path } from "effect"

export const platform = NodeServices.layer

/** Makes a temporary folder with the given files (relative path to text) and returns its absolute path without links. */
export const project = Effect.fnUntraced(function* (files: Readonly<Record<string, string>>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "effx-session-" }))
  yield* Effect.forEach(
    Object.entries(files),
    ([name, text]) =>
      Effect.andThen(
        fs.makeDirectory(path.join(folder, path.dirname(name)), { recursive: true }),
        fs.writeFileString(path.join(folder, name), text)
      ),
    { discard: true }
  )
  return folder
})

/**
 * Every regular file and link below a folder with its text (`-> target` for links), by relative path. Links are not followed
 * and `node_modules` is left out.
 */
export const contents = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const found: Array<readonly [string, string]> = []
  const folders = [""]
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const { name, type } of yield* fs.readDirectoryEntries(`${folder}/${at}`)) {
      if (name === "node_modules") continue
      const path = `${at}${name}`
      if (type === "Directory") folders.push(`${path}/`)
      if (type === "File") found.push([path, yield* fs.readFileString(`${folder}/${path}`)])
      if (type === "SymbolicLink") found.push([path, `-> ${yield* fs.readLink(`${folder}/${path}`)}`])
    }
  }
  return Object.fromEntries(found.sort()) as Readonly<Record<string, string>>
})
