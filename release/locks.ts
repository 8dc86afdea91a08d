/** What the lock files pin: every npm package that may take part in a build, with the digest of its archive. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fail } from "./fail.ts"
import { root } from "./root.ts"

export interface LockedPackage {
  readonly name: string
  readonly version: string
  /** SHA-512 of the package's archive in lower-case hex. */
  readonly sha512: string
}

const INTEGRITY = /^sha512-([A-Za-z0-9+/]{86}==)$/

const locked = (name: string, version: string, integrity: unknown): LockedPackage => {
  const [, base64] = INTEGRITY.exec(String(integrity)) ?? []
  if (base64 === undefined) return fail(`${name} ${version} has no SHA-512 in its lock file`)
  return { name, version, sha512: Buffer.from(base64, "base64").toString("hex") }
}

const split = (identifier: string): readonly [name: string, version: string] => {
  const at = identifier.lastIndexOf("@")
  return [identifier.slice(0, at), identifier.slice(at + 1)]
}

/** JSON with a comma before a closing bracket, as Bun writes its lock. */
const json = (text: string): unknown => JSON.parse(text.replace(/,(?=\s*[}\]])/g, ""))

const inBunLock = (): ReadonlyArray<LockedPackage> => {
  const lock = json(readFileSync(join(root, "bun.lock"), "utf8")) as {
    readonly packages: Readonly<Record<string, ReadonlyArray<unknown>>>
  }
  return Object.values(lock.packages).flatMap(([identifier, ...rest]) => {
    const [name, version] = split(String(identifier))
    return version.startsWith("workspace:") ? [] : [locked(name, version, rest.at(-1))]
  })
}

const inNpmLock = (): ReadonlyArray<LockedPackage> => {
  const lock = JSON.parse(readFileSync(join(root, "tools/bun/package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>
  }
  return Object.entries(lock.packages).flatMap(([place, { integrity, version }]) =>
    place === "" ? [] : [locked(place.slice(place.lastIndexOf("node_modules/") + 13), version, integrity)]
  )
}

const keyOf = ({ name, version }: LockedPackage): string => `${name}@${version}`

/** All of them, each once, in order. */
export const lockedPackages = (): ReadonlyArray<LockedPackage> =>
  Array.from(new Map([...inBunLock(), ...inNpmLock()].map((found) => [keyOf(found), found])).entries())
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, found]) => found)

/** The package URL of a package on npm. */
export const npmPurl = (name: string, version: string): string =>
  `pkg:npm/${name.startsWith("@") ? `%40${name.slice(1)}` : name}@${version}`
