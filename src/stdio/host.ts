/**
 * The package's one host module, and the only one of the program that touches `bun:ffi`: loads the native part and calls it.
 *
 * Guarantees: the library comes from an absolute path and from nowhere else; its ABI number is asked before anything else of
 * it; after `unload` no call reaches native code. Leaves to its users who owns a descriptor, and every policy.
 * Both the program and the I/O worker load it, so it imports nothing else.
 */
import { dlopen } from "bun:ffi"
import { constants } from "node:os"
import { ABI } from "./abi.ts"

/** The result of every call after `unload`; no system has an error of this number. */
export const UNLOADED = -4096

/** The system's error numbers; a call gives the negative of one. */
export const errno = constants.errno

/** The name of an error that a call gave, such as `EBADF`. */
export const errnoName = (result: number): string =>
  Object.entries(constants.errno).find(([, number]) => number === -result)?.[0] ?? `error ${-result}`

/** The calls of `native/effx_stdio.h`. Each result that is negative is an error. */
export interface Shim {
  readonly kind: (descriptor: number) => number
  readonly wait: (input: number, wake: number, client: number, output: number, milliseconds: number) => number
  readonly read: (descriptor: number, buffer: Uint8Array) => number
  readonly writerOpen: (descriptor: number) => number
  readonly write: (writer: number, bytes: Uint8Array) => number
  readonly clientOpen: (process: number) => number
  readonly wakeOpen: () => number
  readonly wakeSignal: (wake: number) => number
  readonly wakeDrain: (wake: number) => number
  readonly close: (descriptor: number) => number
  /** Lets go of the library; idempotent. Afterwards every call gives `UNLOADED` and is not made. */
  readonly unload: () => void
}

export type Loading =
  | { readonly _tag: "Loaded"; readonly shim: Shim }
  | { readonly _tag: "LibraryPath" }
  | { readonly _tag: "LibraryUnloadable"; readonly detail: string }
  | { readonly _tag: "AbiMismatch"; readonly found: number }

const NUMBER = { effx_stdio_abi: { args: [], returns: "i32" } } as const

const CALLS = {
  effx_stdio_kind: { args: ["i32"], returns: "i32" },
  effx_stdio_wait: { args: ["i32", "i32", "i32", "i32", "i32"], returns: "i32" },
  effx_stdio_read: { args: ["i32", "ptr", "u32"], returns: "i32" },
  effx_stdio_writer_open: { args: ["i32"], returns: "i32" },
  effx_stdio_write: { args: ["i32", "ptr", "u32"], returns: "i32" },
  effx_stdio_client_open: { args: ["i32"], returns: "i32" },
  effx_stdio_wake_open: { args: [], returns: "i32" },
  effx_stdio_wake_signal: { args: ["i32"], returns: "i32" },
  effx_stdio_wake_drain: { args: ["i32"], returns: "i32" },
  effx_stdio_close: { args: ["i32"], returns: "i32" }
} as const

const abiOf = (path: string): number => {
  const library = dlopen(path, NUMBER)
  const found = library.symbols.effx_stdio_abi()
  library.close()
  return found
}

const bind = (path: string): Shim => {
  const library = dlopen(path, CALLS)
  const native = library.symbols
  let loaded = true
  const whileLoaded =
    <Args extends ReadonlyArray<unknown>>(call: (...args: Args) => number) =>
    (...args: Args): number =>
      loaded ? call(...args) : UNLOADED
  return {
    kind: whileLoaded(native.effx_stdio_kind),
    wait: whileLoaded(native.effx_stdio_wait),
    read: whileLoaded((descriptor, buffer: Uint8Array) =>
      native.effx_stdio_read(descriptor, buffer, buffer.byteLength)
    ),
    writerOpen: whileLoaded(native.effx_stdio_writer_open),
    write: whileLoaded((writer, bytes: Uint8Array) => native.effx_stdio_write(writer, bytes, bytes.byteLength)),
    clientOpen: whileLoaded(native.effx_stdio_client_open),
    wakeOpen: whileLoaded(native.effx_stdio_wake_open),
    wakeSignal: whileLoaded(native.effx_stdio_wake_signal),
    wakeDrain: whileLoaded(native.effx_stdio_wake_drain),
    close: whileLoaded(native.effx_stdio_close),
    unload: () => {
      if (!loaded) return
      loaded = false
      library.close()
    }
  }
}

/**
 * Loads the native part.
 *
 * @param path absolute, such as `/proc/self/fd/N` of a descriptor whose content was checked: for anything else the loader
 * would search, also in the working directory
 */
export const loadShim = (path: string): Loading => {
  if (!path.startsWith("/") || path.includes("\0")) return { _tag: "LibraryPath" }
  try {
    const found = abiOf(path)
    return found === ABI ? { _tag: "Loaded", shim: bind(path) } : { _tag: "AbiMismatch", found }
  } catch (error) {
    return { _tag: "LibraryUnloadable", detail: error instanceof Error ? error.message : String(error) }
  }
}
