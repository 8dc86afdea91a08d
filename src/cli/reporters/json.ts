/**
 * NDJSON `effx.check.v1`: a record of kind `diagnostic` for each finding, then exactly one `verified` or `failed`.
 * docs/schemas/effx.check.v1.json describes a record. Files are relative to the project, whatever the working directory.
 */
import type { Diagnostic } from "@effx/diagnostics"
import { countOf, type Reporter } from "./report.ts"

export const CHECK_SCHEMA = "effx.check.v1"

/** A finding as the record that `check` prints; its properties are in a fixed order. */
export const diagnosticRecord = (diagnostic: Diagnostic) => ({
  schema: CHECK_SCHEMA,
  kind: "diagnostic",
  code: diagnostic.code,
  severity: diagnostic.severity,
  message: diagnostic.message,
  ...diagnostic.location,
  ...(diagnostic.span && { span: diagnostic.span }),
  related: diagnostic.related.map((related) => ({
    message: related.message,
    ...related.location,
    ...(related.span && { span: related.span })
  })),
  notes: diagnostic.notes
})

export const json: Reporter = (report) =>
  [
    ...report.diagnostics.map(diagnosticRecord),
    {
      schema: CHECK_SCHEMA,
      kind: report.failed ? "failed" : "verified",
      ...countOf(report.diagnostics),
      revision: report.revision
    }
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("")
