/**
 * Code that this process has loaded: the config and what it declares. When any of it may have been replaced, only a new process
 * can go on (Spec 0018 §3, amendment A).
 */
import { Effect, FileSystem } from "effect"
import type { Discovered } from "../selection.ts"

export interface Executables {
  /** Folders whose hints matter. */
  readonly folders: ReadonlySet<string>
  /** What differs from the baseline, as absolute paths. */
  readonly changed: Effect.Effect<ReadonlyArray<string>>
}

const fingerprint = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const bytes = yield* Effect.orElseSucceed(fs.readFile(file), () => undefined)
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("base64")
})

export const observeExecutables = Effect.fnUntraced(function* (discovered: Discovered) {
  const fs = yield* FileSystem.FileSystem
  const file = discovered.config?.path
  const before = file === undefined ? undefined : yield* fingerprint(file)
  const executables: Executables = {
    folders: new Set(file === undefined ? [] : [file.slice(0, file.lastIndexOf("/")) || "/"]),
    changed:
      file === undefined
        ? Effect.succeed([])
        : fingerprint(file).pipe(
            Effect.map((now) => (now === before ? [] : [file])),
            Effect.provideService(FileSystem.FileSystem, fs)
          )
  }
  return executables
})
