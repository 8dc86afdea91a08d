/** Words findings as the author of each declaration writes: those inside a chain name the steps of the chain. */
import { type Diagnostic, inBuilderWords, type Site } from "@effx/diagnostics"
import type { Collected, Declaration } from "../collected.ts"

/** Whether a declaration is a chain. `Model.persistent` is all of its chain and follows the name; decorators come before it. */
const isChain = ({ annotations, kind, site }: Declaration): boolean => {
  const [first, ...others] = annotations
  return (
    kind === "builder" ||
    (kind === "model" && others.length === 0 && first !== undefined && first.site.span.start > site.span.start)
  )
}

interface Range {
  readonly start: number
  readonly end: number
}

const rangeOf = ({ annotations, site }: Declaration): Range => {
  const sites: ReadonlyArray<Site> = [site, ...annotations.map((annotation) => annotation.site)]
  return {
    start: Math.min(...sites.map(({ span }) => span.start)),
    end: Math.max(...sites.map(({ span }) => span.end))
  }
}

export const inAuthorsWords = (
  { declarations }: Pick<Collected, "declarations">,
  diagnostics: ReadonlyArray<Diagnostic>
): ReadonlyArray<Diagnostic> => {
  if (diagnostics.length === 0) return diagnostics
  const chains = Map.groupBy(declarations.filter(isChain), ({ file }) => file)
  const ranges = new Map(Array.from(chains, ([file, inFile]) => [file, inFile.map(rangeOf)]))
  return diagnostics.map((diagnostic) => {
    const { location, span } = diagnostic
    const within =
      location !== undefined &&
      span !== undefined &&
      ranges.get(location.file)?.some(({ end, start }) => start <= span.start && span.end <= end)
    return within === true ? inBuilderWords(diagnostic) : diagnostic
  })
}
