import { defineDiagnostic } from "../define.ts"

const source = (decorator: string) => `import { Authorize, Capability, PersistentModel, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

${decorator}export class User extends Schema.Class<User>("User")({ id: Schema.String }) {}

export const ReadUsers = Capability.make("users.read", { resource: User })
export const Names = Schema.Array(Schema.String)

export class UserOperations {
  @Query({ name: "User.Names", success: Names })
  @Authorize(ReadUsers)
  static names() {
    return Effect.succeed([])
  }
}
`

export const EFFX1002 = defineDiagnostic<{
  /** The thing that refers, with its kind: `the capability users.read`. */
  readonly owner: string
  /** The thing that does not exist, with its kind: `the model User`. */
  readonly missing: string
}>({
  code: "EFFX1002",
  title: "Reference to something that does not exist",
  severity: "error",
  explanation: `A declaration refers to a model, service, schema or operation that no selected file declares. A capability over a class
that is no model is the usual case; an extension that contributes an edge without its node is another.

Generated code and authority checks would refer to nothing.

Declare what is missing, include its file in the project, or refer to something else.`,
  examples: [
    {
      title: "A capability over a class that is no model",
      before: source(""),
      after: source('@PersistentModel({ table: "users" })\n')
    }
  ],
  message: ({ missing, owner }) =>
    `${owner[0]?.toUpperCase()}${owner.slice(1)} refers to ${missing}, which is not declared`,
  fix: ({ missing }) => `declare ${missing}, or refer to one that is declared`
})
