/**
 * Which project a command works on: the one place where flags, the working directory and config decide it (Spec 0018 §3).
 *
 * `discover` finds the tsconfig that the flags or the working directory name and the config beside it, and reads neither.
 * `select` then lets the config's `project` choose, unless a flag did. Paths stay logical: links are followed for reading
 * only, so identities never depend on where a link leads.
 */
import { Effect, FileSystem, Option, Path } from "effect"
import type { Flags } from "./flags.ts"
import { Misuse } from "./misuse.ts"
import { readableKind } from "./readable-file.ts"

/** The names of a config that is found without a flag, best first. */
export const CONFIG_NAMES = ["effx.config.ts", "effx.config.mts", "effx.config.js", "effx.config.mjs"] as const

const TSCONFIG = "tsconfig.json"

export interface Discovered {
  readonly cwd: string
  /** The tsconfig that a flag names; absent without one. */
  readonly flagged?: string
  /** Where a config was looked for, and what `tsconfig.json` belongs to when nothing else selects. */
  readonly base: string
  readonly config?: {
    readonly path: string
    /** Whether `--config` named it, which is authority to evaluate it. */
    readonly explicit: boolean
  }
}

export interface Selection {
  readonly cwd: string
  /** Absolute path of the selected tsconfig. */
  readonly tsconfig: string
  /** The tsconfig's folder. */
  readonly folder: string
  /** Absolute path of the config, where there is one. */
  readonly config?: string
}

/** How many folders up a relative path may climb before the absolute one is easier to read. */
const CLIMBS = 2

/** A path as the reader would type it: relative to the working directory, absolute where that would climb further. */
export const displayPath = (path: Path.Path, cwd: string, file: string): string => {
  const relative = path.relative(cwd, file)
  if (relative === "") return "."
  return relative.split("/").filter((part) => part === "..").length > CLIMBS ? file : relative
}

/** The tsconfig of a folder. */
const tsconfigIn = Effect.fnUntraced(function* (folder: string, shown: string, absent: string) {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  const file = path.join(folder, TSCONFIG)
  const name = path.join(shown, TSCONFIG)
  if (Option.isNone(yield* Effect.option(fs.lstat(file)))) return yield* new Misuse({ message: absent })
  if ((yield* readableKind(file, name)) === "file") return file
  return yield* new Misuse({ message: `${name} is a folder, not a file` })
})

/**
 * The tsconfig that a path names: the path itself, or the `tsconfig.json` of a folder.
 *
 * @param by who named it, where the reader may not know: a clause between commas
 */
const tsconfigAt = Effect.fnUntraced(function* (named: string, shown: string, by = "") {
  if ((yield* readableKind(named, `${shown}${by}`)) === "file") return named
  return yield* tsconfigIn(named, shown, `the folder ${shown}${by} has no ${TSCONFIG}`)
})

const configAt = Effect.fnUntraced(function* (file: string, shown: string) {
  if ((yield* readableKind(file, shown)) === "folder") {
    return yield* new Misuse({ message: `${shown} is a folder; --config takes a file` })
  }
  return file
})

/**
 * Finds what the flags and the working directory name.
 *
 * @param flags paths resolve from `cwd`
 * @param cwd absolute
 */
export const discover = Effect.fnUntraced(function* (flags: Pick<Flags, "project" | "config">, cwd: string) {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  const flagged =
    flags.project === undefined ? undefined : yield* tsconfigAt(path.resolve(cwd, flags.project), flags.project)
  const base = flagged === undefined ? cwd : path.dirname(flagged)
  const found: Omit<Discovered, "config"> = { cwd, base, ...(flagged !== undefined && { flagged }) }
  if (flags.config !== undefined) {
    const file = yield* configAt(path.resolve(cwd, flags.config), flags.config)
    return { ...found, config: { path: file, explicit: true } } satisfies Discovered as Discovered
  }
  for (const name of CONFIG_NAMES) {
    const file = path.join(base, name)
    if (Option.isNone(yield* Effect.option(fs.lstat(file)))) continue
    yield* configAt(file, displayPath(path, cwd, file))
    return { ...found, config: { path: file, explicit: false } } satisfies Discovered as Discovered
  }
  return found satisfies Discovered as Discovered
})

/**
 * Decides the tsconfig: a flag, then the config's `project`, then `tsconfig.json` of the working directory.
 *
 * @param project `project` of the config; resolves from the config's folder
 */
export const select = Effect.fnUntraced(function* (discovered: Discovered, project: string | undefined) {
  const path = yield* Path.Path
  const { config, cwd, flagged } = discovered
  const tsconfig = yield* Effect.suspend(() => {
    if (flagged !== undefined) return Effect.succeed(flagged)
    if (project !== undefined && config !== undefined) {
      const named = path.resolve(path.dirname(config.path), project)
      return tsconfigAt(named, displayPath(path, cwd, named), `, the project of ${path.basename(config.path)},`)
    }
    return tsconfigIn(cwd, "", `there is no ${TSCONFIG} in ${cwd}; name a project with --project`)
  })
  const selection: Selection = {
    cwd,
    tsconfig,
    folder: path.dirname(tsconfig),
    ...(config !== undefined && { config: config.path })
  }
  return selection
})
