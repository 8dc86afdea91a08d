/**
 * The package's one host module: what Effect's services lack. Importing a user's module is the platform's own act, an
 * empty folder can only be removed by `rmdir`, and a lock names the process that owns it.
 */
import { type FSWatcher, lstatSync, statSync, watch } from "node:fs"
import { rmdir } from "node:fs/promises"
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
