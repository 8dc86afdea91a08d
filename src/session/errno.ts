/** The operating system's reason of a failed file operation, as a name and as words. */
import type { PlatformError } from "effect"

/** The error number's name (`ENOENT`, `ENOSPC`, …), or nothing when the platform gave none. */
export const errnoOf = (error: PlatformError.PlatformError): string | undefined => {
  const cause: unknown = error.reason.cause
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left on the disk",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be too large",
  EIO: "the disk reported an error",
  EMFILE: "too many open files",
  ENFILE: "too many open files on this machine",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "it already exists",
  ELOOP: "its path is a symbolic link loop",
  ENAMETOOLONG: "its name is too long",
  EXDEV: "it lies on another file system",
  EBUSY: "it is in use"
}

/** An error number's name, or a clause, as a clause without a final full stop. */
export const explainCode = (code: string): string => WORDS[code] ?? code

/** The reason as a clause without a final full stop. */
export const explainErrno = (error: PlatformError.PlatformError): string =>
  explainCode(errnoOf(error) ?? error.reason._tag)
