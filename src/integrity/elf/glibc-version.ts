/** Versions of glibc: their order, and the one that a set of needs implies. */
import type { VersionNeed } from "./facts.ts"

const PREFIX = "GLIBC_"

/** `2.17` of `GLIBC_2.17`; `undefined` for another library's version and for a private one. */
export const glibcVersionOf = (version: string): string | undefined => {
  const number = version.startsWith(PREFIX) ? version.slice(PREFIX.length) : ""
  return /^\d{1,4}(\.\d{1,4}){1,3}$/.test(number) ? number : undefined
}

/** Compares versions number by number: 2.4 comes before 2.17. */
export const compareVersions = (a: string, b: string): number => {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)]
  for (let part = 0; part < Math.max(left.length, right.length); part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** The highest version; `undefined` of none. */
export const highestVersion = (versions: ReadonlyArray<string>): string | undefined =>
  versions.reduce<string | undefined>(
    (highest, version) => (highest === undefined || compareVersions(version, highest) > 0 ? version : highest),
    undefined
  )

/** The glibc that needs imply. */
export const glibcFloorOf = (needs: ReadonlyArray<VersionNeed>): string | undefined =>
  highestVersion(needs.flatMap(({ version }) => glibcVersionOf(version) ?? []))
