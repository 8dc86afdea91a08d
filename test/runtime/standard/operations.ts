/** Every annotation with decorators; the project's tsconfig selects the standard calling convention. */
import {
  Annotate,
  Authorize,
  Cli,
  Command,
  Errors,
  Http,
  PersistentModel,
  Query,
  Requirements,
  Rpc
} from "@effx/runtime"
import { Effect, Schema } from "effect"
import { GetUser, Gone, Marker, PublicUser, problems, ReadUsers, User, UserNotFound, Users } from "../schemas.ts"

export class Operations {
  @Query({ name: "User.Get", input: GetUser, success: User })
  @Errors(UserNotFound, Gone)
  @Requirements(Users)
  @Authorize(ReadUsers)
  @Http.Get("/users/:id")
  @Http.Problems({ registry: problems, codes: ["not-found", "gone"], map: { UserNotFound: "not-found" } })
  @Http.Access({ exposure: "protected", middleware: [Marker] })
  @Rpc("User.Get", { middleware: [Marker] })
  @Rpc("User.Find")
  @Cli("users get")
  @Annotate("audit", { reason: "law" }, 7)
  static get(input: typeof GetUser.Type) {
    return Users.useSync((users) => new User({ id: input.id, email: users.email }))
  }

  @Command({ success: User })
  @Errors()
  @Requirements()
  @Http.Post("/users")
  @Http.Put("/users")
  @Http.Patch("/users")
  @Http.Delete("/users")
  static touch() {
    return Effect.succeed(new User({ id: "1", email: "a@b" }))
  }

  static plain() {
    return 1
  }
}

@PersistentModel({ table: "members", views: { public: PublicUser }, focus: ["id"] })
export class Member extends Schema.Class<Member>("Member")({ id: Schema.String }) {}
