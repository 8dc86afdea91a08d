/**
 * Every core code on a broken project and on its repaired twin (`fixtures/broken/<code>`). The golden files beside the
 * projects hold what `effx check` prints: the records with point and span, and what a reader sees.
 */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { CORE_ENTRIES } from "@effx/diagnostics"
import { describe, expect, it } from "vitest"
import { repository, run } from "./effx.ts"

const fixtures = join(repository, "fixtures/broken")

interface Finding {
  readonly kind: string
  readonly code: string
  readonly severity: string
}

const check = async (project: string, ...flags: ReadonlyArray<string>) =>
  run(["check", "--project", join(project, "tsconfig.json"), ...flags])

const findings = (stdout: string): ReadonlyArray<Finding> =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .filter((record: Finding) => record.kind === "diagnostic")

it("has a broken project for every core code", () => {
  expect(readdirSync(fixtures).sort()).toEqual(CORE_ENTRIES.map((entry) => entry.code).sort())
})

describe.each(CORE_ENTRIES.map((entry) => [entry.code, entry] as const))("%s", (code, entry) => {
  const broken = join(fixtures, code, "broken")

  it("is emitted at its place by the broken project", async () => {
    const { code: exit, stdout, stderr } = await check(broken, "--format", "json")
    const found = findings(stdout)
    expect(found.map((finding) => finding.code)).toContain(code)
    expect(exit).toBe(found.some((finding) => finding.severity === "error") ? 1 : 0)
    expect(stderr).toBe("")
    await expect(stdout).toMatchFileSnapshot(join(fixtures, code, "expected.jsonl"))
  })

  it("reads well", async () => {
    const { stdout } = await check(broken, "--format", "pretty", "--color", "never")
    await expect(stdout).toMatchFileSnapshot(join(fixtures, code, "expected.txt"))
  })

  it("is not emitted by the repaired project", async () => {
    const { code: exit, stdout } = await check(join(fixtures, code, "repaired"), "--format", "json")
    expect(findings(stdout)).toEqual([])
    expect(exit).toBe(0)
  })

  it("is explained", async () => {
    const { code: exit, stdout } = await run(["explain", code])
    expect(exit).toBe(0)
    expect(stdout).toContain(code)
    expect(stdout).toContain(entry.title)
  })
})
