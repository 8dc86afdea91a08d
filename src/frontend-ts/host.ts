/**
 * The package's one host module: synchronous, total look-ups on disk, which the engine's callbacks need, and
 * variables of our own environment. Nothing here throws; what cannot be read says why.
 */
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync
} from "node:fs"
import { posix } from "node:path"

/**
 * What a file on disk holds; `stamp` changes whenever the file is replaced or written. While it is `racy`, another write could still
 * get the same stamp, since times on disk are coarse: only the bytes tell then.
 */
export type DiskContent =
  | { readonly _tag: "Content"; readonly bytes: Uint8Array; readonly stamp: string; readonly racy: boolean }
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Unreadable"; readonly reason: string }

/**
 * The names in a folder by the kind of what they lead to; a link is listed by its target's kind and among `symlinks`. One that
 * leads nowhere counts as a file, so that a project which selects it can say so.
 */
export interface DiskEntries {
  readonly files: ReadonlyArray<string>
  readonly directories: ReadonlyArray<string>
  readonly symlinks: ReadonlyArray<string>
}

export type DiskKind = "file" | "directory" | "none"

const ABSENT = new Set(["ENOENT", "ENOTDIR"])

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : String(error)

const attempt = <A, B>(run: () => A, otherwise: (code: string) => B): A | B => {
  try {
    return run()
  } catch (error) {
    return otherwise(codeOf(error))
  }
}

const kindOf = (stats: Stats | undefined): DiskKind =>
  stats === undefined ? "none" : stats.isDirectory() ? "directory" : stats.isFile() ? "file" : "none"

/** How long after a write its time on disk may be shared by the next one, in milliseconds; file systems tick in 1 to 10. */
const RACY_MS = 100

/** Identity and times of a file: enough to see that it was not touched since, never enough to say what it holds. */
const stampOf = (stats: Pick<Stats, "dev" | "ino" | "size" | "mtimeMs" | "ctimeMs">): string =>
  `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`

export const disk = {
  /** The bytes of a regular file. Pipes and devices are unreadable: reading one could wait for ever. */
  read: (path: string): DiskContent =>
    attempt(
      (): DiskContent => {
        const kind = statSync(path)
        if (kind.isDirectory()) return { _tag: "Missing" }
        if (!kind.isFile()) return { _tag: "Unreadable", reason: "it is not a regular file" }
        const descriptor = openSync(path, "r")
        try {
          const stats = fstatSync(descriptor)
          const racy = Date.now() - Math.max(stats.ctimeMs, stats.mtimeMs) < RACY_MS
          return { _tag: "Content", bytes: readFileSync(descriptor), stamp: stampOf(stats), racy }
        } finally {
          closeSync(descriptor)
        }
      },
      (code): DiskContent => (ABSENT.has(code) ? { _tag: "Missing" } : { _tag: "Unreadable", reason: code })
    ),

  /** What a path leads to, links followed. */
  kind: (path: string): DiskKind =>
    attempt(
      () => kindOf(statSync(path, { throwIfNoEntry: false })),
      () => "none" as const
    ),

  /** The kind and the stamp of what a path leads to, links followed. */
  look: (path: string): { readonly kind: DiskKind; readonly stamp?: string } =>
    attempt(
      () => {
        const stats = statSync(path, { throwIfNoEntry: false })
        return stats === undefined ? { kind: "none" } : { kind: kindOf(stats), stamp: stampOf(stats) }
      },
      () => ({ kind: "none" })
    ),

  /** The entries of a folder; `undefined` where there is none or it cannot be read. */
  entries: (path: string): DiskEntries | undefined =>
    attempt(
      () => {
        const files: Array<string> = []
        const directories: Array<string> = []
        const symlinks: Array<string> = []
        for (const entry of readdirSync(path, { withFileTypes: true })) {
          const link = entry.isSymbolicLink()
          const kind = link
            ? disk.kind(`${path === "/" ? "" : path}/${entry.name}`)
            : entry.isDirectory()
              ? "directory"
              : entry.isFile()
                ? "file"
                : "none"
          if (kind === "none" && !link) continue
          if (link) symlinks.push(entry.name)
          ;(kind === "directory" ? directories : files).push(entry.name)
        }
        return { files: files.sort(), directories: directories.sort(), symlinks: symlinks.sort() }
      },
      () => undefined
    ),

  /** The path with every link resolved; `undefined` where nothing is there. */
  realpath: (path: string): string | undefined =>
    attempt(
      () => realpathSync.native(path),
      () => undefined
    ),

  /** Where a symbolic link points, as written; `undefined` where the path is not a link. */
  linkTarget: (path: string): string | undefined =>
    attempt(
      () => (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined),
      () => undefined
    )
}

/** Whether the engine's client would write timing files: it does when this variable is set, so the engine's owner unsets it. */
export const unsetTimingDirectory = (): void => {
  delete process.env.TS_API_TIMING_DIR
}

/** A variable of our own environment. */
export const variable = (name: string): string | undefined => process.env[name]

/** POSIX path arithmetic, without looking at the disk. */
export const paths = {
  dirname: posix.dirname,
  basename: posix.basename,
  join: posix.join,
  resolve: posix.resolve,
  relative: posix.relative
}
