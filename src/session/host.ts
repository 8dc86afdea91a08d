/**
 * The package's one host module: what Effect's services lack. Importing a user's module is the platform's own act, an
 * empty folder can only be removed by `rmdir`, and a lock names the process that owns it.
 */
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
