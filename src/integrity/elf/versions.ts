/** Which versions of which libraries are needed, and by which imported symbols. */
import { compareStrings, sortedBy } from "@effx/ir"
import { Result } from "effect"
import { LIMITS } from "../limits.ts"
import type { Bytes } from "./bytes.ts"
import type { Dynamic } from "./dynamic.ts"
import { type ElfError, malformed } from "./elf-error.ts"
import type { VersionedSymbol, VersionNeed } from "./facts.ts"

export interface Versions {
  /** Sorted by library and version. */
  readonly needs: ReadonlyArray<VersionNeed>
  /** Sorted by name. */
  readonly symbols: ReadonlyArray<VersionedSymbol>
}

/** Reads the version needs and the symbols that make them. */
export const readVersions = (bytes: Bytes, dynamic: Dynamic): Result.Result<Versions, ElfError> => {
  const byIndex = needsByIndex(bytes, dynamic)
  if (Result.isFailure(byIndex)) return Result.fail(byIndex.failure)
  const needs = [...byIndex.success.values()].sort(
    (a, b) => compareStrings(a.library, b.library) || compareStrings(a.version, b.version)
  )
  return Result.map(symbolsOf(bytes, dynamic, byIndex.success), (symbols) => ({ needs, symbols }))
}

/** The needs by the number that a symbol's version refers to. */
const needsByIndex = (bytes: Bytes, { name, tables }: Dynamic): Result.Result<Map<number, VersionNeed>, ElfError> => {
  const found = new Map<number, VersionNeed>()
  if (tables.versionNeeds === undefined) return Result.succeed(found)
  const outside = Result.fail(malformed("its version needs lead out of the file"))
  let entries = 0
  let at = tables.versionNeeds.offset
  for (let library = 0; library < tables.versionNeeds.count; library++) {
    const [count, file, first, next] = [bytes.u16(at + 2), bytes.u32(at + 4), bytes.u32(at + 8), bytes.u32(at + 12)]
    if (count === undefined || file === undefined || first === undefined || next === undefined) return outside
    const of = name(file)
    if (of === undefined) return outside
    let entry = at + first
    for (let version = 0; version < count; version++) {
      if (++entries > LIMITS.elfVersions) return Result.fail(malformed("it needs too many versions"))
      const [index, text, step] = [bytes.u16(entry + 6), bytes.u32(entry + 8), bytes.u32(entry + 12)]
      if (index === undefined || text === undefined || step === undefined) return outside
      const label = name(text)
      if (label === undefined) return outside
      found.set(index & VERSION_INDEX, { library: of, version: label })
      if (step === 0) break
      entry += step
    }
    if (next === 0) break
    if (++entries > LIMITS.elfVersions) return Result.fail(malformed("it needs too many versions"))
    at += next
  }
  return Result.succeed(found)
}

/** The top bit only hides a version from the linker. */
const VERSION_INDEX = 0x7fff
const SYMBOL_BYTES = 24

const symbolsOf = (
  bytes: Bytes,
  dynamic: Dynamic,
  needs: ReadonlyMap<number, VersionNeed>
): Result.Result<ReadonlyArray<VersionedSymbol>, ElfError> => {
  const { symbols, versionOfSymbol } = dynamic.tables
  if (symbols === undefined || versionOfSymbol === undefined || needs.size === 0) return Result.succeed([])
  const count = symbolCount(bytes, dynamic)
  if (count === undefined) return Result.fail(malformed("its symbol table has no length"))
  if (count > LIMITS.elfSymbols) return Result.fail(malformed("it has too many symbols"))
  const outside = Result.fail(malformed("its symbols lead out of the file"))
  const found: Array<VersionedSymbol> = []
  for (let index = 0; index < count; index++) {
    const version = bytes.u16(versionOfSymbol + index * 2)
    const nameAt = bytes.u32(symbols + index * SYMBOL_BYTES)
    if (version === undefined || nameAt === undefined) return outside
    const need = needs.get(version & VERSION_INDEX)
    if (need === undefined) continue
    const symbol = dynamic.name(nameAt)
    if (symbol === undefined) return outside
    found.push({ symbol, ...need })
  }
  return Result.succeed(sortedBy(found, ({ symbol }) => symbol))
}

/** How many symbols there are: the table does not say so itself, its hash tables do. */
const symbolCount = (bytes: Bytes, { tables }: Dynamic): number | undefined => {
  if (tables.hash !== undefined) return bytes.u32(tables.hash + 4)
  if (tables.gnuHash === undefined) return undefined
  const at = tables.gnuHash
  const [buckets, first, words] = [bytes.u32(at), bytes.u32(at + 4), bytes.u32(at + 8)]
  if (buckets === undefined || first === undefined || words === undefined || buckets > LIMITS.elfSymbols) {
    return undefined
  }
  const bucketsAt = at + 16 + words * 8
  const chainsAt = bucketsAt + buckets * 4
  let last = 0
  for (let bucket = 0; bucket < buckets; bucket++) {
    const start = bytes.u32(bucketsAt + bucket * 4)
    if (start === undefined) return undefined
    last = Math.max(last, start)
  }
  if (last < first) return first
  for (let index = last; index <= LIMITS.elfSymbols; index++) {
    const chain = bytes.u32(chainsAt + (index - first) * 4)
    if (chain === undefined) return undefined
    if ((chain & 1) === 1) return index + 1
  }
  return undefined
}
