/** What `standard/operations.ts` declares, with the builder. */
import { Model, Operation } from "@effx/runtime"
import { Effect } from "effect"
import { GetUser, Gone, Marker, PublicUser, problems, ReadUsers, User, UserNotFound, Users } from "./schemas.ts"

export const get = Operation.query({ name: "User.Get", input: GetUser, success: User })
  .errors(UserNotFound, Gone)
  .requirements(Users)
  .authorize(ReadUsers)
  .http.get("/users/:id")
  .http.problems({ registry: problems, codes: ["not-found", "gone"], map: { UserNotFound: "not-found" } })
  .http.access({ exposure: "protected", middleware: [Marker] })
  .rpc("User.Get", { middleware: [Marker] })
  .rpc("User.Find")
  .cli("users get")
  .annotate("audit", { reason: "law" }, 7)
  .handler((input) => Users.useSync((users) => new User({ id: input.id, email: users.email })))

export const touch = Operation.command({ success: User })
  .errors()
  .requirements()
  .http.post("/users")
  .http.put("/users")
  .http.patch("/users")
  .http.delete("/users")
  .handler(() => Effect.succeed(new User({ id: "1", email: "a@b" })))

/** The same model, over a class that decorators declare elsewhere. */
export const persistent = <C extends typeof User>(schema: C) =>
  Model.persistent(schema, { table: "members", views: { public: PublicUser }, focus: ["id"] })
