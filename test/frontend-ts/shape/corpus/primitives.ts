import { Schema } from "effect"

const LIMIT = 5

export const Text = Schema.String
export const NonEmpty = Schema.NonEmptyString
export const Anything = Schema.Unknown
export const Nothing = Schema.Void
export const Impossible = Schema.Never
export const Flag = Schema.Boolean
export const AnyNumber = Schema.Number
export const FiniteNumber = Schema.Finite
export const Whole = Schema.Int
export const Positive = Schema.Finite.check(Schema.isGreaterThan(0))
export const PositiveNumber = Schema.Number.check(Schema.isGreaterThan(0))
export const WholeNumber = Schema.Number.check(Schema.isInt())
export const Percent = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0), Schema.isLessThanOrEqualTo(100))
export const Rating = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: LIMIT }))
export const HalfOpen = Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 5, exclusiveMaximum: true }))
export const Short = Schema.String.check(Schema.isMaxLength(8))
export const Required = Schema.String.check(Schema.isMinLength(1)).check(Schema.isMaxLength(LIMIT))
export const Lower = Schema.String.check(Schema.isLowercased())
export const Uuid = Schema.String.check(Schema.isUUID(4))
export const Trimmed = Schema.Trimmed
/** Who somebody is. */
export const UserId = Schema.String.check(Schema.isMinLength(1)).pipe(Schema.brand("UserId"))
export const Color = Schema.Literals(["red", "green", "blue"])
export const One = Schema.Literal("one")
export const Mixed = Schema.Literals(["a", 1, true])
export const Big = Schema.BigInt
export const Instant = Schema.DateTimeUtc
export const Day = Schema.Date
export const Zoned = Schema.DateTimeZoned
export const Elapsed = Schema.Duration
export const Bytes = Schema.Uint8Array
export const Address = Schema.URL
export const Fields = Schema.Json
export const Secret = Schema.Redacted(Schema.String)
export const Maybe = Schema.Option(Schema.Finite)
export const Outcome = Schema.Result(Schema.String, Schema.Finite)
export const Ending = Schema.Exit(Schema.String, Schema.Finite, Schema.Unknown)
export const Directory = Schema.ReadonlyMap(Schema.String, Schema.Finite)
export const Tags = Schema.ReadonlySet(Schema.String)
export const Table = Schema.HashMap(Schema.String, Schema.Date)
export const Pieces = Schema.Chunk(Schema.Boolean)
export enum Level {
  Low,
  High = "high"
}
export const Levels = Schema.Enum(Level)
export const Greeting = Schema.TemplateLiteral(["hello-", Schema.String, "-", Schema.Finite])
export const Parsed = Schema.TemplateLiteralParser(["v", Schema.Finite])
