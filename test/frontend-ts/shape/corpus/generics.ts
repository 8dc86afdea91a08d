import { Schema } from "effect"
import { City, User } from "./classes.ts"
import { UserId } from "./primitives.ts"

const paged = <A extends Schema.Constraint>(item: A) =>
  Schema.Struct({ items: Schema.Array(item), total: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)) })

const envelope = <A extends Schema.Constraint, E extends Schema.Constraint>(data: A, error: E) =>
  Schema.Union([Schema.TaggedStruct("Ok", { data }), Schema.TaggedStruct("Failed", { error })])

export const UserPage = paged(User)
export const IdPage = paged(UserId)
export const CityAnswer = envelope(City, Schema.String)
export const Nested = paged(envelope(paged(City), Schema.Literal("none")))
/** Nothing but a codec is known of it. */
export const Hidden: Schema.Codec<{ readonly a: number; readonly b?: ReadonlyArray<string> }> = Schema.Struct({
  a: Schema.Finite,
  b: Schema.optionalKey(Schema.Array(Schema.String))
})
const made = (): Schema.Codec<{ readonly a: string; readonly b?: ReadonlyArray<boolean> | null }> =>
  Schema.Struct({ a: Schema.String, b: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Boolean))) })
export const Structural = made()
