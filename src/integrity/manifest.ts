/**
 * The manifest of a release: which files it consists of, what they are, and what it was made from (`manifest.json`).
 *
 * It is derived from the finished files and never typed in. Its encoding is canonical: equal releases have equal bytes.
 */
import { canonicalJson, sha256Hex } from "@effx/ir"
import { Schema } from "effect"
import { ElfRecord } from "./elf/facts.ts"
import { highestVersion } from "./elf/glibc-version.ts"
import { FILE_CLASSES } from "./file-class.ts"
import { LIMITS } from "./limits.ts"

/** The format that this program writes and reads. */
export const MANIFEST_FORMAT = "effx.release.v1"

/** The one platform that releases are made for. */
export const TARGET = "x86_64-linux-gnu"

/** A SHA-256 in lower-case hex. */
export const SHA256 = /^[0-9a-f]{64}$/
/** A Git object's name. */
export const OBJECT_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** One line of text. */
export const LINE = /^\P{Cc}{1,256}$/u
/** A version of glibc. */
export const VERSION = /^[0-9]{1,4}(?:\.[0-9]{1,4}){1,3}$/

const Line = Schema.String.check(Schema.isPattern(LINE))
const ObjectName = Schema.String.check(Schema.isPattern(OBJECT_NAME))

export const ManifestFile = Schema.Struct({
  class: Schema.Literals(FILE_CLASSES),
  elf: Schema.optionalKey(ElfRecord),
  /** Permissions in octal: `755` or `644`. */
  mode: Schema.Literals(["644", "755"]),
  /** Relative to the installation's top folder. */
  path: Schema.String,
  sha256: Schema.String.check(Schema.isPattern(SHA256)),
  /** In bytes. */
  size: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: LIMITS.fileBytes }))
})
export interface ManifestFile extends Schema.Schema.Type<typeof ManifestFile> {}

/** What a release was made from: what its files cannot say themselves. */
export const ReleaseFacts = Schema.Struct({
  /** Versions of what is shipped inside. */
  components: Schema.Struct({ bun: Line, effect: Line, typescript: Line }),
  source: Schema.Struct({
    /** The commit. */
    revision: ObjectName,
    /** The commit's tree. */
    tree: ObjectName
  }),
  /** What the shim was made with: compiler and glibc headers by name and version. */
  toolchain: Schema.Struct({ compiler: Line, headers: Line }),
  /** The version of effx. */
  version: Line
})
export interface ReleaseFacts extends Schema.Schema.Type<typeof ReleaseFacts> {}

export const Manifest = Schema.Struct({
  ...ReleaseFacts.fields,
  /** Every file but the manifest, sorted by path. */
  files: Schema.Array(ManifestFile),
  format: Schema.Literal(MANIFEST_FORMAT),
  /** The glibc that the machine must have at least; derived from the files. */
  glibcFloor: Schema.String.check(Schema.isPattern(VERSION)),
  target: Schema.Literal(TARGET)
})
export interface Manifest extends Schema.Schema.Type<typeof Manifest> {}

/**
 * The bytes of `manifest.json`, as text: the manifest with a `digest`, the SHA-256 of its canonical JSON without that key. It makes
 * every damage to the file itself visible; who wrote the file it cannot say.
 */
export const encodeManifest = (manifest: Manifest): string => {
  const digest = sha256Hex(lineOf(manifest))
  return lineOf({ ...manifest, digest })
}

const lineOf = (value: unknown): string => `${canonicalJson(value)}\n`

/** The glibc that x86-64 began with: what files need that name no version. */
const OLDEST_GLIBC = "2.2.5"

/** The glibc that files need, by their ELF facts. */
export const floorOf = (files: ReadonlyArray<ManifestFile>): string =>
  highestVersion(files.flatMap(({ elf }) => elf?.glibcFloor ?? [])) ?? OLDEST_GLIBC
