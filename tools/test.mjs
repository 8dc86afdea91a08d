/**
 * `npm test [-- filter …]`: sets up, then types, lint, import order and all tests. The last line is
 * `N passed, N failed, N skipped`; a step outside vitest counts as one test.
 *
 * What needs a tool that this machine lacks is skipped by name with the reason; with EFFX_TEST_ALL=1 a skip is a failure. With
 * EFFX_SOAK=1 the tests of many minutes in test/soak run too.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bun, root, setup } from "./setup.mjs"

const strict = process.env.EFFX_TEST_ALL === "1"
const filters = process.argv.slice(2)

const run = (command, args) =>
  spawnSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, CI: "1" } })
    .status === 0

setup()

const steps = [
  ["types", "node_modules/.bin/tsc", ["-p", "."]],
  ["lint and format", "node_modules/.bin/biome", ["ci", "."]],
  ["import order", bun, ["tools/check-imports.ts"]],
  ["documentation in step", bun, ["tools/docs.ts", "--check"]]
]

const counts = { passed: 0, failed: 0, skipped: 0 }
const failures = []

if (filters.length === 0) {
  for (const [title, command, args] of steps) {
    process.stdout.write(`\n${title}\n`)
    if (run(command, args)) counts.passed++
    else {
      counts.failed++
      failures.push(title)
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), "effx-test-"))
const report = join(folder, "report.json")
const vitest = ["--bun", "node_modules/.bin/vitest", "run", "--reporter=default", "--reporter=json"]
const green = run(bun, [...vitest, `--outputFile.json=${report}`, ...filters])
const skipped = []
try {
  for (const file of JSON.parse(readFileSync(report, "utf8")).testResults) {
    if (file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed")) {
      counts.failed++
      failures.push(`${file.name}: ${file.message}`)
    }
    for (const test of file.assertionResults) {
      if (test.status === "passed") counts.passed++
      else if (test.status === "failed") {
        counts.failed++
        failures.push(test.fullName)
      } else {
        counts.skipped++
        skipped.push(test.fullName)
      }
    }
  }
} catch (cause) {
  counts.failed++
  failures.push(`vitest gave no report: ${cause.message}`)
}
rmSync(folder, { recursive: true, force: true })

if (!green && failures.length === 0) {
  counts.failed++
  failures.push("vitest ended with an error outside any test")
}
if (skipped.length > 0) process.stdout.write(`\nSkipped:\n${skipped.map((name) => `  ${name}\n`).join("")}`)
if (strict && counts.skipped > 0) failures.push(`${counts.skipped} skipped tests, and EFFX_TEST_ALL=1 allows none`)
if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.map((name) => `  ${name}\n`).join("")}`)
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
process.exit(failures.length === 0 ? 0 : 1)
