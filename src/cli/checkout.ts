/**
 * A commit as a folder: its files in a temporary folder that lives as long as the scope, with the dependencies that are installed
 * in the work tree, so that it compiles.
 */
import { Misuse } from "@effx/session"
import { Effect, FileSystem, Option, Path } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { archiveOf, PURPOSE } from "./git.ts"
import { outsideTool } from "./outside-tool.ts"

/**
 * Links one installed package. A link into the work tree (a workspace package) leads to the same place of the checkout, anything
 * else to what is installed.
 */
const linkPackage = Effect.fnUntraced(function* (from: string, to: string, top: string, checkout: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const real = Option.getOrUndefined(yield* Effect.option(fs.realPath(from)))
  if (real === undefined) return
  const inside = path.relative(top, real)
  const isWorkspace = !inside.startsWith("..") && !inside.split("/").includes("node_modules")
  yield* Effect.ignore(fs.symlink(isWorkspace ? path.join(checkout, inside) : real, to))
})

const linkDependencies = Effect.fnUntraced(function* (folder: string, top: string, checkout: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const from = path.join(folder, "node_modules")
  const to = path.join(checkout, path.relative(top, folder), "node_modules")
  if (!(yield* fs.exists(from)) || (yield* fs.exists(to))) return
  yield* fs.makeDirectory(to, { recursive: true })
  for (const name of yield* fs.readDirectory(from)) {
    if (!name.startsWith("@")) {
      yield* linkPackage(path.join(from, name), path.join(to, name), top, checkout)
      continue
    }
    yield* fs.makeDirectory(path.join(to, name), { recursive: true })
    for (const scoped of yield* fs.readDirectory(path.join(from, name))) {
      yield* linkPackage(path.join(from, name, scoped), path.join(to, name, scoped), top, checkout)
    }
  }
})

/**
 * Checks a commit out into a temporary folder.
 *
 * @param top the repository's top folder
 * @param project the project's folder in the work tree, whose dependencies and those of the folders above it are linked
 * @returns the project's folder in the checkout
 */
export const checkout = Effect.fnUntraced(function* (top: string, commit: string, project: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "effx-diff-" }))
  const archive = path.join(folder, ".effx-archive.tar")
  const tar = yield* outsideTool("tar", PURPOSE)
  const isArchived = yield* archiveOf(top, commit, archive)
  const unpacked = yield* spawner.exitCode(
    ChildProcess.make(tar, ["-xf", archive], {
      cwd: folder,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      // GNU tar takes further flags from TAR_OPTIONS, some of which name programs to run.
      env: { TAR_OPTIONS: "" },
      extendEnv: true
    })
  )
  if (!isArchived || unpacked !== 0) return yield* new Misuse({ message: `the commit ${commit} cannot be checked out` })
  yield* fs.remove(archive)
  for (let at = project; ; at = path.dirname(at)) {
    yield* linkDependencies(at, top, folder)
    if (at === top || at === path.dirname(at)) break
  }
  return path.join(folder, path.relative(top, project))
})
