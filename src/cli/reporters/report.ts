/**
 * What a reporter is given. Reporters are pure: they turn a report into text, and everything that they need from outside
 * (source lines, the width of the terminal, catalogue entries) comes with it.
 */
import type { Diagnostic, EntryInfo } from "@effx/diagnostics"
import type { Style } from "./style.ts"

export interface Report {
  /** In the order of the pipeline: file, position, code. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** Whether the run failed: an error, or a warning that the command line denies. */
  readonly failed: boolean
  /** `sha256:…` over all inputs and versions. */
  readonly revision: string
  /** Which cycle of a session this is, and how long it took. */
  readonly cycle?: { readonly number: number; readonly milliseconds: number }
}

export interface Surroundings {
  readonly style: Style
  /** The terminal's width in cells. */
  readonly columns: number
  /** A diagnostic's file as people of the working directory write it. */
  readonly displayPath: (file: string) => string
  /** The lines of a file as it was analysed, or undefined where its text is not to be had. */
  readonly lines: (file: string) => ReadonlyArray<string> | undefined
  readonly entry: (code: string) => EntryInfo | undefined
  /** The program's version. */
  readonly version: string
}

export type Reporter = (report: Report, surroundings: Surroundings) => string

export interface Counts {
  readonly errors: number
  readonly warnings: number
  readonly infos: number
}

export const countOf = (diagnostics: ReadonlyArray<Diagnostic>): Counts => ({
  errors: diagnostics.filter((diagnostic) => diagnostic.severity === "error").length,
  warnings: diagnostics.filter((diagnostic) => diagnostic.severity === "warning").length,
  infos: diagnostics.filter((diagnostic) => diagnostic.severity === "info").length
})

/** `E errors, W warnings, I infos`: in the last line of every human format, always in this form. */
export const summary = (counts: Counts): string =>
  `${counts.errors} errors, ${counts.warnings} warnings, ${counts.infos} infos`

/** The last line of a report; in a session it says of which cycle, so that a watching tool knows where a batch ends. */
export const lastLine = ({ cycle, diagnostics }: Report): string => {
  const counts = summary(countOf(diagnostics))
  return cycle === undefined ? counts : `cycle ${cycle.number}  ${counts}  in ${Math.round(cycle.milliseconds)} ms`
}

/** `file:line:col` as people of the working directory write it. */
export const placeOf = (
  location: { readonly file: string; readonly line: number; readonly col: number },
  surroundings: Surroundings
): string => `${surroundings.displayPath(location.file)}:${location.line}:${location.col}`

/** Lines of source. LF, CRLF and CR end a line and nothing else does; a BOM is not part of the first. */
export const splitLines = (text: string): ReadonlyArray<string> => text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/)
