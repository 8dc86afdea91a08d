import { expect, it } from "@effect/vitest"
import { github } from "../../../src/cli/reporters/github.ts"
import { elsewhere, report, surroundings, undeclared, unlocated } from "./samples.ts"

it("prints a workflow command a finding", () => {
  expect(github(report([undeclared, unlocated]), surroundings())).toBe(
    [
      "::error file=src/operations.ts,line=4,col=3,title=EFFX2201::User.ChangeEmail can fail with EmailTaken, which @Errors does not declare%0Ainferred: EmailTaken, UserNotFound%0Adeclared: UserNotFound%0Afix: add EmailTaken to @Errors, or handle it in the handler",
      "::warning title=EFFX0003::tsconfig.json selects 3 files, but none of them declares an operation or a model%0Afix: annotate an operation, or let tsconfig.json include the files that declare some",
      "1 errors, 1 warnings, 0 infos\n"
    ].join("\n")
  )
})

it("escapes what would end a property or a command", () => {
  expect(github(report([elsewhere]), surroundings())).toContain(
    "file=src/with space%2C comma%3A and %25.ts,line=2,col=3"
  )
})
