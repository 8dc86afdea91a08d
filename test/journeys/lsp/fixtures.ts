/** Projects that journeys of the language server start from, and what `effx check` says of them. */
import { createHash } from "node:crypto"
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs"
import { join, relative } from "node:path"
import { save } from "../dev/driver.ts"
import { repository, run, temporaryFolder } from "../effx.ts"
import { shownOf } from "./driver.ts"

const broken = join(repository, "fixtures/broken")

/** A code with a project that has it, whose only fault is in its sources. */
export interface SourceFault {
  readonly code: string
  readonly broken: Readonly<Record<string, string>>
  readonly repaired: Readonly<Record<string, string>>
  /** What is shown where it is broken, by file. */
  readonly shown: ReadonlyMap<string, ReadonlyArray<string>>
  readonly jsonLines: string
}

const sourcesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (readdirSync(join(folder, "src"), { recursive: true }) as Array<string>).map((name) => [
      `src/${name}`,
      readFileSync(join(folder, "src", name), "utf8")
    ])
  )

/** Every text of a project but its sources and its own name. */
const surroundingsOf = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name !== "src")
    .map((name) => (name === "package.json" ? name : `${name} ${isFile(join(folder, name))}`))
    .join("\n")

const isFile = (path: string): string => (lstatSync(path).isFile() ? readFileSync(path, "utf8") : "folder")

const plain = surroundingsOf(join(broken, "EFFX2201/repaired"))

const PARTS = ["broken", "expected.jsonl", "expected.txt", "repaired"]

/** The codes whose broken and repaired projects differ in sources alone, and need nothing beside them. */
export const SOURCE_FAULTS: ReadonlyArray<SourceFault> = readdirSync(broken)
  .filter((code) => readdirSync(join(broken, code)).every((name) => PARTS.includes(name)))
  .filter((code) => ["broken", "repaired"].every((which) => surroundingsOf(join(broken, code, which)) === plain))
  .map((code) => {
    const jsonLines = readFileSync(join(broken, code, "expected.jsonl"), "utf8")
    return {
      code,
      broken: sourcesOf(join(broken, code, "broken")),
      repaired: sourcesOf(join(broken, code, "repaired")),
      shown: shownOf(jsonLines),
      jsonLines
    }
  })

/** The others: their faults are in configs, dependencies or manifests. */
export const OTHER_FAULTS: ReadonlyArray<string> = readdirSync(broken).filter(
  (code) => !SOURCE_FAULTS.some((one) => one.code === code)
)

/** A project like those of `SOURCE_FAULTS`, with one source that says nothing. */
export const plainProject = (name = "effx lsp"): string => {
  const top = temporaryFolder(name)
  cpSync(join(broken, "EFFX2201/repaired"), join(top, "app"), { recursive: true })
  rmSync(join(top, "app/src"), { recursive: true })
  save(join(top, "app/src/cookie.ts"), "export {}\n")
  symlinkSync(join(repository, "node_modules"), join(top, "node_modules"))
  return join(top, "app")
}

/** What a fresh check of a folder says, by file, as a document shows it. */
export const checked = async (
  cwd: string,
  ...args: ReadonlyArray<string>
): Promise<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const { code, stderr, stdout } = await run(["check", "--format", "json", ...args], { cwd })
  if (code !== 0 && code !== 1) throw new Error(`effx check ended with ${code}: ${stderr}`)
  return shownOf(stdout)
}

/** A digest of names, kinds and contents of everything in a folder; links are not followed. */
export const treeHash = (top: string): string => {
  const hash = createHash("sha256")
  const visit = (path: string): void => {
    const stats = lstatSync(path)
    const content = stats.isSymbolicLink() ? readlinkSync(path) : stats.isFile() ? readFileSync(path) : ""
    hash.update(JSON.stringify([relative(top, path), stats.mode, stats.mtimeMs])).update(content)
    if (stats.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name))
  }
  if (existsSync(top)) visit(top)
  return hash.digest("hex")
}
