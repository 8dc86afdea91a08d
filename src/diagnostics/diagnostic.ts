/**
 * A finding as data. Values of this type come only from an entry's `make` (define.ts), so a code that is not registered
 * cannot be emitted.
 */
import { Schema } from "effect"
import { Location, Span } from "./site.ts"

export const SEVERITIES = ["error", "warning", "info"] as const
export const Severity = Schema.Literals(SEVERITIES)
export type Severity = typeof Severity.Type

/** Another place that belongs to a finding, for instance the other one of two duplicates. */
export const Related = Schema.Struct({
  message: Schema.String,
  location: Schema.optionalKey(Location),
  span: Schema.optionalKey(Span)
})
export type Related = typeof Related.Type

/** A labelled line below a finding: `inferred`, `declared`, `fix`, … It repeats nothing that the message says. */
export const Note = Schema.Struct({ label: Schema.String, text: Schema.String })
export type Note = typeof Note.Type

export const DiagnosticData = Schema.Struct({
  /** `EFFX` and four digits, or `EFFX[<npm package>]/<4 digits>`. */
  code: Schema.String,
  severity: Severity,
  /** One plain sentence; the same bytes in every projection. */
  message: Schema.String,
  location: Schema.optionalKey(Location),
  span: Schema.optionalKey(Span),
  related: Schema.Array(Related),
  notes: Schema.Array(Note)
})

declare const registered: unique symbol

/** A diagnostic of a registered code. */
export type Diagnostic = typeof DiagnosticData.Type & { readonly [registered]: true }
