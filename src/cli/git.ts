/**
 * Reads from a Git repository with the machine's `git`; never changes a work tree or the index.
 *
 * A repository is data here: programs that its own configuration names, to watch the work tree or to convert files, do not run.
 */
import { Misuse } from "@effx/session"
import { Effect, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { outsideTool } from "./outside-tool.ts"

/** What needs git and tar. */
export const PURPOSE = "comparing Git revisions"

/** Settings that keep a repository from running programs. */
const INERT = ["core.fsmonitor=false", "core.hooksPath=/dev/null"] as const

interface Ended {
  readonly code: number
  readonly stdout: string
}

/**
 * Runs git; a missing git is `Misuse`, since only the command line asks for it.
 *
 * @param settings `key=value` pairs that hold for this run
 */
export const git = Effect.fnUntraced(
  function* (cwd: string, args: ReadonlyArray<string>, settings: ReadonlyArray<string> = []) {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const program = yield* outsideTool("git", PURPOSE)
    const configured = [...INERT, ...settings].flatMap((setting) => ["-c", setting])
    const child = yield* spawner.spawn(
      ChildProcess.make(program, [...configured, ...args], {
        cwd,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "ignore",
        extendEnv: true
      })
    )
    const stdout = yield* Stream.mkString(Stream.decodeText(child.stdout))
    return { code: yield* child.exitCode, stdout } satisfies Ended as Ended
  },
  Effect.scoped,
  Effect.catchTag("PlatformError", () =>
    Effect.fail(new Misuse({ message: `${PURPOSE} needs git, which cannot be run` }))
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

/** Settings that switch off every program that the configuration names for converting files. */
const withoutFilters = Effect.fnUntraced(function* (top: string) {
  const { stdout } = yield* git(top, ["config", "--null", "--name-only", "--get-regexp", "^filter\\."])
  const keys = new Set(stdout.split("\0").filter((key) => /\.(smudge|clean|process|required)$/.test(key)))
  return Array.from(keys, (key) => `${key}=${key.endsWith(".required") ? "false" : ""}`)
})

/**
 * Writes the files of a commit as a tar file, as they are stored.
 *
 * @returns whether that worked
 */
export const archiveOf = Effect.fnUntraced(function* (top: string, commit: string, file: string) {
  const settings = yield* withoutFilters(top)
  const { code } = yield* git(top, ["archive", "--format=tar", `--output=${file}`, commit], settings)
  return code === 0
})
