import { expect, it } from "@effect/vitest"
import { didYouMean, nearNames } from "../../src/cli/suggestion.ts"

const names = ["User.Get", "User.List", "User.ChangeEmail", "Order.Get"]

it.each([
  ["User.Gte", ["User.Get"]],
  ["user.get", ["User.Get"]],
  ["Get", ["Order.Get", "User.Get"]],
  ["User.ChangEmial", ["User.ChangeEmail"]],
  ["Invoice.Pay", []],
  ["", []],
  ["x".repeat(300), []]
])("suggests for %j", (wanted, expected) => {
  expect(nearNames(wanted, names)).toEqual(expected)
})

it("puts suggestions into a question", () => {
  expect(didYouMean([])).toBe("")
  expect(didYouMean(["A"])).toBe("; did you mean A?")
  expect(didYouMean(["A", "B"])).toBe("; did you mean A or B?")
})
