/** The order of findings: file, position, code, message. The only sorting of diagnostics and sites. */
import type { Diagnostic, Site } from "@effx/diagnostics"
import { canonicalJson, compareStrings } from "@effx/ir"

type Place = Pick<Site, "location"> | Pick<Diagnostic, "location"> | undefined

/** By file, line and column; what has no place comes first. */
export const compareSites = (a: Place, b: Place): number => {
  const [x, y] = [a?.location, b?.location]
  if (x === undefined || y === undefined) return Number(x !== undefined) - Number(y !== undefined)
  return compareStrings(x.file, y.file) || x.line - y.line || x.col - y.col
}

/** Sorts a copy by the place of each item; items of one place keep their order. */
export const inSourceOrder = <A>(items: Iterable<A>, place: (item: A) => Place): ReadonlyArray<A> =>
  Array.from(items).sort((a, b) => compareSites(place(a), place(b)))

const encodings = new WeakMap<Diagnostic, string>()

const encodingOf = (diagnostic: Diagnostic): string => {
  const known = encodings.get(diagnostic)
  if (known !== undefined) return known
  const made = canonicalJson(diagnostic)
  encodings.set(diagnostic, made)
  return made
}

/** Sorts findings and drops exact repetitions. */
export const orderDiagnostics = (diagnostics: Iterable<Diagnostic>): ReadonlyArray<Diagnostic> => {
  const unique = new Map(Array.from(diagnostics, (diagnostic) => [encodingOf(diagnostic), diagnostic]))
  return Array.from(unique)
    .sort(
      ([x, a], [y, b]) =>
        compareSites(a, b) ||
        compareStrings(a.code, b.code) ||
        compareStrings(a.message, b.message) ||
        compareStrings(x, y)
    )
    .map(([, diagnostic]) => diagnostic)
}
