/** What docs/editors.md tells to write is what the journeys beside this file run. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { repository } from "../effx.ts"

const docs = readFileSync(join(repository, "docs/editors.md"), "utf8")

it.each([
  ["json", "vscode-extension/package.json"],
  ["js", "vscode-extension/extension.js"],
  ["lua", "neovim-setup.lua"],
  ["elisp", "emacs-setup.el"]
])("shows %s: %s", (language, file) => {
  expect(docs).toContain(`\`\`\`${language}\n${readFileSync(join(import.meta.dirname, file), "utf8")}\`\`\`\n`)
})
