/**
 * `npm run release`: makes the release archive in dist/ from the work tree, without Nix.
 *
 *     bun release/release.ts              the tree, the archive, SBOM, SHA256SUMS, provenance
 *     bun release/release.ts --key FILE   the same, the provenance signed with an Ed25519 private key (or EFFX_RELEASE_KEY=FILE)
 *     bun release/release.ts --tree       the tree only, which takes seconds
 *
 * Idempotent: a stamp beside the tree says what it was made from, and what is up to date is left alone. Files that differ from the
 * commit's are released too; the program's version says so.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assemble } from "./assemble.ts"
import { commit } from "./commit.ts"
import { evidence } from "./evidence.ts"
import { fail } from "./fail.ts"
import { compressorVersion, pack } from "./pack.ts"
import { releaseName, root } from "./root.ts"

/** What the archive may weigh. */
const HIGHEST_SIZE = 34_000_000

const dist = join(root, "dist")
const tree = join(dist, releaseName)
const archive = `${tree}.tar.xz`
const stampFile = `${tree}.stamp`

const say = (line: string): void => void process.stdout.write(line)

const step = async <A>(title: string, work: () => A | Promise<A>): Promise<A> => {
  const began = performance.now()
  say(`  ${title} … `)
  const result = await work()
  say(`done (${((performance.now() - began) / 1000).toFixed(1)} s)\n`)
  return result
}

const keyAt = process.argv.indexOf("--key")
const key = keyAt < 0 ? process.env.EFFX_RELEASE_KEY || undefined : process.argv[keyAt + 1]
if (keyAt >= 0 && key === undefined) fail("--key needs the file of an Ed25519 private key")

process.umask(0o022)
say(`Releasing ${releaseName}\n`)
const from = commit()
say(`  commit ${from.revision}${from.modified ? ", modified" : ""}\n`)

const { CC = "", EFFX_RELEASE_BUN = "", EFFX_RELEASE_NPM = "", EFFX_RELEASE_SHIM = "" } = process.env
const toolchain = spawnSync("/bin/sh", ["release/toolchain.sh"], { cwd: root, encoding: "utf8" }).stdout
const stamp = `${JSON.stringify([from, CC, EFFX_RELEASE_BUN, EFFX_RELEASE_NPM, EFFX_RELEASE_SHIM, toolchain])}\n`

if (existsSync(join(tree, "manifest.json")) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) {
  say("  tree … in place\n")
} else {
  for (const file of [stampFile, archive]) rmSync(file, { force: true })
  await step("tree", () => assemble(tree, from))
  writeFileSync(stampFile, stamp)
}

if (!process.argv.includes("--tree")) {
  if (existsSync(archive) && existsSync(join(dist, "SHA256SUMS"))) say("  archive … in place\n")
  else {
    await step(`archive, by ${compressorVersion()}, which takes two minutes`, () => pack(tree, dist, from.time))
  }
  const title = `SBOM, SHA256SUMS, provenance, ${key === undefined ? "not signed" : "signed"}`
  await step(title, () => evidence({ folder: dist, name: releaseName, time: from.time, key }))
  const { size } = statSync(archive)
  say(`\n${readFileSync(join(dist, "SHA256SUMS"), "utf8")}${archive}: ${size.toLocaleString("en")} bytes\n`)
  if (size > HIGHEST_SIZE) {
    process.stderr.write(`effx release: the archive may have ${HIGHEST_SIZE.toLocaleString("en")} bytes at most\n`)
    process.exitCode = 1
  }
}
