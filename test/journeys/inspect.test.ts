import { expect, it } from "@effect/vitest"
import { run } from "./effx.ts"

const users = ["--project", "fixtures/users"]

it("shows an operation", async () => {
  expect(await run(["inspect", "User.ChangeEmail", ...users])).toEqual({
    code: 0,
    signal: null,
    stderr: "",
    stdout: `User.ChangeEmail   Command
  Gives a user another address.

  input     ChangeEmail
  success   User
  errors    EmailTaken (409), UserNotFound (404)   (declared)
  requires  Users   (declared)
  HTTP      PATCH /users/:id/email   public
  handler   UserOperations.changeEmail   fixtures/users/src/operations.ts:58:10
`
  })
})

it("says that @Authorize is declared and not enforced", async () => {
  const { code, stdout } = await run(["inspect", "Book.Borrow", "--project", "fixtures/persistence"])
  expect({ code, authority: /^ {2}authority +(.*)$/m.exec(stdout)?.[1] }).toEqual({
    code: 0,
    authority: expect.stringMatching(/^\S+ {3}\(declared by @Authorize; effx generates no check for it\)$/)
  })
})

it("suggests names for one that does not exist", async () => {
  expect(await run(["inspect", "user.get", ...users])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "effx: there is no operation user.get; did you mean User.Get?\n"
  })
})

it("gives programs one object", async () => {
  const { code, stdout } = await run(["inspect", "User.Get", "--format", "json", ...users])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    schema: "effx.inspect.v1",
    name: "User.Get",
    errors: { values: ["UserNotFound (404)"], inferred: false },
    file: "src/operations.ts"
  })
})
