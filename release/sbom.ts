/**
 * The CycloneDX 1.6 SBOM of a release: what is really packed, read from the tree. The main component is effx; every package of which a
 * bundle holds a module, Bun, the engine, the shim and each archive of npm/ is a component, and each names the files that it is in
 * (`evidence.occurrences`), so that `effx verify` finds what it misses.
 *
 * Deterministic: the serial number follows from the archive, the time is the commit's.
 */
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { BUNDLES, type Manifest, PATHS } from "@effx/integrity"
import { fail } from "./fail.ts"
import { bundledPackages } from "./licenses.ts"
import { type LockedPackage, npmPurl } from "./locks.ts"
import { root } from "./root.ts"

interface Component {
  readonly type: "application" | "library" | "platform"
  readonly "bom-ref": string
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly hashes?: ReadonlyArray<{ readonly alg: "SHA-256" | "SHA-512"; readonly content: string }>
  readonly licenses: ReadonlyArray<{ readonly license: { readonly id: string } }>
  readonly purl: string
  readonly evidence: { readonly occurrences: ReadonlyArray<{ readonly location: string }> }
}

export interface SbomFacts {
  /** The release tree. */
  readonly tree: string
  readonly manifest: Manifest
  /** SHA-256 of the archive. */
  readonly archive: string
  /** The commit's, in seconds since 1970. */
  readonly time: number
  readonly locked: ReadonlyArray<LockedPackage>
}

interface PackageJson {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const BUN = "@oven/bun-linux-x64-baseline"
const ENGINE = "@typescript/typescript-linux-x64"

const packageJson = (folder: string): PackageJson => {
  const file = join(root, folder, "package.json")
  if (!existsSync(file)) fail(`${file} is missing; run 'npm start' once`)
  return JSON.parse(readFileSync(file, "utf8"))
}

/** By the lock, since a build may get Bun from elsewhere. */
const bunPackage = (): PackageJson => {
  const lock: { readonly packages: Readonly<Record<string, Pick<PackageJson, "version" | "license">>> } = JSON.parse(
    readFileSync(join(root, "tools/bun/package-lock.json"), "utf8")
  )
  const { license, version } = lock.packages[`node_modules/${BUN}`] ?? fail("tools/bun/package-lock.json has no Bun")
  return { name: BUN, version, license }
}

const named = (name: string): { readonly group?: string; readonly name: string } => {
  const [group, inside] = name.startsWith("@") ? name.split("/") : [undefined, name]
  return group === undefined ? { name } : { group, name: inside ?? "" }
}

const occurring = (locations: ReadonlyArray<string>): Component["evidence"] => ({
  occurrences: locations.map((location) => ({ location }))
})

/** A UUID that follows from a digest (RFC 9562, version 8). */
const uuid = (digest: string): string => {
  const hex = createHash("sha256").update(`effx sbom ${digest}`).digest("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The component of an installed package of npm, which is in `locations`. */
const fromNpm = (
  { license, name, version }: PackageJson,
  locations: ReadonlyArray<string>,
  locked: ReadonlyArray<LockedPackage>,
  more: Pick<Component, "description"> & { readonly sha256?: string } = {}
): Component => {
  const pinned = locked.find((entry) => entry.name === name && entry.version === version)
  const { sha256, ...rest } = more
  const hashes = [
    ...(sha256 === undefined ? [] : [{ alg: "SHA-256" as const, content: sha256 }]),
    ...(pinned === undefined ? [] : [{ alg: "SHA-512" as const, content: pinned.sha512 }])
  ]
  return {
    type: name === BUN ? "platform" : name === ENGINE ? "application" : "library",
    "bom-ref": npmPurl(name, version),
    ...named(name),
    version,
    ...rest,
    ...(hashes.length > 0 && { hashes }),
    licenses: [{ license: { id: license } }],
    purl: npmPurl(name, version),
    evidence: occurring(locations)
  }
}

/** The packages that the bundles hold, each with the bundles that hold it. */
const bundled = ({ locked, tree }: SbomFacts): ReadonlyArray<Component> => {
  const places = new Map<string, Array<string>>()
  for (const bundle of BUNDLES) {
    for (const folder of bundledPackages(readFileSync(join(tree, bundle), "utf8"))) {
      places.set(folder, [...(places.get(folder) ?? []), bundle])
    }
  }
  return Array.from(places, ([folder, locations]) => {
    const facts = packageJson(`node_modules/${folder}`)
    const host = folder.split("/vendor/")[0]
    return fromNpm(facts, locations, locked, host === folder ? {} : { description: `As ${host} brings it` })
  })
}

/** The SBOM as the text of its file. */
export const sbomOf = (facts: SbomFacts): string => {
  const { archive, locked, manifest, time } = facts
  const { version } = manifest
  const files = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]))
  const paths = [...files.keys()]
  const own = packageJson("src/cli").license
  const engineFiles = paths.filter((path) => path.startsWith(`${PATHS.libraries}/`))
  const components = [
    ...bundled(facts),
    fromNpm(bunPackage(), [PATHS.runtime], locked, {
      description: "Bun, the runtime, with what it links statically; see its licence",
      sha256: files.get(PATHS.runtime) ?? ""
    }),
    fromNpm(packageJson(`node_modules/${ENGINE}`), engineFiles, locked, {
      description: "TypeScript's native compiler and its libraries"
    }),
    {
      type: "library" as const,
      "bom-ref": `pkg:generic/effx-stdio@${version}`,
      name: "effx-stdio",
      version,
      description: "The native library for standard input and output",
      hashes: [{ alg: "SHA-256" as const, content: files.get(PATHS.shim) ?? "" }],
      licenses: [{ license: { id: own } }],
      purl: `pkg:generic/effx-stdio@${version}`,
      evidence: occurring([PATHS.shim])
    },
    ...paths
      .filter((path) => path.startsWith("npm/"))
      .map((path) => {
        const name = `@effx/${/^effx-(.+)-\d/.exec(basename(path))?.[1]}`
        return fromNpm({ name, version, license: own }, [path], [], { sha256: files.get(path) ?? "" })
      })
  ].sort((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1))
  const others = new Set([
    PATHS.runtime,
    PATHS.shim,
    ...engineFiles,
    ...paths.filter((path) => path.startsWith("npm/"))
  ])
  const main = {
    type: "application",
    "bom-ref": `pkg:generic/effx@${version}`,
    name: "effx",
    version,
    hashes: [{ alg: "SHA-256", content: archive }],
    licenses: [{ license: { id: own } }],
    purl: `pkg:generic/effx@${version}`,
    evidence: occurring([...paths.filter((path) => !others.has(path)), PATHS.manifest].sort())
  }
  return `${JSON.stringify(
    {
      $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      serialNumber: `urn:uuid:${uuid(archive)}`,
      version: 1,
      metadata: { timestamp: new Date(time * 1000).toISOString(), component: main },
      components,
      dependencies: [
        { ref: main["bom-ref"], dependsOn: components.map((component) => component["bom-ref"]) },
        ...components.map((component) => ({
          ref: component["bom-ref"],
          dependsOn: dependencies(component, components)
        }))
      ]
    },
    null,
    2
  )}\n`
}

/** What an npm package that a bundle holds depends on, among what is packed. */
const dependencies = (component: Component, all: ReadonlyArray<Component>): ReadonlyArray<string> => {
  const { group, name } = component
  const full = group === undefined ? name : `${group}/${name}`
  const folder = full.startsWith("@effx/") ? `src/${name}` : `node_modules/${full}`
  const file = join(root, folder, "package.json")
  if (!existsSync(file)) return []
  const wanted = Object.keys(packageJson(folder).dependencies ?? {})
  return all
    .filter((other) => wanted.includes(other.group === undefined ? other.name : `${other.group}/${other.name}`))
    .map((other) => other["bom-ref"])
}
