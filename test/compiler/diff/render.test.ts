/** The three forms of a diff. */

import { describe, expect, it } from "@effect/vitest"
import { diff, renderDiffJson, renderDiffPlain, renderDiffPretty } from "../../../src/compiler/diff/index.ts"
import { application, USERS, withOperation } from "./application.ts"

const changes = diff(
  application(USERS),
  application(
    withOperation("User.Get", { errors: [], rpc: "User.Find" }, withOperation("User.First", { summary: "x" }))
  )
)
const style = {
  breaking: (text: string) => `<b>${text}</b>`,
  compatible: (text: string) => `<c>${text}</c>`,
  subject: (text: string) => `<s>${text}</s>`,
  faint: (text: string) => `<f>${text}</f>`
}

describe("render", () => {
  it("plain: one line for each change", () =>
    expect(
      renderDiffPlain(changes)
    ).toBe(`not breaking  User.First  documentation changed: summary (only the documentation differs)
breaking  User.Get  rpc renamed: User.Get → User.Find (callers that use the old RPC name find nothing there)
not breaking  User.Get  error removed: NotFound (callers no longer meet the error)
1 breaking, 2 not breaking
`))

  it("pretty: grouped by operation", () =>
    expect(renderDiffPretty(changes, style)).toBe(`<s>User.First</s>
  <c>✓</c> documentation changed  summary
    <f>only the documentation differs</f>

<s>User.Get</s>
  <b>✗</b> rpc renamed  User.Get → User.Find
    <f>callers that use the old RPC name find nothing there</f>
  <c>✓</c> error removed  NotFound
    <f>callers no longer meet the error</f>

<b>1 breaking, 2 not breaking</b>
`))

  it("json: one record a line", () =>
    expect(
      renderDiffJson(changes)
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    ).toEqual([
      ...changes.map(({ kind, ...rest }) => ({ schema: "effx.diff.v1", kind: "change", change: kind, ...rest })),
      { schema: "effx.diff.v1", kind: "summary", breaking: 1, compatible: 2 }
    ]))

  it("of no change", () => {
    expect(renderDiffPlain([])).toBe("no change of the public surface\n")
    expect(renderDiffPretty([], style)).toBe("<c>no change of the public surface</c>\n")
    expect(renderDiffJson([])).toBe('{"breaking":0,"compatible":0,"kind":"summary","schema":"effx.diff.v1"}\n')
  })
})
