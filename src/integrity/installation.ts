/**
 * What a program must prove of the installation that it runs from, before it uses it (Spec: distribution §4).
 *
 * `openInstallation` reads the manifest and compares the listing; it is what every start pays. Each further proof is made once, when
 * its file is about to be used, and the file is then used through the descriptor that it was proved by. The root of trust (launcher,
 * runtime, bundle) already runs: it is proved from outside, by `verifyInstallation` of another copy.
 */
import { Result } from "effect"
import { PATHS } from "./file-class.ts"
import * as host from "./host.ts"
import { LIMITS } from "./limits.ts"
import { listingProblems } from "./listing.ts"
import type { Manifest, ManifestFile } from "./manifest.ts"
import { parseManifest } from "./parse-manifest.ts"
import type { Problem } from "./problem.ts"
import { listTree } from "./tree.ts"
import { bytesProblem, fileProblem, foundOf, openVerified, statusProblem, type VerifiedFile } from "./verified-file.ts"

export interface Installation {
  /** The top folder, without links. */
  readonly top: string
  readonly manifest: Manifest
  /** Each is proved by the first call and stays open. */
  readonly worker: () => Result.Result<VerifiedFile, Problem>
  readonly shim: () => Result.Result<VerifiedFile, Problem>
  readonly engine: () => Result.Result<VerifiedFile, Problem>
  /** Proves all files that the engine reads. */
  readonly libraries: () => Problem | undefined
  /**
   * Proves bytes that were read from a file below the engine's folder.
   *
   * @param path absolute
   */
  readonly libraryProblem: (path: string, bytes: Uint8Array) => Problem | undefined
}

/** What `manifest.json` of a top folder says. */
export const readManifest = (top: string): Result.Result<Manifest, Problem> => {
  const path = PATHS.manifest
  const descriptor = host.open(`${top}/${path}`)
  if (host.isRefusal(descriptor)) {
    return Result.fail({ path, expected: "a regular file", found: foundOf(descriptor) })
  }
  const status = host.statusOfDescriptor(descriptor)
  const regular = !host.isRefusal(status) && status.kind === "file"
  // One byte more than allowed is enough for the parser to refuse.
  const bytes = regular ? host.bytesOfDescriptor(descriptor, Math.min(status.size, LIMITS.manifestBytes + 1)) : status
  host.close(descriptor)
  return bytes instanceof Uint8Array
    ? parseManifest(bytes)
    : Result.fail({ path, expected: "a regular file", found: host.isRefusal(bytes) ? foundOf(bytes) : "another kind" })
}

/** The installation in `top`, its real path, once manifest, listing and the state of everything that is executed are right. */
export const openInstallation = (top: string): Result.Result<Installation, Problem> =>
  Result.flatMap(readManifest(top), (manifest) => {
    const files = new Map(manifest.files.map((file) => [file.path, file]))
    const [first] = listingProblems(top, manifest, listTree(top), false)
    const problem = first ?? executedProblem(top, manifest)
    return problem === undefined ? Result.succeed(installation(top, manifest, files)) : Result.fail(problem)
  })

const executedProblem = (top: string, manifest: Manifest): Problem | undefined => {
  for (const file of manifest.files) {
    if (file.class === "library" || file.class === "rest") continue
    const problem = statusProblem(file, host.status(`${top}/${file.path}`))
    if (problem !== undefined) return problem
  }
  return undefined
}

const installation = (top: string, manifest: Manifest, files: ReadonlyMap<string, ManifestFile>): Installation => {
  const once = (path: string) => {
    let proved: Result.Result<VerifiedFile, Problem> | undefined
    return (): Result.Result<VerifiedFile, Problem> => {
      const file = files.get(path)
      if (file === undefined) return Result.fail({ path, expected: "a file of the manifest", found: "none" })
      if (proved === undefined || (Result.isSuccess(proved) && !proved.success.isHeld()))
        proved = openVerified(top, file)
      return proved
    }
  }
  return {
    top,
    manifest,
    worker: once(PATHS.worker),
    shim: once(PATHS.shim),
    engine: once(PATHS.engine),
    libraries: () => {
      for (const file of manifest.files) {
        const problem = file.class === "library" ? fileProblem(top, file) : undefined
        if (problem !== undefined) return problem
      }
      return undefined
    },
    libraryProblem: (path, bytes) => {
      const inside = path.slice(top.length + 1)
      const file = files.get(inside)
      return file === undefined
        ? { path: inside, expected: "nothing in this place", found: "a file" }
        : bytesProblem(file, bytes)
    }
  }
}
