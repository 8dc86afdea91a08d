/**
 * What the compiler of the user's project refuses and accepts. The assertions are types: this file fails to typecheck
 * when one of them is wrong; the test below only keeps the file in the run.
 */
import { Capability, Http, Model, Operation, PersistentModel, Query, Rpc } from "@effx/runtime"
import { Context, Effect, Schema } from "effect"
import { describe, expect, it } from "vitest"

const Input = Schema.Struct({ id: Schema.String })
class User extends Schema.Class<User>("User")({ id: Schema.String }) {}
class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}) {}
class Users extends Context.Service<Users, { readonly first: User }>()("test/Users") {}

const user = new User({ id: "1" })
const query = Operation.query({ input: Input, success: User })

const accepted = [
  query.handler((input) => Effect.succeed(new User({ id: input.id }))),
  query.handler(() => Effect.fail(new NotFound())),
  query.handler(() => Users.useSync((users) => users.first)),
  query.handler((input) => (input.id === "" ? Effect.fail(new NotFound()) : Effect.succeed(user))),
  Operation.command({ success: Schema.Void }).handler(() => Effect.void)
]

const refused = () => [
  // @ts-expect-error the input has no such field
  query.handler((input) => Effect.succeed(new User({ id: input.name }))),
  // @ts-expect-error the handler wants another input
  query.handler((input: { readonly name: string }) => Effect.succeed(new User({ id: input.name }))),
  // @ts-expect-error the handler succeeds with something else
  query.handler(() => Effect.succeed(1)),
  // @ts-expect-error a promise is no Effect
  query.handler(() => Promise.resolve(user)),
  // @ts-expect-error an operation has a success
  Operation.query({ input: Input }),
  // @ts-expect-error a type is no schema
  query.errors({ NotFound: true }),
  // @ts-expect-error a schema is no service
  query.requirements(User),
  // @ts-expect-error a capability is made with Capability.make
  query.authorize("users.read"),
  // @ts-expect-error a capability has a resource
  Capability.make("users.read", {}),
  // @ts-expect-error protected access names a middleware
  query.http.access({ exposure: "protected" }),
  // @ts-expect-error protected access names at least one middleware
  query.http.access({ exposure: "protected", middleware: [] }),
  // @ts-expect-error public access has no middleware
  query.http.access({ exposure: "public", middleware: [Users] }),
  // @ts-expect-error the map names a code that is not listed
  query.http.problems({ registry: () => [], codes: ["gone"], map: { NotFound: "not-found" } }),
  // @ts-expect-error a model has a table
  Model.persistent(User, {}),
  // @ts-expect-error a path is a string
  Http.Get(1),
  // @ts-expect-error an RPC has a name
  Rpc()
]

/** A decorator's own check, as its application under the standard convention sees it. */
const decorate = Query({ input: Input, success: User })
const context = {} as ClassMethodDecoratorContext
const methods = () => [
  decorate((input) => Effect.succeed(new User({ id: input.id })), context),
  // @ts-expect-error the handler succeeds with something else
  decorate(() => Effect.succeed(1), context),
  // @ts-expect-error the handler wants another input
  decorate((input: { readonly name: string }) => Effect.succeed(new User({ id: input.name })), context),
  PersistentModel({ table: "users" })(User)
]

describe("types", () => {
  it("are asserted by the compiler", () => {
    expect(accepted.length).toBe(5)
    expect([refused, methods].every((assertion) => typeof assertion === "function")).toBe(true)
  })
})
