/** Names that a reader may have meant. */

const MOST = 3

/** The number of single-character edits between two texts, a swap of neighbours counting as one. */
const distance = (a: string, b: string): number => {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min(
        (rows[i - 1]?.[j - 1] ?? 0) + (same ? 0 : 1),
        (rows[i - 1]?.[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (rows[i - 2]?.[j - 2] ?? 0) + 1)
      }
      row.push(best)
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

/**
 * At most three of `names`, the nearest first: those that differ by a quarter of their letters or less, whatever the case, and
 * those of which `wanted` is a part between dots.
 */
export const nearNames = (wanted: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const text = wanted.toLowerCase()
  if (text === "" || text.length > 200) return []
  return names
    .flatMap((name) => {
      const lower = name.toLowerCase()
      const score = lower.split(".").includes(text) ? 1 : distance(text, lower)
      return score <= Math.max(1, Math.floor(lower.length / 4)) ? [{ name, score }] : []
    })
    .sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ name }) => name)
}

/** `; did you mean A or B?`, or nothing. */
export const didYouMean = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "" : `; did you mean ${names.join(" or ")}?`
