/**
 * The package's one host module: what Effect's services lack. Importing a user's module is the platform's own act, an
 * empty folder can only be removed by `rmdir`, a lock names the process that owns it, and thousands of inputs are compared with
 * the disk by look-ups that are synchronous and never throw.
 */
import { createHash } from "node:crypto"
import {
  closeSync,
  constants,
  type FSWatcher,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
  watch
} from "node:fs"
import { rmdir } from "node:fs/promises"
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"

/** What a user's module gets when it would end the process. */
export class ExitRefused extends Error {}

/** Lets the event loop report what the module left behind: a rejection that nobody handles is known a turn later. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Evaluates a module of the user, once per process. While it is evaluated it cannot end the process, and what fails in its
 * background is its own failure.
 *
 * @param signal gives up on the module
 */
export const importModule = (file: string, signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { exit } = process
    const restore = () => {
      process.exit = exit
      process.off("uncaughtException", fail)
      process.off("unhandledRejection", fail)
    }
    const fail = (thrown: unknown) => {
      restore()
      reject(thrown)
    }
    process.exit = () => {
      throw new ExitRefused("process.exit was called")
    }
    process.on("uncaughtException", fail)
    process.on("unhandledRejection", fail)
    signal.addEventListener("abort", restore)
    import(pathToFileURL(file).href).then(async (module) => {
      await turn()
      restore()
      resolve(module)
    }, fail)
  })

/** Removes a folder; rejects when it is not empty or not a folder. */
export const removeEmptyFolder = (path: string): Promise<void> => rmdir(path)

export const processId: number = process.pid

/** Whether a process exists, also one of another user. */
export const processExists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { readonly code?: string }).code === "EPERM"
  }
}

/** What a watch on a folder reports: a hint that something in it may have changed, or that the watch is of no use any more. */
export interface WatchListener {
  /** @param name of an entry of the folder, which need not be the right one; null when events were lost */
  readonly onHint: (name: string | null) => void
  readonly onFailure: (code: string) => void
}

/**
 * Watches the entries of one folder, without what is below it. Links are followed: it is the folder that is watched, whatever the
 * path leads to later.
 *
 * @returns how to stop, or the error's code
 */
export const watchFolder = (folder: string, { onFailure, onHint }: WatchListener): (() => void) | string => {
  let watcher: FSWatcher
  try {
    watcher = watch(folder, { persistent: true, recursive: false }, (_event, name) => onHint(name))
  } catch (error) {
    return codeOf(error)
  }
  watcher.on("error", (error) => onFailure(codeOf(error)))
  return () => watcher.close()
}

/** How many files the process could open now besides those that it has open; without end where that cannot be known. */
export const filesLeft = (): number => {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"))?.[1])
    return Number.isNaN(limit) ? Number.POSITIVE_INFINITY : limit - readdirSync("/proc/self/fd").length
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** How many files a watch on a folder opens: Bun opens the folder and each of its entries. */
export const filesOfWatch = (folder: string): number => {
  try {
    return 1 + readdirSync(folder).length
  } catch {
    return 1
  }
}

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unknown"

/** Which thing is at a path, links not followed; changes when it is replaced, undefined where there is none. */
export const identityOf = (path: string): string | undefined => {
  try {
    const { dev, ino } = lstatSync(path)
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

/** Whether a path leads to a folder. */
export const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Changes whenever one of the paths is replaced, written, or comes and goes. */
export const witnessOf = (paths: ReadonlyArray<string>): string =>
  paths
    .map((path) => {
      try {
        const { ctimeMs, dev, ino, size } = statSync(path)
        return `${dev}:${ino}:${size}:${ctimeMs}`
      } catch {
        return ""
      }
    })
    .join(" ")

const codeOr = <A>(run: () => A): A | { readonly code: string } => {
  try {
    return run()
  } catch (error) {
    return { code: codeOf(error) }
  }
}

/** How long after a write its time on disk may be shared by the next one, in milliseconds; file systems tick in 1 to 10. */
const RACY_MS = 100

/** Identity and times of what is at a path; nothing while another write could still get the same ones. */
const stampOf = ({ ctimeMs, dev, ino, mtimeMs, size }: Stats): string | undefined =>
  Date.now() - Math.max(ctimeMs, mtimeMs) < RACY_MS ? undefined : `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`

/** What is at a path, links not followed. */
export type Look =
  | {
      readonly kind: "file" | "folder" | "link" | "other"
      /** Equal stamps mean that nothing was written between; absent while times are too young to tell. */
      readonly stamp?: string | undefined
      /** In bytes. */
      readonly size: number
    }
  | { readonly kind: "missing" }
  | { readonly kind: "denied"; readonly code: string }

const ABSENT = new Set(["ENOENT", "ENOTDIR"])

export const lookAt = (path: string): Look => {
  const stats = codeOr(() => lstatSync(path, { throwIfNoEntry: false }))
  if (stats === undefined) return { kind: "missing" }
  if ("code" in stats) return ABSENT.has(stats.code) ? { kind: "missing" } : { kind: "denied", code: stats.code }
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other"
  return { kind, stamp: stampOf(stats), size: stats.size }
}

/** Where a link points, as written, or the error's code. */
export const readLink = (path: string): string | { readonly code: string } => codeOr(() => readlinkSync(path))

/** The names in a folder, in order, or the error's code. */
export const namesIn = (folder: string): ReadonlyArray<string> | { readonly code: string } =>
  codeOr(() => readdirSync(folder).sort())

const CHUNK_BYTES = 1 << 18
let chunk: Buffer | undefined

/** The SHA-256 of a regular file with the stamp that it had before it was read, or the error's code. */
export const hashOf = (file: string): { readonly hash: string; readonly stamp?: string } | { readonly code: string } =>
  codeOr(() => {
    // A pipe that has taken the file's place must not be waited for.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stamp = stampOf(fstatSync(descriptor))
      const hash = createHash("sha256")
      chunk ??= Buffer.allocUnsafe(CHUNK_BYTES)
      for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk)) {
        hash.update(chunk.subarray(0, length))
      }
      return { hash: hash.digest("hex"), ...(stamp !== undefined && { stamp }) }
    } finally {
      closeSync(descriptor)
    }
  })

/** A path with every link resolved; undefined where nothing is there. */
export const realPath = (path: string): string | undefined => {
  const real = codeOr(() => realpathSync.native(path))
  return typeof real === "string" ? real : undefined
}

/** Where the runtime caches what it transpiles, if it does. */
export const runtimeCache: string | undefined = process.env.BUN_RUNTIME_TRANSPILER_CACHE_PATH

const modules = createRequire(import.meta.url).cache

/**
 * The files of the modules that this process has evaluated, of both module systems, as canonical paths. It is what the runtime
 * keeps, so it tells nothing of the specifiers and links by which a module was found.
 */
export const loadedFiles = (): ReadonlyArray<string> =>
  Object.keys(modules).flatMap((key) => {
    if (!key.startsWith("/")) return []
    const query = key.indexOf("?")
    return [query < 0 || lookAt(key).kind === "file" ? key : key.slice(0, query)]
  })
