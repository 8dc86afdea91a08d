/**
 * A file that was proved and is used through the descriptor that it was proved by: whoever swaps the file at its path meanwhile
 * changes nothing. Overwriting in place, by the same user and after the proof, is out of scope (docs/verify.md).
 */
import { Result } from "effect"
import * as host from "./host.ts"
import type { ManifestFile } from "./manifest.ts"
import type { Problem } from "./problem.ts"

export interface VerifiedFile {
  /** Leads to the proved file for this process and its children, wherever the name that it had leads now. */
  readonly path: string
  /** The proved bytes; undefined when they cannot be read again or are no longer the proved ones. */
  readonly bytes: () => Uint8Array | undefined
  /** Whether the descriptor still is the proved file's: a fault of the runtime can close it under somebody's number. */
  readonly isHeld: () => boolean
  /** What is wrong when the name meanwhile leads to another file: used is the proved one, yet somebody swaps files. */
  readonly swapped: () => Problem | undefined
  readonly close: () => void
}

/** What is wrong with what is at a listed path: kind, permissions, size. Times never matter. */
export const statusProblem = (file: ManifestFile, status: host.Status | host.Refusal): Problem | undefined => {
  const { path } = file
  if (host.isRefusal(status)) return { path, expected: "a regular file", found: foundOf(status) }
  if (status.kind !== "file") return { path, expected: "a regular file", found: KINDS[status.kind] }
  const wanted = Number.parseInt(file.mode, 8)
  // A umask takes permissions away when an archive is unpacked, and a store takes writing away; neither ever adds one.
  const added = (status.mode & ~wanted) !== 0
  const lost = (wanted & 0o100) !== 0 && (status.mode & 0o111) === 0
  if (added || lost) return { path, expected: `mode ${file.mode} or less`, found: `mode ${status.mode.toString(8)}` }
  if (status.size !== file.size) return { path, expected: `${file.size} bytes`, found: `${status.size} bytes` }
  return undefined
}

export const KINDS: Readonly<Record<host.EntryKind, string>> = {
  file: "a file",
  folder: "a folder",
  link: "a symbolic link",
  other: "a pipe, socket or device"
}

/** What a refusal of the system means for a reader. */
export const foundOf = ({ code }: host.Refusal): string => {
  if (code === "ENOENT" || code === "ENOTDIR") return "nothing"
  if (code === "ELOOP") return KINDS.link
  if (code === "EACCES" || code === "EPERM") return "one that may not be read"
  return `the error ${code}`
}

/** Proves a listed file of an installation and keeps it open. */
export const openVerified = (top: string, file: ManifestFile): Result.Result<VerifiedFile, Problem> => {
  const { path } = file
  const place = `${top}/${path}`
  const descriptor = host.open(place)
  if (host.isRefusal(descriptor)) {
    return Result.fail({ path, expected: "a regular file", found: foundOf(descriptor) })
  }
  const status = host.statusOfDescriptor(descriptor)
  const problem = statusProblem(file, status) ?? hashProblem(file, descriptor)
  if (problem !== undefined || host.isRefusal(status)) {
    host.close(descriptor)
    return Result.fail(problem ?? { path, expected: "a regular file", found: "another" })
  }
  return Result.succeed({
    path: `/proc/${host.processId}/fd/${descriptor}`,
    bytes: () => {
      const bytes = host.bytesOfDescriptor(descriptor, file.size)
      return !host.isRefusal(bytes) && host.sha256(bytes) === file.sha256 ? bytes : undefined
    },
    isHeld: () => {
      const now = host.statusOfDescriptor(descriptor)
      return !host.isRefusal(now) && now.identity === status.identity
    },
    swapped: () => {
      const now = host.status(place)
      return !host.isRefusal(now) && now.identity === status.identity
        ? undefined
        : { path, expected: "the file that was verified", found: host.isRefusal(now) ? foundOf(now) : "another file" }
    },
    close: () => host.close(descriptor)
  })
}

/** Proves a listed file. */
export const fileProblem = (top: string, file: ManifestFile): Problem | undefined => {
  const opened = openVerified(top, file)
  if (Result.isFailure(opened)) return opened.failure
  opened.success.close()
  return undefined
}

const hashProblem = (file: ManifestFile, descriptor: number): Problem | undefined => {
  const found = host.hashOfDescriptor(descriptor, file.size)
  if (host.isRefusal(found)) return { path: file.path, expected: "a readable file", found: foundOf(found) }
  if (found.size !== file.size) {
    return { path: file.path, expected: `${file.size} bytes`, found: `${found.size < file.size ? found.size : "more"}` }
  }
  return found.sha256 === file.sha256
    ? undefined
    : { path: file.path, expected: `SHA-256 ${file.sha256}`, found: found.sha256 }
}

/** What is wrong with bytes that were read from a listed file. */
export const bytesProblem = (file: ManifestFile, bytes: Uint8Array): Problem | undefined => {
  const found = host.sha256(bytes)
  return found === file.sha256 ? undefined : { path: file.path, expected: `SHA-256 ${file.sha256}`, found }
}
