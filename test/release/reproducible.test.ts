/**
 * The same commit gives the same archive, byte for byte, wherever it is made, and what differs is named; the other variations are those of
 * test/soak/reproducible.test.ts.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Built, build, copySource, differences, type Source, workTree } from "./build.ts"

const MINUTES = 60_000

const top = mkdtempSync(join(tmpdir(), "effx-reproducible-"))
afterAll(() => rmSync(top, { recursive: true, force: true }))

let copy: Source
let expected: Built

beforeAll(() => {
  copy = copySource(workTree(), join(top, "source"))
  expected = build(copy, join(top, "expected"))
}, 4 * MINUTES)

it("is the same archive, made from nothing in another folder, whose path is long and not ASCII", {
  timeout: 4 * MINUTES
}, () => {
  const other = build(copySource(copy, join(top, "größer", 'a "deeper" one', "x".repeat(60))), join(top, "other"))
  expect(differences(expected, other)).toEqual([])
  expect(other.sha256).toBe(expected.sha256)
})

it("says which entries differ", { timeout: 4 * MINUTES }, () => {
  const other = copySource(copy, join(top, "edited"))
  writeFileSync(join(other.folder, "src/cli/bin/empty.toml"), "# another\n")
  const lines = differences(expected, build(other, join(top, "differing")))
  expect(lines.map((line) => line.split(":")[0])).toEqual(["lib/effx/empty.toml", "manifest.json"])
})
