import { readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import draft4 from "ajv-draft-04"
import formats from "ajv-formats"
import { sarif } from "../../../src/cli/reporters/sarif.ts"
import { elsewhere, report, surroundings, undeclared, unlocated } from "./samples.ts"

// The published schema of SARIF 2.1.0; it is written in JSON Schema draft 4.
const schema = JSON.parse(readFileSync(`${import.meta.dirname}/../schemas/sarif-2.1.0.json`, "utf8"))
const ajv = new draft4.default({ strict: false, allErrors: true, unicodeRegExp: false })
formats.default(ajv as never)
const validate = ajv.compile(schema)

it.each([[], [unlocated], [elsewhere, undeclared, unlocated]])("is valid SARIF 2.1.0", (...findings) => {
  expect(validate(JSON.parse(sarif(report(findings), surroundings()))), JSON.stringify(validate.errors)).toBe(true)
})

it("is not valid when a property of the standard is missing", () => {
  const { version: _, ...log } = JSON.parse(sarif(report([undeclared]), surroundings()))
  expect(validate(log)).toBe(false)
})

it("names place, level and rule of a finding", () => {
  const [run] = JSON.parse(sarif(report([elsewhere, undeclared, unlocated]), surroundings())).runs
  expect(run.tool.driver.rules.map((rule: { readonly id: string }) => rule.id)).toEqual(["EFFX0003", "EFFX2201"])
  expect(
    run.results.map((result: { readonly ruleIndex: number; readonly level: string }) => [
      result.ruleIndex,
      result.level
    ])
  ).toEqual([
    [1, "error"],
    [1, "error"],
    [0, "warning"]
  ])
  expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(
    "src/with%20space%2C%20comma%3A%20and%20%25.ts"
  )
  expect(run.results[1].locations[0].physicalLocation.region).toEqual({
    startLine: 4,
    startColumn: 3,
    byteOffset: 142,
    byteLength: 21
  })
})
