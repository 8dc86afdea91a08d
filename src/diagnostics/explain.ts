/**
 * What `effx explain` prints and what `docs/diagnostics.md` contains: entries as Markdown, offline, from the registry
 * alone. It deliberately leaves terminals and files to its callers.
 */
import type { EntryInfo, Example } from "./define.ts"
import type { Registry } from "./registry.ts"

/** The file of an example that names none. */
export const DEFAULT_EXAMPLE_FILE = "src/operations.ts"

const severityLine = ({ policy, severity }: EntryInfo): string =>
  policy._tag === "Fixed"
    ? `Severity: **${severity}**`
    : `Severity: **${severity}**, or **${policy.allowed.join("** or **")}** when ${policy.when}`

const fence = (file: string, source: string): string => {
  const language = file.slice(file.lastIndexOf(".") + 1)
  return `\`\`\`${language}\n${source.trimEnd()}\n\`\`\``
}

const example =
  (level: number) =>
  ({ after, before, beside = {}, file = DEFAULT_EXAMPLE_FILE, title }: Example): string =>
    [
      `${"#".repeat(level)} Example: ${title}`,
      `\`${file}\` with the finding:`,
      fence(file, before),
      "and without it:",
      fence(file, after),
      ...Object.entries(beside).flatMap(([path, text]) => [`\`${path}\` beside both:`, fence(path, text)])
    ].join("\n\n")

const body = (entry: EntryInfo, level: number): string =>
  [
    severityLine(entry),
    ...(entry.owner === "effx" ? [] : [`Reported by the extension package \`${entry.owner}\``]),
    entry.explanation.trim(),
    ...entry.examples.map(example(level))
  ].join("\n\n")

/** The Markdown document of one entry, with a final newline. */
export const explain = (entry: EntryInfo): string => `# ${entry.code}: ${entry.title}\n\n${body(entry, 2)}\n`

/**
 * The anchor of a code inside the catalogue: the full code itself, so that a link needs nothing but URI encoding.
 */
export const anchorOf = (code: string): string => code

const row = ({ code, policy, severity, title }: EntryInfo): string =>
  `| [${code}](#${encodeURIComponent(anchorOf(code))}) | ${[severity, ...(policy._tag === "Varies" ? policy.allowed : [])].join(", ")} | ${title} |`

/** The whole catalogue as one Markdown document with an anchor for each full code, with a final newline. */
export const catalogue = (registry: Registry): string =>
  `${[
    "# Diagnostics",
    "Every code that effx can report. `effx explain CODE` prints the same text offline. This page is generated from the\nregistry by `tools/docs.ts`; do not edit it.",
    ["| Code | Severity | Title |", "|---|---|---|", ...registry.list.map(row)].join("\n"),
    ...registry.list.map(
      (entry) => `<a id="${anchorOf(entry.code)}"></a>\n\n## ${entry.code}: ${entry.title}\n\n${body(entry, 3)}`
    )
  ].join("\n\n")}\n`

/** The Levenshtein distance. */
const distance = (a: string, b: string): number => {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(substituted, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}

const MAX_SUGGESTIONS = 3
const MAX_DISTANCE = 2
/** Longer texts cannot be within `MAX_DISTANCE` of a code and are not compared. */
const MAX_LENGTH = 240

/**
 * The codes that a reader may have meant, the nearest first; at most three. Case, spaces and hyphens do not count, and a
 * bare number stands for the codes that end with it.
 */
export const nearCodes = (registry: Registry, text: string): ReadonlyArray<string> => {
  const wanted = text.toUpperCase().replace(/[\s_-]/g, "")
  if (wanted === "" || wanted.length > MAX_LENGTH) return []
  const scored = registry.list.flatMap(({ code }) => {
    const plain = code.toUpperCase().replace(/[\s_-]/g, "")
    const score = /^\d{4}$/.test(wanted) && plain.endsWith(wanted) ? 0 : distance(wanted, plain)
    return score <= MAX_DISTANCE ? [{ code, score }] : []
  })
  return scored
    .sort((a, b) => a.score - b.score)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ code }) => code)
}
