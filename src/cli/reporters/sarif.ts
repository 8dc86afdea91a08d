/** SARIF 2.1.0 (OASIS): one run whose rules are the catalogue's entries of the codes that were found. */
import type { Diagnostic, EntryInfo, Location, Span } from "@effx/diagnostics"
import type { Reporter, Surroundings } from "./report.ts"

const LEVELS = { error: "error", warning: "warning", info: "note" } as const

/** A path as a relative URI reference (RFC 3986): each segment encoded, the separators kept. */
const uri = (path: string): string => path.split("/").map(encodeURIComponent).join("/")

const place = (location: Location, span: Span | undefined, surroundings: Surroundings) => ({
  physicalLocation: {
    artifactLocation: { uri: uri(surroundings.displayPath(location.file)) },
    region: {
      startLine: location.line,
      startColumn: location.col,
      ...(span && { byteOffset: span.start, byteLength: span.end - span.start })
    }
  }
})

const rule = (code: string, entry: EntryInfo | undefined) => ({
  id: code,
  ...(entry && {
    shortDescription: { text: entry.title },
    fullDescription: { text: entry.explanation },
    help: { text: entry.explanation, markdown: entry.explanation },
    defaultConfiguration: { level: LEVELS[entry.severity] }
  })
})

const result = (diagnostic: Diagnostic, codes: ReadonlyArray<string>, surroundings: Surroundings) => ({
  ruleId: diagnostic.code,
  ruleIndex: codes.indexOf(diagnostic.code),
  level: LEVELS[diagnostic.severity],
  message: { text: diagnostic.message },
  ...(diagnostic.location && { locations: [place(diagnostic.location, diagnostic.span, surroundings)] }),
  relatedLocations: diagnostic.related.flatMap((related, index) =>
    related.location === undefined
      ? []
      : [{ id: index, ...place(related.location, related.span, surroundings), message: { text: related.message } }]
  ),
  properties: { notes: diagnostic.notes }
})

export const sarif: Reporter = (report, surroundings) => {
  const codes = Array.from(new Set(report.diagnostics.map((diagnostic) => diagnostic.code))).sort()
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "effx",
            semanticVersion: surroundings.version,
            rules: codes.map((code) => rule(code, surroundings.entry(code)))
          }
        },
        columnKind: "utf16CodeUnits",
        results: report.diagnostics.map((diagnostic) => result(diagnostic, codes, surroundings)),
        properties: { revision: report.revision }
      }
    ]
  }
  return `${JSON.stringify(log, undefined, 2)}\n`
}
