/** The C toolchain that these tests need, and the shim and harnesses that it builds. A missing tool is named in the skip. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

export const root = join(import.meta.dirname, "../..")

/** Where a program on `PATH` lies, or undefined. The `node` that Bun puts there for its own sake is none. */
export const tool = (name: string): string | undefined =>
  (process.env.PATH ?? "")
    .split(":")
    .filter((folder) => !folder.includes("bun-node"))
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

export const compiler = ["cc", "gcc", "clang"].find((name) => tool(name) !== undefined)

/** A folder that is gone after the test file; called while tests are collected, not in one. */
export const scratch = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "effx-native-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a program to its end; fails with what it printed when it does not exit with 0. */
export const run = (
  command: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {}
): string => {
  const result = spawnSync(command, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    encoding: "utf8"
  })
  if (result.status === 0) return result.stdout
  throw new Error(
    `${command} ended with ${result.status ?? result.signal ?? result.error?.message}: ${result.stdout}${result.stderr}`
  )
}

/** Builds the shim into a folder and returns its path. */
export const buildShim = (folder: string): string => {
  run("/bin/sh", ["release/build-shim.sh", folder])
  return join(folder, "effx-stdio.so")
}
