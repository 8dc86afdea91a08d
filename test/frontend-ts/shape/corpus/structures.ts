import { Effect, pipe, Schema, SchemaTransformation, Struct } from "effect"
import * as S from "effect/Schema"
import { UserId } from "./primitives.ts"

export const Point = Schema.Struct({ x: Schema.Finite, y: Schema.Finite })

/** All kinds of keys. */
export const Keys = Schema.Struct({
  /** Always there. */
  required: Schema.String,
  optionalKey: Schema.optionalKey(Schema.String.check(Schema.isMinLength(2))),
  optional: Schema.optional(Schema.String),
  piped: Schema.String.pipe(Schema.optionalKey),
  nullable: Schema.NullOr(Schema.Finite),
  undefinable: Schema.UndefinedOr(Schema.Finite),
  nullish: Schema.NullishOr(UserId),
  nothing: Schema.Void,
  described: Schema.String.annotate({ description: "What it says." }),
  keyed: Schema.String.pipe(Schema.annotateKey({ description: "What the key says." })),
  mutable: Schema.mutableKey(Schema.Array(UserId)),
  defaulted: Schema.Finite.pipe(Schema.withDecodingDefaultKey(Effect.succeed(1))),
  constructed: Schema.Finite.pipe(Schema.withConstructorDefault(Effect.succeed(1))),
  "quoted-key": UserId
})

export const Page = Schema.Struct({
  UserId,
  points: Schema.Array(Point),
  first: Schema.NonEmptyArray(Point),
  unique: Schema.UniqueArray(Schema.String),
  pair: Schema.Tuple([Schema.String, Schema.optionalKey(Schema.Finite)]),
  rest: Schema.TupleWithRest(Schema.Tuple([Schema.String]), [Point]),
  byName: Schema.Record(Schema.String, Point),
  byColor: Schema.Record(Schema.Literals(["red", "green"]), Schema.Finite),
  open: Schema.StructWithRest(Schema.Struct({ a: Schema.String }), [Schema.Record(Schema.String, Schema.Unknown)])
})

export const Extended = Schema.Struct({ ...Point.fields, z: Schema.Finite })
export const Partial = Point.mapFields(Struct.map(Schema.optionalKey))
export const Picked = Keys.mapFields(Struct.pick(["required", "nullable"]))

export const Circle = Schema.TaggedStruct("Circle", { radius: Schema.Finite, center: Point })
export const Square = Schema.TaggedStruct("Square", { side: Schema.Finite })
export const Figure = Schema.Union([Circle, Square])
export const Tagged = Figure.pipe(Schema.toTaggedUnion("_tag"))
export const Cases = Schema.TaggedUnion({ A: { a: Schema.String }, B: { b: Schema.Finite } })
export const Loose = Schema.Union([Schema.String, Schema.Finite, Point])

export const FromString = Schema.Struct({
  number: Schema.FiniteFromString,
  date: Schema.DateFromString,
  big: Schema.BigIntFromString,
  utc: Schema.DateTimeUtcFromString,
  millis: Schema.DateTimeUtcFromMillis,
  option: Schema.OptionFromNullOr(UserId),
  key: Schema.OptionFromOptionalKey(Schema.Finite),
  json: Schema.fromJsonString(Point),
  ensured: Schema.ArrayEnsure(Schema.String)
})

export const Trim = Schema.String.check(Schema.isMinLength(1)).pipe(
  Schema.decodeTo(Schema.String.check(Schema.isMinLength(4)), SchemaTransformation.trim())
)
export const Checked = Schema.FiniteFromString.check(Schema.isGreaterThan(0))
export const Renamed = Point.pipe(Schema.encodeKeys({ x: "abscissa" }))
export const DecodedSide = Schema.toType(Schema.Struct({ n: Schema.FiniteFromString, d: Schema.Date }))
export const EncodedSide = Schema.toEncoded(Schema.Struct({ n: Schema.FiniteFromString }))
export const Flipped = Schema.flip(Schema.FiniteFromString)
export const Piped = pipe(Schema.String, S.check(S.isMaxLength(3)), S.brand("Piped"))
export const Namespaced = S.Struct({ id: S.NonEmptyString, tags: S.Array(S.String) })
export const Reexported = Point
export const Narrowed = Schema.Struct({ id: UserId.check(Schema.isMaxLength(12)), again: UserId })
