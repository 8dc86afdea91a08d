/**
 * Journeys run the program as users get it: before them, the release tree is assembled and copied to a folder whose name has spaces,
 * quotes and letters beyond ASCII, and `EFFX_BIN` names its launcher. A value of `EFFX_BIN` that is already there is kept.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { releaseName, root } from "../release/root.ts"

/** The folders of tests that run the packed program. */
const NEEDED = /\/test\/(journeys|release|soak)\//

/** One test run assembles at a time, and copies before another one replaces the tree. */
const LINE = 'umask 022; "$bun" --no-env-file release/release.ts --tree && cp -R "$tree" "$folder"'

export default async (project: TestProject): Promise<(() => void) | undefined> => {
  if (process.env.EFFX_BIN) return undefined
  // What the run was asked for; it is not among the declared properties.
  const { filenamePattern } = project.vitest as unknown as { readonly filenamePattern?: Array<string> }
  const { testFiles } = await project.globTestFiles(filenamePattern ?? [])
  if (!testFiles.some((file) => NEEDED.test(file))) return undefined
  const folder = mkdtempSync(join(tmpdir(), "effx \"pack\" of 'Ünïcode' "))
  chmodSync(folder, 0o755)
  const dist = join(root, "dist")
  mkdirSync(dist, { recursive: true })
  const env = { ...process.env, bun: process.execPath, tree: join(dist, releaseName), folder }
  const lock = ["/usr/bin/flock", "/bin/flock"].find((path) => existsSync(path))
  const assembly = ["/bin/sh", "-c", LINE] as const
  const [command, ...args] = lock === undefined ? assembly : [lock, join(dist, "release.lock"), ...assembly]
  const ended = spawnSync(command, args, { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
  if (ended.status !== 0) throw new Error(`the release tree cannot be assembled:\n${ended.stdout}${ended.stderr}`)
  process.env.EFFX_BIN = join(folder, releaseName, "bin/effx")
  return () => rmSync(folder, { recursive: true, force: true })
}
