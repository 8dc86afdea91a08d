/**
 * Writes the documentation that is generated from code.
 *
 *     bun tools/docs.ts           write docs/diagnostics.md
 *     bun tools/docs.ts --check   write nothing, exit 1 when a page is not what would be written
 */
import { readFileSync, writeFileSync } from "node:fs"
import { CORE_ENTRIES, catalogue, makeRegistry } from "@effx/diagnostics"

/** Each generated page, by its path from the repository's root. */
export const generatedPages = (): Readonly<Record<string, string>> => ({
  "docs/diagnostics.md": catalogue(makeRegistry(CORE_ENTRIES))
})

if (import.meta.main) {
  const root = new URL("../", import.meta.url)
  const check = process.argv.includes("--check")
  for (const [path, text] of Object.entries(generatedPages())) {
    const url = new URL(path, root)
    if (!check) writeFileSync(url, text)
    else if (readFileSync(url, "utf8") !== text) {
      process.stderr.write(`${path} is out of date; run: bun tools/docs.ts\n`)
      process.exitCode = 1
    }
  }
}
