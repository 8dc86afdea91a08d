/** The dynamic section: what the loader reads, with its texts resolved. */
import { Result } from "effect"
import { LIMITS } from "../limits.ts"
import type { Bytes } from "./bytes.ts"
import { type ElfError, malformed } from "./elf-error.ts"
import { offsetOf, PT, type Segment } from "./segments.ts"

const DT = {
  NULL: 0,
  NEEDED: 1,
  HASH: 4,
  STRTAB: 5,
  SYMTAB: 6,
  STRSZ: 10,
  SONAME: 14,
  RPATH: 15,
  TEXTREL: 22,
  BIND_NOW: 24,
  RUNPATH: 29,
  FLAGS: 30,
  GNU_HASH: 0x6ffffef5,
  VERSYM: 0x6ffffff0,
  FLAGS_1: 0x6ffffffb,
  VERNEED: 0x6ffffffe,
  VERNEEDNUM: 0x6fffffff
} as const

const DF_TEXTREL = 4
const DF_BIND_NOW = 8
const DF_1_NOW = 1

export interface Dynamic {
  readonly needed: ReadonlyArray<string>
  readonly soname: string | undefined
  readonly rpath: string | undefined
  readonly runpath: string | undefined
  readonly bindNow: boolean
  readonly textRelocations: boolean
  /** Offsets in the file. */
  readonly tables: {
    readonly symbols: number | undefined
    readonly hash: number | undefined
    readonly gnuHash: number | undefined
    readonly versionOfSymbol: number | undefined
    readonly versionNeeds: { readonly offset: number; readonly count: number } | undefined
  }
  /** A name of the string table. */
  readonly name: (index: number) => string | undefined
}

/** Reads the dynamic section; `undefined` for a static file, which has none. */
export const readDynamic = (
  bytes: Bytes,
  segments: ReadonlyArray<Segment>
): Result.Result<Dynamic | undefined, ElfError> => {
  const segment = segments.find(({ type }) => type === PT.DYNAMIC)
  if (segment === undefined) return Result.succeed(undefined)
  const tags = tagsOf(bytes, segment)
  if (Result.isFailure(tags)) return Result.fail(tags.failure)
  return dynamicOf(bytes, segments, tags.success)
}

type Tags = ReadonlyMap<number, ReadonlyArray<number>>

const tagsOf = (bytes: Bytes, segment: Segment): Result.Result<Tags, ElfError> => {
  const tags = new Map<number, Array<number>>()
  const count = Math.floor(segment.fileSize / 16)
  if (count > LIMITS.elfDynamicEntries) return Result.fail(malformed("its dynamic section has too many entries"))
  for (let index = 0; index < count; index++) {
    const at = segment.offset + index * 16
    const tag = bytes.u64(at)
    if (tag === DT.NULL) return Result.succeed(tags)
    const value = bytes.u64(at + 8)
    // A tag that is no safe integer is none of those that are read here.
    if (tag === undefined) continue
    if (value === undefined) {
      if (READ.has(tag)) return Result.fail(malformed("its dynamic section has an entry that is out of range"))
      continue
    }
    const values = tags.get(tag)
    if (values === undefined) tags.set(tag, [value])
    else values.push(value)
  }
  return Result.fail(malformed("its dynamic section has no end"))
}

const READ: ReadonlySet<number> = new Set(Object.values(DT))

const dynamicOf = (
  bytes: Bytes,
  segments: ReadonlyArray<Segment>,
  tags: Tags
): Result.Result<Dynamic | undefined, ElfError> => {
  const last = (tag: number): number | undefined => tags.get(tag)?.at(-1)
  const table = (tag: number): number | undefined => {
    const address = last(tag)
    return address === undefined ? undefined : offsetOf(segments, address)
  }
  const names = table(DT.STRTAB)
  const namesSize = last(DT.STRSZ) ?? 0
  if (names === undefined || names + namesSize > bytes.length) {
    return Result.fail(malformed("its string table lies outside of the file"))
  }
  for (const tag of [DT.SYMTAB, DT.HASH, DT.GNU_HASH, DT.VERSYM, DT.VERNEED]) {
    if (tags.has(tag) && table(tag) === undefined) return Result.fail(malformed("a table lies outside of the file"))
  }
  const name = (index: number): string | undefined =>
    index < namesSize ? bytes.text(names + index, Math.min(LIMITS.elfName, namesSize - index)) : undefined
  const needed = (tags.get(DT.NEEDED) ?? []).map(name)
  const [soname, rpath, runpath] = [DT.SONAME, DT.RPATH, DT.RUNPATH].map((tag) => {
    const index = last(tag)
    return index === undefined ? undefined : { text: name(index) }
  })
  if ([soname, rpath, runpath].some((found) => found !== undefined && found.text === undefined)) {
    return Result.fail(malformed("a name lies outside of its string table"))
  }
  if (!needed.every((library) => library !== undefined)) {
    return Result.fail(malformed("the name of a needed library lies outside of its string table"))
  }
  const flags = last(DT.FLAGS) ?? 0
  const needs = table(DT.VERNEED)
  return Result.succeed({
    needed,
    soname: soname?.text,
    rpath: rpath?.text,
    runpath: runpath?.text,
    bindNow: tags.has(DT.BIND_NOW) || (flags & DF_BIND_NOW) !== 0 || ((last(DT.FLAGS_1) ?? 0) & DF_1_NOW) !== 0,
    textRelocations: tags.has(DT.TEXTREL) || (flags & DF_TEXTREL) !== 0,
    tables: {
      symbols: table(DT.SYMTAB),
      hash: table(DT.HASH),
      gnuHash: table(DT.GNU_HASH),
      versionOfSymbol: table(DT.VERSYM),
      versionNeeds: needs === undefined ? undefined : { offset: needs, count: last(DT.VERNEEDNUM) ?? 0 }
    },
    name
  })
}
