import { expect, it } from "@effect/vitest"
import { EFFX2201 } from "@effx/diagnostics"
import { plain } from "../../../src/cli/reporters/plain.ts"
import { elsewhere, report, surroundings, undeclared, unlocated } from "./samples.ts"

it("prints one line a finding and the counts", () => {
  expect(plain(report([undeclared, unlocated]), surroundings())).toBe(
    [
      "EFFX2201 error  User.ChangeEmail can fail with EmailTaken, which @Errors does not declare  src/operations.ts:4:3",
      "EFFX0003 warning  tsconfig.json selects 3 files, but none of them declares an operation or a model",
      "1 errors, 1 warnings, 0 infos\n"
    ].join("\n")
  )
})

it("groups findings by file and names files from the working directory", () => {
  const lines = plain(
    report([undeclared, elsewhere, undeclared]),
    surroundings({ displayPath: (file) => `../api/${file}` })
  ).split("\n")
  expect(lines.map((line) => line.split("  ").at(-1))).toEqual([
    "../api/src/operations.ts:4:3",
    "../api/src/operations.ts:4:3",
    "../api/src/with space, comma: and %.ts:2:3",
    "3 errors, 0 warnings, 0 infos",
    ""
  ])
})

it("shows controls in names instead of sending them to the terminal", () => {
  const finding = EFFX2201.make({ operation: "a\u001b[2Jb\nc", error: "E" })
  expect(plain(report([finding]), surroundings())).toBe(
    "EFFX2201 error  a<U+001B>[2Jb<U+000A>c can fail with E, which @Errors does not declare\n1 errors, 0 warnings, 0 infos\n"
  )
})
