/**
 * The contents of an archive that is not unpacked: `.tar.xz` through the system's xz, or `.tar`. Nothing is written to disk.
 *
 * The compressed bytes are in memory when they are proved, and what is unpacked is exactly them: nobody can change the file in between.
 * xz is a program of the machine, called by its absolute path and with an empty environment; it sees no byte that was not proved before.
 */
import { Effect, Result } from "effect"
import { BUNDLES, PATHS } from "../file-class.ts"
import * as host from "../host.ts"
import { LIMITS } from "../limits.ts"
import { type Refusal, refusal } from "./refusal.ts"
import { type TarContents, tarReader } from "./tar-reader.ts"

/** Where xz is looked for. */
export const XZ_PATHS = ["/usr/bin/xz", "/bin/xz", "/run/current-system/sw/bin/xz"] as const

/** The files whose bytes the proof needs. */
const KEPT: ReadonlySet<string> = new Set([PATHS.manifest, ...BUNDLES])

const XZ_MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] as const

/** Whether bytes begin like an xz file. */
export const isXz = (bytes: Uint8Array): boolean => XZ_MAGIC.every((byte, at) => bytes[at] === byte)

/**
 * Reads an archive from its bytes.
 *
 * @param path names the archive in refusals
 */
export const readArchive = (path: string, bytes: Uint8Array): Effect.Effect<TarContents, Refusal> => {
  const reader = tarReader((inside) => KEPT.has(inside))
  const malformed = (found: string) => refusal("archive-malformed", path, "an archive as effx packs it", found)
  const ended = Effect.suspend(() => {
    const contents = reader.end()
    return Result.isFailure(contents) ? Effect.fail(malformed(contents.failure)) : Effect.succeed(contents.success)
  })
  if (!isXz(bytes)) {
    return Effect.suspend(() => {
      const problem = reader.push(bytes)
      return problem === undefined ? ended : Effect.fail(malformed(problem))
    })
  }
  const xz = XZ_PATHS.find(host.isExecutable)
  if (xz === undefined) {
    return Effect.fail(
      refusal(
        "unreadable",
        path,
        `xz in ${XZ_PATHS[0]} to unpack it (install xz-utils, or unpack it elsewhere and verify the .tar)`,
        "none"
      )
    )
  }
  const unpacked = Effect.callback<string | undefined>((resume) => {
    const stop = host.unpack(xz, bytes, reader.push, (problem) => resume(Effect.succeed(problem)))
    return Effect.sync(stop)
  })
  return unpacked.pipe(
    Effect.timeoutOrElse({
      duration: LIMITS.unpackingMs,
      orElse: () => Effect.succeed(`xz takes more than ${LIMITS.unpackingMs / 1000} s`)
    }),
    Effect.flatMap((problem) => (problem === undefined ? ended : Effect.fail(malformed(problem))))
  )
}
