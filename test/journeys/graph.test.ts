import { expect, it } from "@effect/vitest"
import { run } from "./effx.ts"

const users = ["--project", "fixtures/users"]

it("prints Mermaid unless another form is asked for", async () => {
  for (const [flags, start] of [
    [[], "flowchart "],
    [["--as", "dot"], "digraph "],
    [["--as", "json"], '{"'],
    [["--as", "html"], "<!doctype html>"]
  ] as const) {
    const ended = await run(["graph", ...flags, ...users])
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    expect(ended.stdout.toLowerCase().startsWith(start)).toBe(true)
  }
})

it("narrows to a name", async () => {
  const { code, stdout } = await run(["graph", "User.Get", ...users])
  expect(code).toBe(0)
  expect(stdout).toContain('"GET /users/:id"')
  expect(stdout).not.toContain('"POST /users"')
})

it("suggests names for one that does not exist", async () => {
  expect(await run(["graph", "User.Gte", ...users])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "effx: nothing is named User.Gte; did you mean User.Get?\n"
  })
})

it("says on standard error why there is nothing to draw", async () => {
  const ended = await run(["graph", "--project", "fixtures/broken/EFFX0002/broken"])
  expect(ended).toMatchObject({ code: 1, stdout: "" })
  expect(ended.stderr).toMatch(/^EFFX0002 error {2}/)
})
