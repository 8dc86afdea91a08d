/**
 * The baseline of every later compatibility promise: the exact outputs of `effx build` for the fixtures, reviewed like code.
 * For unchanged sources they stay byte for byte what they are; `manifest.json` names versions and is left out.
 */
import { cpSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { repository, run, temporaryFolder } from "./effx.ts"

/** Each fixture, and the folder of it that is copied so that its links stay whole. */
const FIXTURES = [
  ["users", "users"],
  ["users-builder", "users-builder"],
  ["persistence", "persistence"],
  ["persistence-swapped", "persistence-swapped"],
  ["extension", "extension"],
  ["extension/builder", "extension"],
  ["monorepo/apps/server", "monorepo"],
  ["monorepo/apps/worker", "monorepo"]
] as const

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => path !== "manifest.json")
    .sort()

describe.each(FIXTURES)("%s", (fixture, copied) => {
  it("gives the outputs that were reviewed", async () => {
    const folder = temporaryFolder("effx baseline")
    cpSync(join(repository, "fixtures", copied), join(folder, "fixtures", copied), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.includes("/.effx")
    })
    symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"))
    const project = join(folder, "fixtures", fixture)
    const { code, stderr } = await run(["build", "--project", project])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const outputs = join(project, ".effx")
    const golden = join(import.meta.dirname, "golden", fixture.replaceAll("/", "-"))
    const written = filesBelow(outputs)
    await expect(`${written.join("\n")}\n`).toMatchFileSnapshot(join(golden, "files.txt"))
    for (const path of written) {
      await expect(readFileSync(join(outputs, path), "utf8")).toMatchFileSnapshot(join(golden, `${path}.txt`))
    }
  })
})
