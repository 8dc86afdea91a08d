/**
 * Packs an assembled tree: `bun release/pack.ts TREE FOLDER` writes the archive and SHA256SUMS into the folder, with
 * `--tar` the uncompressed archive only. Prints the SHA-256 of what it wrote.
 *
 * Every byte follows from the tree, the commit's time and the compressor, whose version is printed: one thread, and settings that
 * depend on nothing. `XZ` names the compressor, else it is looked for in the standard folders.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { commitTime } from "./commit.ts"
import { fail } from "./fail.ts"
import { releaseName } from "./root.ts"
import { writeTar } from "./tar.ts"

/** The filter for x86 code and a dictionary that holds the whole archive make it a tenth smaller than `-9e`. */
const COMPRESSION = ["--x86", "--lzma2=preset=9e,dict=192MiB", "-T1"] as const

/** The absolute path of xz. */
export const compressor = (): string => {
  const found = [process.env.XZ ?? "", "/usr/bin/xz", "/bin/xz"].find(
    (path) => path.startsWith("/") && existsSync(path)
  )
  return found ?? fail("there is no xz in /usr/bin; install xz-utils, or set XZ to its absolute path")
}

const sha256Of = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex")

const compress = (from: string, to: string): void => {
  const xz = compressor()
  const output = openSync(to, "w", 0o644)
  // No variable may change the settings.
  const { status } = spawnSync(xz, ["--compress", "--stdout", "--format=xz", "--check=crc64", ...COMPRESSION, from], {
    stdio: ["ignore", output, "inherit"],
    env: { LC_ALL: "C" }
  })
  closeSync(output)
  if (status !== 0) fail(`${xz} failed; the lines above say why`)
}

/** `xz (XZ Utils) 5.4.1`. */
export const compressorVersion = (): string =>
  spawnSync(compressor(), ["--version"], { encoding: "utf8", env: { LC_ALL: "C" } }).stdout.split("\n")[0] ?? ""

export interface Packed {
  readonly file: string
  readonly sha256: string
}

/** Writes the uncompressed archive of a tree to a folder. */
export const packTar = (tree: string, folder: string, time: number): Packed => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${releaseName}.tar`)
  return { file, sha256: writeTar(tree, releaseName, time, file) }
}

/** Writes the archive of a tree and SHA256SUMS to a folder. */
export const pack = (tree: string, folder: string, time: number): Packed => {
  const { file: plain } = packTar(tree, folder, time)
  const file = `${plain}.xz`
  const partial = `${file}.partial`
  compress(plain, partial)
  rmSync(plain)
  const sha256 = sha256Of(partial)
  renameSync(partial, file)
  writeFileSync(join(folder, "SHA256SUMS"), `${sha256}  ${basename(file)}\n`)
  return { file, sha256 }
}

if (import.meta.main) {
  process.umask(0o022)
  const [tree, folder] = process.argv.slice(2).filter((argument) => argument !== "--tar")
  if (tree === undefined || folder === undefined) fail("pack.ts needs a tree and a folder")
  else {
    const packed = (process.argv.includes("--tar") ? packTar : pack)(resolve(tree), resolve(folder), commitTime())
    process.stdout.write(`${packed.sha256}  ${packed.file}\n`)
  }
}
