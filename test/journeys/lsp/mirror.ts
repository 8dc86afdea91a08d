/** The contents of an editor as a tree of its own, in which `effx check` is asked what they mean. */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { run } from "../effx.ts"
import { type OpenDocument, shownOf } from "./driver.ts"

/** The tree as the editor sees it, in which `effx check` is asked. */
export const makeMirror = () => {
  const top = mkdtempSync(join(tmpdir(), "effx-mirror-"))
  let isFilled = false
  return {
    top,
    fill: (from: string, documents: ReadonlyMap<string, OpenDocument>): void => {
      for (const name of readdirSync(from)) {
        if ([".git", "modules", "outside", "app"].includes(name)) continue
        rmSync(join(top, name), { recursive: true, force: true })
        cpSync(join(from, name), join(top, name), { recursive: true, verbatimSymlinks: true })
      }
      mkdirSync(join(top, "app"), { recursive: true })
      for (const name of new Set([...readdirSync(join(from, "app")), ...readdirSync(join(top, "app"))])) {
        if (name === "node_modules") continue
        rmSync(join(top, "app", name), { recursive: true, force: true })
        if (lstatSync(join(from, "app", name), { throwIfNoEntry: false }) !== undefined) {
          cpSync(join(from, "app", name), join(top, "app", name), { recursive: true, verbatimSymlinks: true })
        }
      }
      if (!isFilled) {
        cpSync(join(from, "modules"), join(top, "app/node_modules"), { recursive: true, verbatimSymlinks: true })
        isFilled = true
      }
      for (const [file, document] of documents) {
        mkdirSync(dirname(join(top, file)), { recursive: true })
        writeFileSync(join(top, file), document.text())
      }
    }
  }
}

/** What a fresh check says, by real path relative to the top folder; undefined where the project cannot be checked. */
export const freshCheck = async (top: string): Promise<ReadonlyMap<string, ReadonlyArray<string>> | undefined> => {
  const { code, stdout } = await run(["check", "--format", "json"], { cwd: join(top, "app") })
  if (code !== 0 && code !== 1) return undefined
  const found = new Map<string, ReadonlyArray<string>>()
  for (const [file, lines] of shownOf(stdout)) {
    const path = join(top, "app", file)
    const real = existsSync(path) ? realpathSync(path) : path
    found.set(relative(realpathSync(top), real), [...(found.get(real) ?? []), ...lines])
  }
  return found
}
