/** Law "collection" (Spec 0002, "Laws / tests"): the users fixture gives exactly these declarations, and no finding. */
import { fileURLToPath } from "node:url"
import { expect, it } from "@effect/vitest"
import type { AnnotationArg, Channel } from "@effx/compiler"
import { SourceFrontend } from "@effx/frontend-ts"
import { Effect } from "effect"

const ROOT = fileURLToPath(new URL("../../fixtures/users", import.meta.url))

const shown = (arg: AnnotationArg): unknown => {
  if (typeof arg !== "object" || arg === null) return arg
  if (Array.isArray(arg)) return arg.map(shown)
  if ("_tag" in arg && typeof arg._tag === "string") {
    const { ref } = arg as { readonly ref: { readonly module: string; readonly export: string } }
    return `${ref.module}#${ref.export}`
  }
  return Object.fromEntries(Object.entries(arg as object).map(([key, value]) => [key, shown(value)]))
}
const members = (channel: Channel): ReadonlyArray<string> | string =>
  channel._tag === "Unknowable" ? channel.reason : channel.members.map(({ display }) => display)

const USER = "../../src/user"
const USERS = "../../src/users#Users"
const PUBLIC = ["Http.Access", { exposure: "public" }]

it.live("fixtures/users", () =>
  Effect.gen(function* () {
    const frontend = yield* SourceFrontend
    const project = yield* frontend.open({ tsconfigPath: `${ROOT}/tsconfig.json` })
    expect(project.facts.diagnostics).toEqual([])
    const collected = yield* project.collect({ outDir: `${ROOT}/.effx/generated` })
    expect(collected.diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
    expect(
      collected.declarations
        .filter(({ file }) => file === "src/operations.ts")
        .map((each) => ({
          id: each.id,
          annotations: each.annotations.map(({ args, name }) => [name, ...args.map(shown)]),
          errors: each.signature && members(each.signature.errors),
          requirements: each.signature && members(each.signature.requirements),
          summary: each.docs?.summary
        }))
    ).toEqual([
      {
        id: "UserOperations.get",
        annotations: [
          ["Query", { name: "User.Get", input: `${USER}#GetUser`, success: `${USER}#User` }],
          ["Errors", `${USER}#UserNotFound`],
          ["Requirements", USERS],
          ["Http.Get", "/users/:id"],
          PUBLIC,
          ["Rpc", "User.Get"],
          ["Cli", "users get"]
        ],
        errors: ["UserNotFound"],
        requirements: ["Users"],
        summary: "Shows one user."
      },
      {
        id: "UserOperations.list",
        annotations: [
          ["Query", { name: "User.List", input: `${USER}#ListUsers`, success: `${USER}#UserList` }],
          ["Errors"],
          ["Requirements", USERS],
          ["Http.Get", "/users"],
          PUBLIC,
          ["Cli", "users list"]
        ],
        errors: [],
        requirements: ["Users"],
        summary: "Lists users, the oldest first."
      },
      {
        id: "UserOperations.create",
        annotations: [
          ["Command", { name: "User.Create", input: `${USER}#CreateUser`, success: `${USER}#User` }],
          ["Errors", `${USER}#EmailTaken`],
          ["Requirements", USERS],
          ["Http.Post", "/users"],
          PUBLIC,
          ["Rpc", "User.Create"],
          ["Cli", "users create"]
        ],
        errors: ["EmailTaken"],
        requirements: ["Users"],
        summary: "Registers a user."
      },
      {
        id: "UserOperations.changeEmail",
        annotations: [
          ["Command", { name: "User.ChangeEmail", input: `${USER}#ChangeEmail`, success: `${USER}#User` }],
          ["Errors", `${USER}#UserNotFound`, `${USER}#EmailTaken`],
          ["Requirements", USERS],
          ["Http.Patch", "/users/:id/email"],
          PUBLIC
        ],
        errors: ["EmailTaken", "UserNotFound"],
        requirements: ["Users"],
        summary: "Gives a user another address."
      },
      {
        id: "UserOperations.remove",
        annotations: [
          ["Command", { name: "User.Remove", input: `${USER}#GetUser`, success: `${USER}#Done` }],
          ["Errors", `${USER}#UserNotFound`],
          ["Requirements", USERS],
          ["Http.Delete", "/users/:id"],
          PUBLIC,
          ["Cli", "users remove"]
        ],
        errors: ["UserNotFound"],
        requirements: ["Users"],
        summary: "Forgets a user."
      }
    ])
    expect(
      collected.declarations
        .filter(({ file, kind }) => kind === "model" && file === "src/user.ts")
        .map((each) => [each.id, each.annotations.map(({ args }) => args.map(shown))])
    ).toEqual([["User", [[{ table: "users", focus: ["id"], schema: `${USER}#User` }]]]])
    expect(collected.services["service:Users"]).toMatchObject({ key: "users/Users" })
    expect(collected.schemas["schema:src/user/UserNotFound"]).toMatchObject({ status: 404, identifier: "UserNotFound" })
  }).pipe(Effect.scoped, Effect.provide(SourceFrontend.layer))
)
