/**
 * Makes an assembled tree start through another loader than the standard one: `bun release/use-loader.ts TREE BUN LOADER`.
 *
 * BUN, the same Bun with LOADER as its interpreter, takes the place of the tree's; the launcher asks for LOADER; and the manifest says so of
 * both files. Everything else stays what the release has.
 */
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { encodeManifest, type ManifestFile, PATHS, parseManifest, readElf } from "@effx/integrity"
import { Result } from "effect"
import { fail } from "./fail.ts"

const STANDARD = "loader=/lib64/ld-linux-x86-64.so.2\n"

const [tree = "", bun = "", loader = ""] = process.argv.slice(2)
if (loader === "") fail("use-loader.ts needs a tree, a Bun and a loader")

const launcher = join(tree, PATHS.launcher)
const text = readFileSync(launcher, "utf8")
if (text.split(STANDARD).length !== 2) fail(`${launcher} does not set the loader in one place`)
writeFileSync(launcher, text.replace(STANDARD, `loader=${loader}\n`))
copyFileSync(bun, join(tree, PATHS.runtime))
chmodSync(join(tree, PATHS.runtime), 0o755)

const present = (file: ManifestFile): ManifestFile => {
  if (file.path !== PATHS.launcher && file.path !== PATHS.runtime) return file
  const bytes = readFileSync(join(tree, file.path))
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex")
  if (file.elf === undefined) return { ...file, sha256, size: bytes.length }
  const elf = readElf(bytes)
  if (Result.isFailure(elf)) return fail(`${file.path}: ${elf.failure.message}`)
  return { ...file, elf: elf.success.record, sha256, size: bytes.length }
}

const file = join(tree, PATHS.manifest)
const manifest = parseManifest(readFileSync(file))
if (Result.isFailure(manifest)) fail(`${file} is not a manifest: ${manifest.failure.found}`)
else writeFileSync(file, encodeManifest({ ...manifest.success, files: manifest.success.files.map(present) }))
