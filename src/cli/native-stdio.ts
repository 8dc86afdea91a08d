/**
 * The native library and the I/O worker of a server's standard input and output: the proved ones of this installation, used through
 * what they were proved by, or from source what `npm start` has built.
 */
import { Effect, Path } from "effect"
import * as host from "./host.ts"
import { Installed } from "./installed.ts"

const UNREADABLE = "the I/O worker of this installation cannot be read any more; unpack the release archive again"

/** Proves everything that a server will ever execute or read of its installation, before its input is touched. */
export const nativeStdio = Effect.gen(function* () {
  const path = yield* Path.Path
  const installed = yield* Installed
  const installation = yield* installed.installation
  if (installation === undefined) {
    const top = host.topFolder
    return {
      library: path.join(top, "dist/shim/effx-stdio.so"),
      worker: path.join(top, "src/stdio/io-worker.ts")
    }
  }
  yield* installed.engine
  yield* installed.libraries
  // Both are proved already, or no command runs.
  const proved = yield* Effect.orDie(Effect.fromResult(installation.worker()))
  const library = yield* Effect.orDie(Effect.fromResult(installation.shim()))
  const bytes = proved.bytes()
  if (bytes === undefined) return yield* Effect.die(UNREADABLE)
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }))),
    (url) => Effect.sync(() => URL.revokeObjectURL(url))
  )
  return { library: library.path, worker }
})
