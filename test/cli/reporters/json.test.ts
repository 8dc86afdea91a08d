import { readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { json } from "../../../src/cli/reporters/json.ts"
import { elsewhere, report, surroundings, undeclared, unlocated } from "./samples.ts"

const schema = JSON.parse(readFileSync(`${import.meta.dirname}/../../../docs/schemas/effx.check.v1.json`, "utf8"))
const validate = new Ajv({ strict: true, allErrors: true }).compile(schema)

const records = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

const ofEachKind = [[], [unlocated], [undeclared], [elsewhere, undeclared, unlocated]]

it.each(ofEachKind)("prints records that the documented schema accepts", (...findings) => {
  for (const record of records(json(report(findings), surroundings()))) {
    expect(validate(record), JSON.stringify(validate.errors)).toBe(true)
  }
})

it("has properties in the documented order", () => {
  const [line] = json(report([undeclared]), surroundings()).split("\n")
  expect(line).toBe(
    '{"schema":"effx.check.v1","kind":"diagnostic","code":"EFFX2201","severity":"error","message":"User.ChangeEmail can fail with EmailTaken, which @Errors does not declare","file":"src/operations.ts","line":4,"col":3,"span":{"start":142,"end":163},"related":[],"notes":[{"label":"inferred","text":"EmailTaken, UserNotFound"},{"label":"declared","text":"UserNotFound"},{"label":"fix","text":"add EmailTaken to @Errors, or handle it in the handler"}]}'
  )
})

it("ends with exactly one verdict", () => {
  expect(records(json(report([undeclared, unlocated]), surroundings())).at(-1)).toEqual({
    schema: "effx.check.v1",
    kind: "failed",
    errors: 1,
    warnings: 1,
    infos: 0,
    revision: `sha256:${"0123456789abcdef".repeat(4)}`
  })
  expect(records(json(report([unlocated]), surroundings())).map((record) => record.kind)).toEqual([
    "diagnostic",
    "verified"
  ])
})

it("rejects records that lose a property or invent one", () => {
  const [record] = records(json(report([undeclared]), surroundings()))
  expect(validate({ ...record, line: 0 })).toBe(false)
  expect(validate({ ...record, extra: 1 })).toBe(false)
  const { col: _, ...withoutColumn } = record
  expect(validate(withoutColumn)).toBe(false)
})
