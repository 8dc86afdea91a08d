/**
 * Assembles the tree of a release: `bun release/assemble.ts FOLDER`. The folder is made, or replaced as a whole once its successor is
 * complete; with the manifest in it, it runs as it is.
 *
 * What was built elsewhere comes in by variables, and is built here when they are not set:
 *
 * | Variable | Part | Else |
 * |---|---|---|
 * | `EFFX_RELEASE_BUN` | the published Bun | the one in tools/bun |
 * | `EFFX_RELEASE_SHIM` | effx-stdio.so | release/build-shim.sh |
 * | `EFFX_RELEASE_NPM` | folder of the packages' archives | release/pack-npm.ts |
 *
 * Needs a C compiler (`CC`), no network, and git only for what commit.ts is not told.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { deriveManifest, encodeManifest, PATHS, type ReleaseFacts } from "@effx/integrity"
import { Effect, Result } from "effect"
import { type Commit, commit } from "./commit.ts"
import { fail } from "./fail.ts"
import { type Parts, placeInstallation } from "./installation-tree.ts"
import { root, version } from "./root.ts"
import { placeSharedFiles } from "./shared-files.ts"

const run = (command: string, args: ReadonlyArray<string>): string => {
  const ended = spawnSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })
  return ended.status === 0 ? ended.stdout : fail(`${basename(args[0] ?? command)} failed; the lines above say why`)
}

const installedVersion = (name: string): string =>
  JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version

/** Builds what nobody brings into a folder. */
const partsIn = (folder: string): Parts => {
  const { EFFX_RELEASE_BUN, EFFX_RELEASE_NPM, EFFX_RELEASE_SHIM } = process.env
  if (!EFFX_RELEASE_SHIM) run("/bin/sh", ["release/build-shim.sh", join(folder, "shim")])
  if (!EFFX_RELEASE_NPM) run(process.execPath, ["--no-env-file", "release/pack-npm.ts"])
  return {
    bun: EFFX_RELEASE_BUN || join(root, "tools/bun/node_modules/@oven/bun-linux-x64-baseline/bin/bun"),
    shim: EFFX_RELEASE_SHIM || join(folder, "shim/effx-stdio.so"),
    npm: EFFX_RELEASE_NPM || join(root, "dist/npm")
  }
}

const factsOf = ({ revision, tree }: Commit): ReleaseFacts => {
  const [compiler = "", headers = ""] = run("/bin/sh", ["release/toolchain.sh"]).split("\n")
  return {
    components: {
      bun: JSON.parse(readFileSync(join(root, "tools/bun/package.json"), "utf8")).dependencies[
        "@oven/bun-linux-x64-baseline"
      ],
      effect: installedVersion("effect"),
      typescript: installedVersion("@typescript/typescript-linux-x64")
    },
    source: { revision, tree },
    toolchain: { compiler, headers },
    version
  }
}

/** Assembles the tree in `folder`. */
export const assemble = async (folder: string, from: Commit): Promise<void> => {
  process.umask(0o022)
  mkdirSync(dirname(folder), { recursive: true })
  // Beside its place, so that it can be moved there.
  const next = mkdtempSync(join(dirname(folder), `.${basename(folder)}-`))
  process.on("exit", () => rmSync(next, { recursive: true, force: true }))
  const tree = join(next, "tree")
  await placeInstallation(tree, partsIn(next), from)
  placeSharedFiles(tree, from.time)
  const manifest = await Effect.runPromise(Effect.result(deriveManifest(tree, factsOf(from))))
  if (Result.isFailure(manifest)) return fail(...manifest.failure.message.split("\n"))
  writeFileSync(join(tree, PATHS.manifest), encodeManifest(manifest.success), { mode: 0o644 })
  rmSync(folder, { recursive: true, force: true })
  renameSync(tree, folder)
}

if (import.meta.main) await assemble(resolve(process.argv[2] ?? fail("assemble.ts needs a folder")), commit())
