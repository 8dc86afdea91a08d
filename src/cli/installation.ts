/**
 * What belongs to this installation beside the program itself. From an archive that is `<top>/lib/effx`; from source,
 * `<repository>/src/cli`.
 */
import { CompilerFault } from "@effx/compiler"
import { Effect, FileSystem, Path } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import * as host from "./host.ts"

const fault = (message: string, cause?: unknown) => new CompilerFault({ stage: "generate", message, cause })

/** The folder with the archives of the `@effx` packages; from source they are packed when they are not fresh. */
export const npmArchives = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const top = host.topFolder
  const script = path.join(top, "release/pack-npm.ts")
  if (!(yield* fs.exists(script))) {
    const folder = path.join(top, "npm")
    if (yield* fs.exists(folder)) return folder
    return yield* fault(`this installation lacks its npm folder ${folder}; install effx again`)
  }
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const code = yield* spawner.exitCode(
    ChildProcess.make(host.runtimePath, ["--no-env-file", script], {
      cwd: top,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit"
    })
  )
  return code === 0 ? path.join(top, "dist/npm") : yield* fault("packing the @effx packages failed; see above")
}).pipe(Effect.catchTag("PlatformError", (error) => Effect.fail(fault("the @effx packages cannot be read", error))))
