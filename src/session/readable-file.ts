/** Tells why a selected path cannot be read as a file, in words for whoever selected it. */
import { Effect, FileSystem, Option, type PlatformError } from "effect"
import { errnoOf, explainErrno } from "./errno.ts"
import { Misuse } from "./misuse.ts"

const misuse = (message: string) => new Misuse({ message })

/** What is at a path that does not open: nothing, or a link to nothing. */
const absent = Effect.fnUntraced(function* (path: string, what: string) {
  const fs = yield* FileSystem.FileSystem
  const target = yield* Effect.option(fs.readLink(path))
  return Option.match(target, {
    onNone: () => misuse(`${what} does not exist`),
    onSome: (to) => misuse(`${what} is a symbolic link to ${to}, which does not exist`)
  })
})

const because = (error: PlatformError.PlatformError, path: string, what: string) => {
  switch (errnoOf(error)) {
    case "ENOENT":
      return Effect.flatMap(absent(path, what), Effect.fail)
    case "ENOTDIR":
      return Effect.fail(misuse(`${what} does not exist`))
    case "ELOOP":
      return Effect.fail(misuse(`${what} is part of a symbolic link loop`))
    default:
      return Effect.fail(misuse(`${what} cannot be read: ${explainErrno(error)}`))
  }
}

/**
 * Whether a path is a folder or a readable regular file; links are followed.
 *
 * @param path absolute
 * @param what how messages name the path
 * @returns fails with `Misuse` for everything else
 */
export const readableKind = (path: string, what: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const info = yield* fs.stat(path)
    if (info.type === "Directory") return "folder" as const
    if (info.type !== "File") return yield* misuse(`${what} is not a regular file`)
    yield* fs.access(path, { readable: true })
    return "file" as const
  }).pipe(Effect.catchTag("PlatformError", (error) => because(error, path, what)))
