import { Schema } from "effect"
import { UserId } from "./primitives.ts"

/** A town with its code. */
export class City extends Schema.Class<City>("City")({
  name: Schema.NonEmptyString,
  code: Schema.String.check(Schema.isPattern(/^[0-9]{5}$/))
}) {}

class Hidden extends Schema.Class<Hidden>("Hidden")({ value: Schema.Finite }) {}

export class User extends Schema.Class<User>("User")(
  {
    id: UserId,
    city: City,
    others: Schema.Array(City),
    hidden: Hidden,
    /** When they came. */
    since: Schema.Date,
    home: Schema.optionalKey(City)
  },
  { description: "Somebody." }
) {
  static readonly Public = Schema.Struct({ id: UserId, city: City })
  static readonly from = (id: string) => id
}

export class Admin extends User.extend<Admin>("Admin")({ level: Schema.Int }) {}

export class Event extends Schema.TaggedClass<Event>()("Event", { at: Schema.DateTimeUtc }) {}

/** There is no such user. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { id: UserId }, { httpApiStatus: 404 }) {}

export class Conflict extends Schema.TaggedError<Conflict>("app/Conflict")("Conflict", { reason: Schema.String }) {}

export class Broken extends Schema.Error<Broken>("Broken")({ why: Schema.String }, { httpApiStatus: 503 }) {}

export class Opaque extends Schema.Opaque<Opaque>()(Schema.Struct({ a: Schema.String, city: City })) {}

export const Users = Schema.Array(User)
export const Annotated = Schema.Struct({ user: User.annotate({ title: "The user" }), admin: Schema.NullOr(Admin) })
export const Teapot = Schema.Struct({ spout: Schema.Boolean }).annotate({
  identifier: "Teapot",
  httpApiStatus: 418,
  description: "Short and stout."
})

export namespace Billing {
  export class Invoice extends Schema.Class<Invoice>("Billing/Invoice")({ total: Schema.Finite, of: User }) {}
  export const Invoices = Schema.Array(Invoice)
}
