/** What an ELF file asks of the machine that runs it and how it protects itself, as read from its bytes. */
import { Schema } from "effect"

const Flag = Schema.Boolean

/** A version of a library that the dynamic loader must find, such as `GLIBC_2.17` of `libc.so.6`. */
export const VersionNeed = Schema.Struct({ library: Schema.String, version: Schema.String })
export interface VersionNeed extends Schema.Schema.Type<typeof VersionNeed> {}

/** What the manifest records of an ELF file. Lists are sorted, except those whose order the loader obeys. */
export const ElfRecord = Schema.Struct({
  /** `GNU_RELRO`: what the loader has relocated becomes read-only. */
  relro: Flag,
  /** All symbols are bound at load, so the whole table can be read-only. */
  bindNow: Flag,
  class: Schema.Literal("ELF64"),
  /** The stack is executable, or the file leaves that to the kernel's default. */
  executableStack: Flag,
  /** The highest `GLIBC_` version needed; absent when none is. */
  glibcFloor: Schema.optionalKey(Schema.String),
  interpreter: Schema.optionalKey(Schema.String),
  machine: Schema.String,
  /** In the loader's order. */
  needed: Schema.Array(Schema.String),
  rpath: Schema.optionalKey(Schema.String),
  runpath: Schema.optionalKey(Schema.String),
  soname: Schema.optionalKey(Schema.String),
  /** Relocations that write into code. */
  textRelocations: Flag,
  type: Schema.Literals(["EXEC", "DYN"]),
  versions: Schema.Array(VersionNeed),
  /** A segment that is writable and executable at once. */
  writableCode: Flag
})
export interface ElfRecord extends Schema.Schema.Type<typeof ElfRecord> {}

/** An imported symbol and the version of it that was linked. */
export interface VersionedSymbol extends VersionNeed {
  readonly symbol: string
}

/** Everything that is read; the manifest leaves the symbols out. */
export interface ElfFacts {
  readonly record: ElfRecord
  /** Sorted by name. */
  readonly symbols: ReadonlyArray<VersionedSymbol>
}
