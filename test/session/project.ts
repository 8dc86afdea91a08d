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

/** Every regular file and link below a folder with its text (`-> target` for links), by relative path. */
export const contents = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const found: Record<string, string> = {}
  for (const name of (yield* fs.readDirectory(folder, { recursive: true })).sort()) {
    const file = path.join(folder, name)
    const { type } = yield* fs.lstat(file)
    if (type === "File") found[name] = yield* fs.readFileString(file)
    if (type === "SymbolicLink") found[name] = `-> ${yield* fs.readLink(file)}`
  }
  return found
})
