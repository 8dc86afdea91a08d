/**
 * What a released ELF file must be. Packing runs this on the final bytes: whatever edited a file before, what is shipped is what is
 * judged (Spec: distribution §2).
 */
import { canonicalJson } from "@effx/ir"
import { PATHS } from "../file-class.ts"
import type { Problem } from "../problem.ts"
import type { ElfFacts, ElfRecord } from "./facts.ts"
import { compareVersions, glibcVersionOf } from "./glibc-version.ts"
import { REVIEWED_ENGINE, REVIEWED_RUNTIME } from "./reviewed.ts"

/** No file may need a newer glibc. */
export const HIGHEST_GLIBC_FLOOR = "2.17"

interface Rule {
  /** The only libraries that may be needed. */
  readonly needed: ReadonlyArray<string>
  /** Facts that must be exactly these, for what effx ships and does not build. */
  readonly reviewed?: ElfRecord
  /** Facts that an own library must have. */
  readonly own?: Partial<ElfRecord>
}

/** The ELF files of a release; no other file of it may be one. */
const RULES: Readonly<Record<string, Rule>> = {
  [PATHS.runtime]: { needed: REVIEWED_RUNTIME.needed, reviewed: REVIEWED_RUNTIME },
  [PATHS.engine]: { needed: [], reviewed: REVIEWED_ENGINE },
  [PATHS.shim]: { needed: ["libc.so.6"], own: { type: "DYN", relro: true, bindNow: true } }
}

/** Facts that hold of every file, with what is expected in words. */
const EVERYWHERE: ReadonlyArray<readonly [keyof ElfRecord, ElfRecord[keyof ElfRecord] | undefined, string, string]> = [
  ["machine", "x86-64", "the machine x86-64", "the machine"],
  ["rpath", undefined, "no RPATH", "RPATH"],
  ["runpath", undefined, "no RUNPATH", "RUNPATH"],
  ["executableStack", false, "no executable stack", "one"],
  ["textRelocations", false, "no text relocations", "some"],
  ["writableCode", false, "no segment that is writable and executable", "one"]
]

/**
 * What is wrong with an ELF file of a release.
 *
 * @param path relative to the top folder; it decides which rule holds
 */
export const elfProblems = (path: string, { record, symbols }: ElfFacts): ReadonlyArray<Problem> => {
  const rule = RULES[path]
  if (rule === undefined) return [{ path, expected: "no ELF file in this place", found: `one for ${record.machine}` }]
  const problems: Array<Problem> = []
  for (const [fact, value, expected, found] of EVERYWHERE) {
    const actual = record[fact]
    if (actual !== value) problems.push({ path, expected, found: actual === true ? found : `${found} ${actual}` })
  }
  for (const library of record.needed.filter((library) => !rule.needed.includes(library))) {
    problems.push({ path, expected: allowed(rule.needed), found: `NEEDED ${library}` })
  }
  for (const { library, version } of record.versions) {
    const problem = versionProblem(version)
    if (problem === undefined) continue
    const users = symbols.filter((symbol) => symbol.library === library && symbol.version === version)
    const names = users.length === 0 ? "" : ` for ${users.map(({ symbol }) => symbol).join(", ")}`
    problems.push({ path, expected: problem, found: `${version} of ${library}${names}` })
  }
  for (const [fact, value] of Object.entries({ ...rule.own, ...rule.reviewed })) {
    const actual = record[fact as keyof ElfRecord]
    if (actual !== undefined && canonicalJson(actual) === canonicalJson(value)) continue
    problems.push({ path, expected: `${fact} ${canonicalJson(value)}`, found: shown(actual) })
  }
  const { reviewed } = rule
  const unreviewed = reviewed === undefined ? [] : Object.keys(record).filter((fact) => !(fact in reviewed))
  for (const fact of unreviewed) {
    problems.push({ path, expected: `no ${fact}`, found: shown(record[fact as keyof ElfRecord]) })
  }
  return problems
}

const allowed = (libraries: ReadonlyArray<string>): string =>
  libraries.length === 0 ? "no needed library" : `only ${libraries.join(", ")}`

const shown = (fact: unknown): string => (fact === undefined ? "none" : canonicalJson(fact))

const versionProblem = (version: string): string | undefined => {
  const number = glibcVersionOf(version)
  if (number === undefined) return "public versions of glibc only"
  return compareVersions(number, HIGHEST_GLIBC_FLOOR) > 0 ? `GLIBC_${HIGHEST_GLIBC_FLOOR} or older` : undefined
}
