/**
 * The package's one host module: what Effect's services lack. Importing a user's module is the platform's own act, an
 * empty folder can only be removed by `rmdir`, and a lock names the process that owns it.
 */
import { rmdir } from "node:fs/promises"
import { pathToFileURL } from "node:url"

/** Evaluates a module of the user, once per process. */
export const importModule = (file: string): Promise<unknown> => import(pathToFileURL(file).href)

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
