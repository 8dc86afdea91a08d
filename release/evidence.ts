/**
 * What lies beside an archive: its SBOM, SHA256SUMS and its provenance. `bun release/evidence.ts FOLDER [KEY]` writes them into the
 * folder of the archive and of the tree that it was packed from.
 *
 * They are made from the final bytes: the archive is unpacked again, and its manifest must be the tree's. A key signs the
 * provenance; without one it is a plain statement. No file says anything about the machine or the user.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { PATHS, parseManifest, tarReader } from "@effx/integrity"
import { Result } from "effect"
import { commitTime } from "./commit.ts"
import { fail } from "./fail.ts"
import { lockedPackages } from "./locks.ts"
import { compressor, compressorVersion } from "./pack.ts"
import { statementOf } from "./provenance.ts"
import { releaseName } from "./root.ts"
import { sbomOf } from "./sbom.ts"
import { envelopeOf, signingKey } from "./sign.ts"

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** The most that an archive may unpack to. */
const UNPACKED = 268_435_456

const unpacked = (archive: string): Uint8Array => {
  const input = openSync(archive, "r")
  const { error, status, stdout } = spawnSync(compressor(), ["--decompress", "--stdout", "--format=xz"], {
    stdio: [input, "pipe", "inherit"],
    env: { LC_ALL: "C" },
    maxBuffer: UNPACKED
  })
  closeSync(input)
  return status === 0 ? stdout : fail(`${archive} cannot be unpacked${error === undefined ? "" : `: ${error.message}`}`)
}

export interface EvidenceOptions {
  /** The folder with the archive and the tree. */
  readonly folder: string
  /** The archive's name without its ending, which is the tree's name. */
  readonly name: string
  /** The commit's, in seconds since 1970. */
  readonly time: number
  /** A file with an Ed25519 private key. */
  readonly key?: string | undefined
}

/** Writes the three files; returns their names. */
export const evidence = ({ folder, key, name, time }: EvidenceOptions): ReadonlyArray<string> => {
  const signing = key === undefined ? undefined : signingKey(key)
  const archive = join(folder, `${name}.tar.xz`)
  const tree = join(folder, name)
  if (!existsSync(archive)) fail(`${archive} is missing; 'npm run release' makes it`)
  const tar = unpacked(archive)
  const reader = tarReader((path) => path === PATHS.manifest)
  reader.push(tar)
  const contents = reader.end()
  if (Result.isFailure(contents)) return fail(`${basename(archive)} is refused: ${contents.failure}`)
  const packedManifest = contents.success.files.get(PATHS.manifest)?.bytes ?? new Uint8Array()
  const manifest = parseManifest(packedManifest)
  if (Result.isFailure(manifest)) return fail(`${basename(archive)} has no manifest: ${manifest.failure.found}`)
  if (!readFileSync(join(tree, PATHS.manifest)).equals(packedManifest)) fail(`${archive} was not packed from ${tree}`)

  const locked = lockedPackages()
  const [sums, sbomName, provenanceName] = ["SHA256SUMS", `${name}.cdx.json`, `${name}.provenance.json`]
  const digest = sha256(readFileSync(archive))
  const sbom = sbomOf({ tree, manifest: manifest.success, archive: digest, time, locked })
  const listed = `${digest}  ${basename(archive)}\n${sha256(sbom)}  ${sbomName}\n`
  const statement = statementOf({
    manifest: manifest.success,
    compressor: compressorVersion(),
    locked,
    subjects: {
      [basename(archive)]: digest,
      [`${name}.tar`]: contents.success.sha256,
      [`${name}/${PATHS.manifest}`]: sha256(packedManifest),
      [sbomName]: sha256(sbom),
      [sums]: sha256(listed)
    }
  })
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text, { mode: 0o644 })
  write(sbomName, sbom)
  write(sums, listed)
  write(provenanceName, signing === undefined ? `${statement}\n` : envelopeOf(statement, signing))
  return [sbomName, sums, provenanceName]
}

if (import.meta.main) {
  process.umask(0o022)
  const [folder, key] = process.argv.slice(2)
  const written = evidence({
    folder: resolve(folder ?? fail("evidence.ts needs a folder")),
    name: releaseName,
    time: commitTime(),
    key
  })
  process.stdout.write(written.map((file) => `${file}\n`).join(""))
}
