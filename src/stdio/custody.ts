/**
 * Owns the native library and the descriptors that were opened with it; releases each once, in reverse order, with its scope.
 *
 * Leaves to its users to say whether a thread still runs that may be using them: then nothing is released, and the process's end
 * does it.
 */
import { Effect, type Scope } from "effect"
import type { Shim } from "./host.ts"
import { load, system } from "./startup.ts"
import type { StdioError } from "./stdio-error.ts"

/** Descriptors and library, which are released in reverse order, unless a thread that still runs may be using them. */
export interface Custody {
  readonly shim: Shim
  readonly own: (call: string, make: () => number) => Effect.Effect<number, StdioError>
  threadRuns: boolean
}

/** @param library absolute path of the native library */
export const makeCustody = Effect.fnUntraced(function* (
  library: string
): Effect.fn.Return<Custody, StdioError, Scope.Scope> {
  const descriptors: Array<number> = []
  return yield* Effect.acquireRelease(
    Effect.map(
      load(library),
      (shim): Custody => ({
        shim,
        own: (call, make) =>
          Effect.tap(system(call, make), (descriptor) => Effect.sync(() => descriptors.push(descriptor))),
        threadRuns: false
      })
    ),
    ({ shim, threadRuns }) =>
      Effect.sync(() => {
        if (threadRuns) return
        for (const descriptor of descriptors.reverse()) shim.close(descriptor)
        shim.unload()
      })
  )
})
