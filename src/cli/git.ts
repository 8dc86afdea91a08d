/** Reads from a Git repository with the `git` on PATH; never changes a work tree or the index. */
import { Misuse } from "@effx/session"
import { Effect, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"

interface Ended {
  readonly code: number
  readonly stdout: string
}

/** Runs git; a missing git is `Misuse`, since only the command line asks for it. */
export const git = Effect.fnUntraced(
  function* (cwd: string, args: ReadonlyArray<string>) {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const child = yield* spawner.spawn(
      ChildProcess.make("git", args, { cwd, stdin: "ignore", stdout: "pipe", stderr: "ignore", extendEnv: true })
    )
    const stdout = yield* Stream.mkString(Stream.decodeText(child.stdout))
    return { code: yield* child.exitCode, stdout } satisfies Ended as Ended
  },
  Effect.scoped,
  Effect.catchTag("PlatformError", () =>
    Effect.fail(new Misuse({ message: "comparing Git revisions needs git, which cannot be run" }))
  )
)

/** The commit that a revision names in the repository of a folder. */
export const commitOf = Effect.fnUntraced(function* (cwd: string, revision: string) {
  const { code, stdout } = yield* git(cwd, [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${revision}^{commit}`
  ])
  return code === 0 ? stdout.trim() : undefined
})

/** The top folder of the repository that a folder belongs to. */
export const topOf = Effect.fnUntraced(function* (cwd: string) {
  const { code, stdout } = yield* git(cwd, ["rev-parse", "--show-toplevel"])
  return code === 0 ? stdout.replace(/\n$/, "") : undefined
})

/** The text of a file of a commit; `path` is relative to the repository. */
export const fileAt = Effect.fnUntraced(function* (top: string, commit: string, path: string) {
  const { code, stdout } = yield* git(top, ["cat-file", "blob", `${commit}:${path}`])
  return code === 0 ? stdout : undefined
})
