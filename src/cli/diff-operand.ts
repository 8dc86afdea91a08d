/**
 * One side of `effx diff`: an `ir.json`, a folder, a Git revision, or the selected project itself.
 *
 * A folder stands for the `ir.json` that a build left in it, else for the project in it. A revision stands for the
 * committed `.effx/ir.json` of the selected project, else for that project as it was then, compiled with the dependencies that
 * are installed now.
 */
import { ApplicationIRFromJson } from "@effx/ir"
import { type Flags, IR, Misuse, run } from "@effx/session"
import { Effect, FileSystem, Option, Path, Schema } from "effect"
import { checkout } from "./checkout.ts"
import { commitOf, fileAt, topOf } from "./git.ts"
import { Installed } from "./installed.ts"
import { visible } from "./reporters/style.ts"
import { workingDirectory } from "./working-directory.ts"

const misuse = (message: string) => new Misuse({ message })

const decode = (text: string, name: string) =>
  Schema.decodeUnknownEffect(ApplicationIRFromJson)(text).pipe(
    Effect.mapError(() => misuse(`${visible(name)} is not an ir.json that this version of effx reads`))
  )

/** Compiles a project; errors keep it from being compared. */
const compiled = Effect.fnUntraced(function* (flags: Flags, cwd: string, name: string) {
  yield* (yield* Installed).engine
  const { compiled: result, counts } = yield* run({ flags, cwd, generate: false })
  if (result === undefined || counts.error > 0) {
    const errors = counts.error === 1 ? "an error" : `${counts.error} errors`
    return yield* misuse(`${visible(name)} has ${errors} and cannot be compared; see effx check`)
  }
  return result.ir
})

/** The folder of the selected project, as far as flags tell. */
const projectFolder = Effect.fnUntraced(function* ({ project }: Flags, cwd: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (project === undefined) return yield* fs.realPath(cwd)
  const named = path.resolve(cwd, project)
  const { type } = yield* fs.stat(named)
  return yield* fs.realPath(type === "Directory" ? named : path.dirname(named))
})

const atRevision = Effect.fnUntraced(function* (revision: string, flags: Flags, cwd: string) {
  const path = yield* Path.Path
  const folder = yield* projectFolder(flags, cwd)
  const top = yield* topOf(folder)
  const commit = top === undefined ? undefined : yield* commitOf(folder, revision)
  if (top === undefined || commit === undefined) {
    return yield* misuse(`${visible(revision)} is neither a file or folder nor a Git revision`)
  }
  const stored = yield* fileAt(top, commit, path.join(path.relative(top, folder), IR))
  if (stored !== undefined) return yield* decode(stored, revision)
  const then = yield* checkout(top, commit, folder)
  const tsconfig = flags.project?.endsWith(".json") ? path.join(then, path.basename(flags.project)) : then
  return yield* compiled({ project: tsconfig }, then, revision)
}, Effect.scoped)

const inFolder = Effect.fnUntraced(function* (folder: string, name: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const file of ["ir.json", IR]) {
    const text = Option.getOrUndefined(yield* Effect.option(fs.readFileString(path.join(folder, file))))
    if (text !== undefined) return yield* decode(text, path.join(name, file))
  }
  return yield* compiled({ project: folder }, folder, name)
})

/**
 * The IR of one side.
 *
 * @param operand as given on the command line; the selected project when absent
 */
export const readOperand = Effect.fnUntraced(
  function* (operand: string | undefined, flags: Flags) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const cwd = yield* workingDirectory
    if (operand === undefined) return yield* compiled(flags, cwd, "the project")
    const file = path.resolve(cwd, operand)
    const info = Option.getOrUndefined(yield* Effect.option(fs.stat(file)))
    if (info === undefined) return yield* atRevision(operand, flags, cwd)
    if (info.type === "Directory") return yield* inFolder(file, operand)
    const text = Option.getOrUndefined(yield* Effect.option(fs.readFileString(file)))
    return text === undefined ? yield* misuse(`${visible(operand)} cannot be read`) : yield* decode(text, operand)
  },
  Effect.catchTag("PlatformError", (error) => Effect.fail(misuse(`cannot read ${error.reason._tag}`)))
)
