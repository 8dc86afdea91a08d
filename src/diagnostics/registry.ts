/**
 * A registry of diagnostic entries: the set of codes that a run may emit and that `effx explain` knows.
 *
 * A registry is a value, made from explicit lists; nothing registers itself. It keeps the first of two entries with one
 * code and reports the others, because a duplicate is a finding about an extension (EFFX0010), not a crash.
 */
import type { EntryInfo } from "./define.ts"

const CORE_CODE = /^EFFX\d{4}$/
/** The npm package name grammar, scoped or not, in lower case. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/
const PACKAGE_CODE = /^EFFX\[([^\]]*)\]\/(\d{4})$/

/** Who owns a code by its form; `undefined` when it is not a code at all. `effx` owns the core codes. */
export const ownerOf = (code: string): string | undefined => {
  if (CORE_CODE.test(code)) return "effx"
  const owner = PACKAGE_CODE.exec(code)?.[1]
  return owner !== undefined && PACKAGE_NAME.test(owner) ? owner : undefined
}

/** Two entries that claim one code, in the order in which they were given. */
export interface Duplicate {
  readonly code: string
  readonly entries: readonly [EntryInfo, EntryInfo, ...ReadonlyArray<EntryInfo>]
}

export interface Registry {
  /** The entry of a full code. */
  readonly lookup: (code: string) => EntryInfo | undefined
  /** All entries, one for each code: core codes first, then package codes, each in ascending order. */
  readonly list: ReadonlyArray<EntryInfo>
  readonly duplicates: ReadonlyArray<Duplicate>
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** `EFFX0001` before `EFFX[pkg]/0001`: a digit sorts before the bracket. */
const byCode = (a: EntryInfo, b: EntryInfo): number => compare(a.code, b.code)

/**
 * Makes a registry.
 *
 * @param entries core entries first, then those of extensions; one object given twice counts once
 */
export const makeRegistry = (entries: Iterable<EntryInfo>): Registry => {
  const groups = Map.groupBy(new Set(entries), (entry) => entry.code)
  const duplicates: Array<Duplicate> = []
  const list: Array<EntryInfo> = []
  for (const [code, [first, second, ...rest]] of groups) {
    if (first === undefined) continue
    list.push(first)
    if (second !== undefined) duplicates.push({ code, entries: [first, second, ...rest] })
  }
  const byFullCode = new Map(list.map((entry) => [entry.code, entry]))
  return { lookup: (code) => byFullCode.get(code), list: list.sort(byCode), duplicates }
}

/**
 * What is wrong with an entry as clauses for a reader; empty when it is well formed. Checks the code's form against its
 * owner and that no text is empty.
 */
export const entryProblems = (entry: EntryInfo): ReadonlyArray<string> => [
  ...(ownerOf(entry.code) === entry.owner
    ? []
    : [`its code is not ${entry.owner === "effx" ? "EFFX and four digits" : `EFFX[${entry.owner}]/ and four digits`}`]),
  ...(entry.title.trim() === "" ? ["its title is empty"] : []),
  ...(entry.explanation.trim() === "" ? ["its explanation is empty"] : []),
  ...((entry.examples as ReadonlyArray<unknown>).length === 0 ? ["it has no example"] : []),
  ...(entry.examples.some(({ after, before, title }) => [title, before, after].some((text) => text.trim() === ""))
    ? ["one of its examples is empty"]
    : []),
  ...(entry.examples.some(({ after, before }) => before === after) ? ["an example shows no difference"] : []),
  ...(entry.policy._tag === "Varies" && (entry.policy.allowed.length === 0 || entry.policy.when.trim() === "")
    ? ["its severity policy is empty"]
    : [])
]
