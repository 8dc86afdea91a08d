/** Every bound of this package. docs/limits.md names those that a user can meet. */
export const LIMITS = {
  /** Bytes of a manifest.json. */
  manifestBytes: 4_194_304,
  /** Files that a manifest may list. */
  manifestFiles: 20_000,
  /** Bytes of a path inside an installation. */
  pathBytes: 1_024,
  /** Folders inside folders of an installation. */
  folderDepth: 32,
  /** Entries of an installation, listed or not; a search stops there. */
  treeEntries: 100_000,
  /** Bytes of a file that is hashed. */
  fileBytes: 4_294_967_296,
  /** Bytes that a packed file may hold when it is searched, and an archive when it is verified. */
  unpackedBytes: 268_435_456,
  /** Characters of the reason why a manifest cannot be read. */
  quotedReason: 200,
  /** Bytes of a provenance, an SBOM and a public key. */
  provenanceBytes: 4_194_304,
  sbomBytes: 16_777_216,
  keyBytes: 65_536,
  /** Subjects of a statement, and dependencies that it names. */
  subjects: 1_024,
  resolvedDependencies: 20_000,
  /** Bytes of a bundle or a manifest that is kept while an archive is read. */
  keptBytes: 33_554_432,
  /** Milliseconds for unpacking an archive. */
  unpackingMs: 120_000,
  /** How much of a file is read at once while it is hashed. */
  hashBlock: 1_048_576,
  /** Program headers, dynamic entries, symbols, version needs and their versions of one ELF file. */
  elfSegments: 128,
  elfDynamicEntries: 4_096,
  elfSymbols: 1_048_576,
  elfVersions: 4_096,
  /** Bytes of one name in an ELF file. */
  elfName: 4_096
} as const
