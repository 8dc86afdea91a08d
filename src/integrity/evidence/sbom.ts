/**
 * Whether a CycloneDX SBOM describes what is packed: every file belongs to a component, every package of which a bundle holds a module
 * is one, each component's place exists, and versions and digests that can be compared are the packed ones.
 *
 * Guarantees nothing about licences, nor about what a component consists of inside itself.
 */
import { Result, Schema } from "effect"
import { PATHS } from "../file-class.ts"
import type { Manifest } from "../manifest.ts"
import { jsonOf, textOf } from "./json.ts"
import { type Refusal, refusal } from "./refusal.ts"
import { reasonOf } from "./statement.ts"

const Component = Schema.Struct({
  group: Schema.optionalKey(Schema.String),
  name: Schema.NonEmptyString,
  version: Schema.optionalKey(Schema.String),
  hashes: Schema.optionalKey(Schema.Array(Schema.Struct({ alg: Schema.String, content: Schema.String }))),
  evidence: Schema.optionalKey(
    Schema.Struct({ occurrences: Schema.optionalKey(Schema.Array(Schema.Struct({ location: Schema.String }))) })
  )
})
type Component = Schema.Schema.Type<typeof Component>

export const Sbom = Schema.Struct({
  bomFormat: Schema.Literal("CycloneDX"),
  specVersion: Schema.Literals(["1.5", "1.6"]),
  metadata: Schema.Struct({ component: Component }),
  components: Schema.Array(Component)
})
export interface Sbom extends Schema.Schema.Type<typeof Sbom> {}

const decode = Schema.decodeUnknownResult(Sbom)

/** Reads an SBOM; of its fields only those that are compared. */
export const readSbom = (path: string, bytes: Uint8Array): Result.Result<Sbom, Refusal> => {
  const text = textOf(bytes)
  const json = text === undefined ? Result.fail(undefined) : jsonOf(text)
  if (Result.isFailure(json)) return Result.fail(refusal("sbom-malformed", path, "JSON", `${bytes.length} other bytes`))
  return Result.mapError(decode(json.success, { errors: "first" }), (failure) =>
    refusal("sbom-malformed", path, "a CycloneDX 1.6 SBOM", reasonOf(failure))
  )
}

/** What is packed, as far as an SBOM is compared with it. */
export interface Packed {
  readonly manifest: Manifest
  /** The texts of the bundles by their paths. */
  readonly bundles: ReadonlyMap<string, string>
  /** The SHA-256 of the archive; absent when it is not at hand. */
  readonly archive?: string
}

/** The comment that the bundler puts before each module. */
const MODULE = /^\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\/(.*)$/gm
const VENDORED = /^vendor\/([^/]+)\//

/** The packages of which a bundle holds a module; one that is vendored counts too, by the name of its folder. */
export const packagesOf = (bundle: string): ReadonlySet<string> =>
  new Set(Array.from(bundle.matchAll(MODULE), ([, name = "", inside = ""]) => VENDORED.exec(inside)?.[1] ?? name))

const fullName = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`)

const locationsOf = ({ evidence }: Component): ReadonlyArray<string> =>
  (evidence?.occurrences ?? []).map(({ location }) => location)

const sha256Of = ({ hashes = [] }: Component): string | undefined =>
  hashes.find(({ alg }) => alg === "SHA-256")?.content

/** Everything in which an SBOM is not of what is packed. */
export const sbomRefusals = (path: string, sbom: Sbom, packed: Packed): ReadonlyArray<Refusal> => {
  const { archive, bundles, manifest } = packed
  const main = sbom.metadata.component
  const all = [main, ...sbom.components]
  const refusals: Array<Refusal> = []
  const missing = (expected: string, found: string) => refusals.push(refusal("sbom-incomplete", path, expected, found))
  const wrong = (expected: string, found: string) => refusals.push(refusal("sbom-wrong", path, expected, found))

  const owners = new Map<string, Array<Component>>()
  for (const component of all) {
    for (const location of locationsOf(component)) {
      owners.set(location, [...(owners.get(location) ?? []), component])
    }
  }
  const files = new Map(manifest.files.map((file) => [file.path, file]))
  for (const file of [...files.keys(), PATHS.manifest]) {
    if (!owners.has(file)) missing(`a component that ${file} belongs to`, "none")
  }
  for (const location of owners.keys()) {
    if (!files.has(location) && location !== PATHS.manifest) wrong(`the packed file ${location}`, "no such file")
  }
  for (const [bundle, text] of bundles) {
    const described = new Set((owners.get(bundle) ?? []).map(fullName))
    for (const name of packagesOf(text)) {
      if (!described.has(name)) missing(`the component ${name}, of which ${bundle} holds modules`, "none")
    }
  }
  for (const component of sbom.components) {
    const [location, ...more] = locationsOf(component)
    const file = location === undefined || more.length > 0 ? undefined : files.get(location)
    const stated = sha256Of(component)
    if (location === undefined) wrong(`a packed file of the component ${fullName(component)}`, "none")
    if (file !== undefined && stated !== undefined && stated !== file.sha256) {
      wrong(`SHA-256 ${file.sha256} for ${file.path}`, stated)
    }
  }
  const version = (of: string, stated: string | undefined, actual: string) => {
    if (stated !== actual) wrong(`${of} ${actual}`, stated ?? "no version")
  }
  const owner = (file: string): Component | undefined => owners.get(file)?.find((component) => component !== main)
  version("effx", main.version, manifest.version)
  version("Bun", owner(PATHS.runtime)?.version, manifest.components.bun)
  version("TypeScript", owner(PATHS.engine)?.version, manifest.components.typescript)
  const effect = sbom.components.find((component) => fullName(component) === "effect")
  if (effect !== undefined) version("Effect", effect.version, manifest.components.effect)
  const described = sha256Of(main)
  if (archive !== undefined && described !== archive) {
    wrong(`the archive's SHA-256 ${archive}`, described ?? "none")
  }
  return refusals
}
