/** Where a finding is: the point that people read and the span of the node that it names. */
import { Schema } from "effect"

/** A point in source: one-based line and column; the column counts UTF-16 units. `file` is relative to the project. */
export const Location = Schema.Struct({ file: Schema.String, line: Schema.Int, col: Schema.Int })
export type Location = typeof Location.Type

/** UTF-8 byte offsets into the file as it is on disk; `end` is exclusive. */
export const Span = Schema.Struct({ start: Schema.Int, end: Schema.Int })
export type Span = typeof Span.Type

/** A node of source: its first character and its whole extent. */
export const Site = Schema.Struct({ location: Location, span: Span })
export type Site = typeof Site.Type
