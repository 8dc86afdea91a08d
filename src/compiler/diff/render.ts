/** A diff as text for people and as JSON for programs. Colours are the caller's; this module only says where they go. */
import { canonicalJson } from "@effx/ir"
import type { Change } from "./change.ts"

/** How the pretty rendering marks its parts; the identity gives plain text. */
export interface DiffStyle {
  readonly breaking: (text: string) => string
  readonly compatible: (text: string) => string
  readonly subject: (text: string) => string
  readonly faint: (text: string) => string
}

const counts = (changes: ReadonlyArray<Change>): { readonly breaking: number; readonly compatible: number } => {
  const breaking = changes.filter((change) => change.breaking).length
  return { breaking, compatible: changes.length - breaking }
}

const summary = (changes: ReadonlyArray<Change>): string => {
  if (changes.length === 0) return "no change of the public surface"
  const { breaking, compatible } = counts(changes)
  return `${breaking} breaking, ${compatible} not breaking`
}

const words = (kind: Change["kind"]): string => kind.replaceAll("-", " ")

/** One line for each change and a last line with the counts. */
export const renderDiffPlain = (changes: ReadonlyArray<Change>): string =>
  [
    ...changes.map(
      ({ breaking, detail, kind, reason, subject }) =>
        `${breaking ? "breaking" : "not breaking"}  ${subject}  ${words(kind)}: ${detail} (${reason})`
    ),
    summary(changes)
  ]
    .map((line) => `${line}\n`)
    .join("")

/** Grouped by operation, for a terminal. */
export const renderDiffPretty = (changes: ReadonlyArray<Change>, style: DiffStyle): string => {
  const groups = Map.groupBy(changes, ({ subject }) => subject)
  const blocks = Array.from(groups, ([subject, own]) => [
    style.subject(subject),
    ...own.flatMap(({ breaking, detail, kind, reason }) => [
      `  ${breaking ? style.breaking("✗") : style.compatible("✓")} ${words(kind)}  ${detail}`,
      `    ${style.faint(reason)}`
    ]),
    ""
  ])
  const total = summary(changes)
  const last = changes.length > 0 && counts(changes).breaking > 0 ? style.breaking(total) : style.compatible(total)
  return [...blocks.flat(), last].map((line) => `${line}\n`).join("")
}

/** NDJSON: a record for each change, then one with the counts. */
export const renderDiffJson = (changes: ReadonlyArray<Change>): string =>
  [
    ...changes.map(({ kind, ...change }) => ({ schema: "effx.diff.v1", kind: "change", change: kind, ...change })),
    { schema: "effx.diff.v1", kind: "summary", ...counts(changes) }
  ]
    .map((record) => `${canonicalJson(record)}\n`)
    .join("")
