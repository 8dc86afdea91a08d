/**
 * The licences of everything inside a release, each in a folder named by its package below share/licenses: effx, Bun, the engine, and
 * every package of which the bundles hold a module.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { BUNDLES } from "@effx/integrity"
import { fail } from "./fail.ts"
import { ENGINE, place } from "./installation-tree.ts"
import { root } from "./root.ts"

const FOLDER = "share/licenses"

/** The comment before each module of a bundle. */
const MODULE = /^\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\/(.*)$/gm

/** A package inside another one, with a licence of its own. */
const VENDORED = /^(vendor\/[^/]+)\//

const LICENSE = /^(licen[cs]e|notice|copying)(\.[a-z]+)?$/i

/** The packages whose modules a bundle holds, as folders below node_modules. */
export const bundledPackages = (bundle: string): ReadonlyArray<string> =>
  Array.from(
    new Set(
      Array.from(bundle.matchAll(MODULE), ([, name = "", path = ""]) => {
        const vendored = VENDORED.exec(path)?.[1]
        return vendored === undefined ? [name] : [name, `${name}/${vendored}`]
      }).flat()
    )
  ).sort()

const placeFrom = (tree: string, folder: string, name: string): void => {
  const files = readdirSync(folder).filter((file) => LICENSE.test(file))
  if (files.length === 0) fail(`${name} is part of the release, and ${folder} has no licence`)
  for (const file of files) place(tree, join(folder, file), `${FOLDER}/${name}/${file}`)
}

export const placeLicenses = (tree: string): void => {
  place(tree, join(root, "LICENSE"), `${FOLDER}/effx/LICENSE`)
  place(tree, join(root, "release/licenses/bun.md"), `${FOLDER}/bun/LICENSE.md`)
  placeFrom(tree, ENGINE, "@typescript/typescript-linux-x64")
  const bundles = BUNDLES.map((path) => join(tree, path)).filter((file) => existsSync(file))
  for (const name of new Set(bundles.flatMap((file) => bundledPackages(readFileSync(file, "utf8"))))) {
    placeFrom(tree, join(root, "node_modules", name), name)
  }
}
