/**
 * Proves a release from outside: an archive that is not unpacked, or an installation, by its provenance and its SBOM.
 *
 * In this order, so that nothing is used before what proves it: the signature over the statement, the statement itself, the digests of
 * archive and SBOM among its subjects, and only then what is inside. Without a key the digests prove integrity and not who made it.
 */
import { Effect, Result } from "effect"
import { BUNDLES } from "../file-class.ts"
import * as host from "../host.ts"
import { LIMITS } from "../limits.ts"
import { encodeManifest, type Manifest } from "../manifest.ts"
import { foundOf, openVerified } from "../verified-file.ts"
import { verifyInstallation } from "../verify-installation.ts"
import { readArchive } from "./archive.ts"
import { checkContents } from "./contents.ts"
import { openProvenance, type Trust } from "./envelope.ts"
import { textOf } from "./json.ts"
import { type Refusal, refusal } from "./refusal.ts"
import { type Packed, readSbom, type Sbom, sbomRefusals } from "./sbom.ts"
import { readStatement, type Statement } from "./statement.ts"

/** Paths of the files to prove; each is also the name that a refusal gives. */
export interface ReleaseFiles {
  /** An archive, or the top folder of an installation. */
  readonly release: string
  readonly provenance: string
  readonly sbom: string
  /** A public key as PEM; or that no signature is asked for; or neither, which accepts nothing. */
  readonly trust: { readonly key: string } | "unsigned" | "none"
}

export interface ReleaseVerification {
  /** Absent when it could not be reached. */
  readonly manifest?: Manifest
  /** Sorted, all of them as far as the proof came. */
  readonly refusals: ReadonlyArray<Refusal>
  /** Files that were proved, and how many bytes they hold. */
  readonly files: number
  readonly bytes: number
  /** Who built it, as the statement says. */
  readonly builder?: string
  /** The id of the key that signed. */
  readonly keyId?: string
}

/** What the release is, once it is read and is a subject of the statement. */
interface Release {
  readonly manifest?: Manifest
  readonly packed?: Packed
  readonly refusals: ReadonlyArray<Refusal>
  readonly files: number
  readonly bytes: number
}

const read = (path: string, most: number): Result.Result<Uint8Array, Refusal> => {
  const bytes = host.bytesOfFile(path, most)
  if (bytes === undefined) return Result.fail(refusal("unreadable", path, `at most ${most} bytes`, "more"))
  return host.isRefusal(bytes)
    ? Result.fail(refusal("unreadable", path, "a readable file", foundOf(bytes)))
    : Result.succeed(bytes)
}

const trustOf = ({ trust }: ReleaseFiles): Result.Result<Trust, Refusal> => {
  if (trust === "unsigned") return Result.succeed({ _tag: "Unsigned" })
  if (trust === "none") return Result.succeed({ _tag: "None" })
  return Result.map(read(trust.key, LIMITS.keyBytes), (pem) => ({ _tag: "Key", path: trust.key, pem }))
}

const isSubject = ({ subjects }: Statement, digest: string): boolean => [...subjects.values()].includes(digest)

/** Proves a release; never fails, what is wrong is in the result. */
export const verifyRelease = (files: ReleaseFiles): Effect.Effect<ReleaseVerification> =>
  proof(files).pipe(Effect.catch((refused) => Effect.succeed({ refusals: [refused], files: 0, bytes: 0 })))

const proof = Effect.fnUntraced(function* (files: ReleaseFiles) {
  const trust = yield* Effect.fromResult(trustOf(files))
  const provenance = yield* Effect.fromResult(read(files.provenance, LIMITS.provenanceBytes))
  const opened = yield* Effect.fromResult(openProvenance(files.provenance, provenance, trust))
  const statement = yield* Effect.fromResult(readStatement(files.provenance, opened.statement))
  const sbomBytes = yield* Effect.fromResult(read(files.sbom, LIMITS.sbomBytes))
  const digest = host.sha256(sbomBytes)
  const hasSbom = isSubject(statement, digest)
  const reached: Result.Result<Release | ProvedArchive, Refusal> = host.isFolder(files.release)
    ? installation(files, statement)
    : provedArchive(files, statement, hasSbom)
  const found = yield* Effect.fromResult(reached)
  if (!hasSbom) {
    return yield* Effect.fail(
      refusal("sbom-foreign", files.sbom, `an SBOM whose SHA-256 is a subject of ${files.provenance}`, digest)
    )
  }
  const sbom = yield* Effect.fromResult(readSbom(files.sbom, sbomBytes))
  const release = "archive" in found ? yield* unpackedArchive(files, statement, found) : found
  return {
    ...(release.manifest !== undefined && { manifest: release.manifest }),
    refusals: [...release.refusals, ...agreement(files, statement, sbom, release)],
    files: release.files,
    bytes: release.bytes,
    builder: statement.builder,
    ...(opened.keyId !== undefined && { keyId: opened.keyId })
  }
})

/** What statement, SBOM and release say of each other. */
const agreement = (
  files: ReleaseFiles,
  statement: Statement,
  sbom: Sbom,
  { manifest, packed }: Release
): ReadonlyArray<Refusal> => [
  ...(manifest === undefined ? [] : statementRefusals(files.provenance, statement, manifest)),
  ...(packed === undefined ? [] : sbomRefusals(files.sbom, sbom, packed))
]

const statementRefusals = (path: string, statement: Statement, manifest: Manifest): ReadonlyArray<Refusal> => {
  const { dependencies, parameters } = statement
  const { revision, tree } = manifest.source
  const stated: ReadonlyArray<readonly [of: string, actual: string, stated: string]> = [
    ["the commit", revision, parameters.source.revision],
    ["the tree", tree, parameters.source.tree],
    ["the version", manifest.version, parameters.version]
  ]
  const isSource = ({ digest }: Statement["dependencies"][number]): boolean =>
    digest?.gitCommit === revision && digest.gitTree === tree
  return [
    ...stated
      .filter(([, actual, said]) => actual !== said)
      .map(([of, actual, said]) => refusal("provenance-foreign", path, `${of} ${actual}`, said)),
    ...(dependencies.some(isSource)
      ? []
      : [refusal("provenance-foreign", path, `the source ${revision} among its dependencies`, "none")])
  ]
}

/** An archive whose digest is a subject. */
interface ProvedArchive {
  readonly archive: Uint8Array
  readonly sha256: string
}

const provedArchive = (
  { provenance, release: path }: ReleaseFiles,
  statement: Statement,
  hasSbom: boolean
): Result.Result<ProvedArchive, Refusal> =>
  Result.flatMap(read(path, LIMITS.unpackedBytes), (archive) => {
    const sha256 = host.sha256(archive)
    if (isSubject(statement, sha256)) return Result.succeed({ archive, sha256 })
    // With an SBOM that is a subject, it is the archive that does not belong to the other two.
    return Result.fail(
      hasSbom
        ? refusal("archive-changed", path, `an archive whose SHA-256 is a subject of ${provenance}`, sha256)
        : refusal("provenance-foreign", provenance, `${sha256}, the SHA-256 of ${path}, among its subjects`, "others")
    )
  })

/** The digest of the `.tar.xz`, also when the `.tar` is what is verified. */
const compressedDigest = ({ subjects }: Statement): string | undefined =>
  [...subjects].find(([name]) => name.endsWith(".tar.xz"))?.[1]

const unpackedArchive = Effect.fnUntraced(function* (
  { release: path }: ReleaseFiles,
  statement: Statement,
  { archive, sha256 }: ProvedArchive
) {
  const contents = yield* readArchive(path, archive)
  const { manifest, problems } = checkContents(contents)
  const refusals = problems.map((problem): Refusal => ({ cause: "contents-changed", ...problem }))
  if (!isSubject(statement, contents.sha256)) {
    refusals.push(refusal("archive-changed", path, "an inner archive whose SHA-256 is a subject", contents.sha256))
  }
  const refused = new Set(problems.map((problem) => problem.path))
  const proved = (manifest?.files ?? []).filter((file) => !refused.has(file.path))
  const bundles = texts((bundle) => contents.files.get(bundle)?.bytes)
  const release: Release = {
    refusals,
    files: proved.length,
    bytes: proved.reduce((sum, { size }) => sum + size, 0),
    ...(manifest !== undefined && {
      manifest,
      packed: { manifest, bundles, archive: compressedDigest(statement) ?? sha256 }
    })
  }
  return release
})

const texts = (bytesOf: (path: string) => Uint8Array | undefined): ReadonlyMap<string, string> =>
  new Map(BUNDLES.map((path) => [path, textOf(bytesOf(path) ?? new Uint8Array()) ?? ""]))

const installation = (files: ReleaseFiles, statement: Statement): Result.Result<Release, Refusal> => {
  const verification = verifyInstallation(files.release)
  if (verification === undefined) {
    return Result.fail(refusal("unreadable", files.release, "a folder", "nothing"))
  }
  const { bytes, manifest, problems, top } = verification
  const refusals = problems.map((problem): Refusal => ({ cause: "contents-changed", ...problem }))
  if (manifest === undefined) return Result.succeed({ refusals, files: 0, bytes })
  const digest = host.sha256(new TextEncoder().encode(encodeManifest(manifest)))
  if (!isSubject(statement, digest)) {
    return Result.fail(
      refusal(
        "provenance-foreign",
        files.provenance,
        `${digest}, the SHA-256 of manifest.json, among its subjects`,
        "others"
      )
    )
  }
  const bytesOf = (path: string): Uint8Array | undefined => {
    const file = manifest.files.find((entry) => entry.path === path)
    const opened = file === undefined ? undefined : openVerified(top, file)
    if (opened === undefined || Result.isFailure(opened)) return undefined
    const found = opened.success.bytes()
    opened.success.close()
    return found
  }
  return Result.succeed({
    manifest,
    packed: { manifest, bundles: texts(bytesOf) },
    refusals,
    files: verification.files,
    bytes
  })
}
