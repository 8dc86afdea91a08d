/** The live objects that both syntaxes name. */
import { Capability, Focus } from "@effx/runtime"
import { Context, Schema } from "effect"

export class User extends Schema.Class<User>("User")({ id: Schema.String, email: Schema.String }) {}
export const PublicUser = Schema.Struct({ id: Schema.String })
export const GetUser = Schema.Struct({ id: Schema.String })
export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", { id: Schema.String }) {}
export class Gone extends Schema.TaggedError<Gone>()("Gone", {}) {}
export class Users extends Context.Service<Users, { readonly email: string }>()("users/Users") {}
export class Marker extends Context.Service<Marker, null>()("users/Marker") {}
export const ReadUsers = Capability.make("users.read", { resource: User, focus: Focus.key(User, "id") })
export const problems = (identifier: string, codes: ReadonlyArray<string>) =>
  codes.map((code) => Schema.Struct({ type: Schema.Literal(`${identifier}/${code}`) }))
