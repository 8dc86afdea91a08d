/** The machine's tools are found in fixed folders, never on PATH. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll } from "vitest"
import { outsideTool, TOOL_FOLDERS } from "../../src/cli/outside-tool.ts"

const top = mkdtempSync(join(tmpdir(), "effx tools "))
afterAll(() => rmSync(top, { recursive: true, force: true }))

const folder = (name: string, make: (tool: string) => void): string => {
  mkdirSync(join(top, name))
  make(join(top, name, "git"))
  return join(top, name)
}

const program = (file: string): void => {
  writeFileSync(file, "#!/bin/sh\n")
  chmodSync(file, 0o755)
}

it.effect("the first executable file counts, in the order of the folders", () =>
  Effect.gen(function* () {
    const missing = folder("missing", () => undefined)
    const data = folder("data", (file) => writeFileSync(file, ""))
    const directory = folder("directory", (file) => mkdirSync(file))
    const [one, two] = [folder("one", program), folder("two", program)]
    expect(yield* outsideTool("git", "a test", [missing, data, directory, two, one])).toBe(`${two}/git`)
    const misuse = yield* Effect.flip(outsideTool("git", "a test", [missing, directory]))
    expect(misuse.message).toBe(`a test needs git, which is in none of ${missing}, ${directory}; install it there`)
  })
)

it("every folder is absolute", () => {
  expect(TOOL_FOLDERS.filter((path) => !path.startsWith("/"))).toEqual([])
})
