#!/usr/bin/env node
/**
 * An independent verifier of effx releases. It shares no code with effx: Node's own modules and the programs xz and tar are all it needs.
 *
 *     node verify-release.mjs ARCHIVE PROVENANCE SBOM (PUBKEY | --unsigned)
 *
 * Exit 0 and one line when the release is proved; exit 1 and the reason on standard error when it is not; 2 for misuse.
 */
import { execFileSync } from "node:child_process"
import { createHash, createPublicKey, verify } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"

class Refused extends Error {}
const need = (condition, reason) => {
  if (!condition) throw new Refused(reason)
}
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex")
const json = (text, what) => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(`${what} is not JSON`)
  }
}
/** JSON in the one encoding that has each key once. */
const compact = (text, what) => {
  const value = json(text, what)
  need(JSON.stringify(value) === text.replace(/\n$/, ""), `${what} is not compact JSON with each key once`)
  return value
}
const sameKeys = (value, keys) => Object.keys(value ?? {}).sort().join() === keys

/** 1. The statement, signed by the key. */
const statementOf = (file, key) => {
  const outer = compact(readFileSync(file, "utf8"), "the provenance")
  if (key === "--unsigned") {
    need(outer?.payload === undefined, "the provenance is signed; give the key")
    return outer
  }
  need(Array.isArray(outer?.signatures), "the provenance is not signed")
  need(outer.payloadType === "application/vnd.in-toto+json", `unknown payload type ${outer.payloadType}`)
  need(outer.signatures.length === 1, `${outer.signatures.length} signatures instead of one`)
  const payload = Buffer.from(String(outer.payload), "base64")
  need(payload.toString("base64") === outer.payload, "the payload is not base64")
  const signature = Buffer.from(String(outer.signatures[0]?.sig), "base64")
  const header = Buffer.from(`DSSEv1 ${outer.payloadType.length} ${outer.payloadType} ${payload.length} `)
  const pem = readFileSync(key, "latin1")
  need(pem.includes("-----BEGIN PUBLIC KEY-----"), "the key is no public key")
  const publicKey = createPublicKey(pem)
  need(publicKey.asymmetricKeyType === "ed25519", "the key is not Ed25519")
  need(verify(null, Buffer.concat([header, payload]), publicKey, signature), "the signature is not of this key")
  return compact(payload.toString("utf8"), "the payload")
}

/** 2. What it says is what we understand. */
const checkStatement = (statement) => {
  need(statement?._type === "https://in-toto.io/Statement/v1", `unknown statement type ${statement?._type}`)
  need(statement.predicateType === "https://slsa.dev/provenance/v1", `unknown predicate type ${statement.predicateType}`)
  const build = statement.predicate?.buildDefinition
  need(build?.buildType === "urn:effx:release:v1", `unknown build type ${build?.buildType}`)
  const builder = statement.predicate.runDetails?.builder?.id
  need(builder === "urn:effx:builder:self", `unknown builder ${builder}`)
  need(sameKeys(build.externalParameters, "source,target,version"), "unknown external parameters")
  need(sameKeys(build.externalParameters.source, "revision,tree"), "unknown external parameters of the source")
  need(Array.isArray(statement.subject) && statement.subject.length > 0, "no subjects")
  const subjects = new Map(statement.subject.map(({ digest, name }) => [name, digest?.sha256]))
  need(subjects.size === statement.subject.length, "a subject twice")
  return { build, subjects: new Set(subjects.values()) }
}

/** 3. What is inside. */
const checkContents = (folder, subjects, parameters) => {
  const tops = readdirSync(folder)
  need(tops.length === 1, "more than one top folder")
  const top = join(folder, tops[0])
  const bytes = readFileSync(join(top, "manifest.json"))
  need(subjects.has(sha256(bytes)), "manifest.json is no subject")
  const manifest = json(bytes.toString("utf8"), "manifest.json")
  const listed = new Map(manifest.files.map((file) => [file.path, file]))
  const found = readdirSync(top, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory())
  for (const entry of found) {
    const path = join(entry.parentPath, entry.name).slice(top.length + 1)
    if (path === "manifest.json") continue
    const file = listed.get(path)
    need(entry.isFile() && file !== undefined, `${path} does not belong there`)
    need(sha256(readFileSync(join(top, path))) === file.sha256, `${path} was changed`)
    need((statSync(join(top, path)).mode & 0o777).toString(8) === file.mode, `${path} has another mode`)
    listed.delete(path)
  }
  need(listed.size === 0, `${[...listed.keys()][0]} is missing`)
  need(parameters.source.revision === manifest.source.revision, "the provenance is of another commit")
  need(parameters.source.tree === manifest.source.tree, "the provenance is of another tree")
  need(parameters.version === manifest.version, "the provenance is of another version")
  return { manifest, top }
}

/** 4. The SBOM describes it. */
const checkSbom = (sbom, { manifest, top }, archive) => {
  need(sbom?.bomFormat === "CycloneDX", "the SBOM is not CycloneDX")
  const all = [sbom.metadata?.component, ...(sbom.components ?? [])]
  const places = all.map((component) => (component?.evidence?.occurrences ?? []).map(({ location }) => location))
  const described = new Set(places.flat())
  const files = new Map(manifest.files.map((file) => [file.path, file.sha256]))
  for (const path of files.keys()) need(described.has(path), `the SBOM misses ${path}`)
  for (const path of described) need(files.has(path) || path === "manifest.json", `the SBOM invents ${path}`)
  for (const bundle of ["lib/effx/main.js", "lib/effx/program.js", "lib/effx/io-worker.js"]) {
    const names = all
      .filter((_, at) => places[at].includes(bundle))
      .map(({ group, name }) => (group ? `${group}/${name}` : name))
    for (const line of readFileSync(join(top, bundle), "utf8").split("\n")) {
      if (!line.startsWith("// node_modules/")) continue
      const parts = line.slice(16).split("/")
      const owner = parts[0].startsWith("@") ? parts.splice(0, 2).join("/") : parts.shift()
      const name = parts[0] === "vendor" && parts.length > 2 ? parts[1] : owner
      need(names.includes(name), `the SBOM misses ${name} in ${bundle}`)
    }
  }
  const digestOf = (component) => component?.hashes?.find(({ alg }) => alg === "SHA-256")?.content
  need(digestOf(all[0]) === archive, "the SBOM is of another archive")
  const versionAt = (path) => all.find((_, at) => at > 0 && places[at].includes(path))?.version
  need(all[0].version === manifest.version, "the SBOM is of another version")
  need(versionAt("lib/bun/bun") === manifest.components.bun, "the SBOM has another version of Bun")
  need(versionAt("lib/typescript/tsc") === manifest.components.typescript, "the SBOM has another TypeScript")
  const effect = all.find(({ group, name }) => group === undefined && name === "effect")
  need(effect === undefined || effect.version === manifest.components.effect, "the SBOM has another Effect")
  for (const [at, component] of all.entries()) {
    if (at > 0) need(places[at].length > 0, `the SBOM has ${component.name}, which is nowhere`)
    const digest = digestOf(component)
    if (at > 0 && digest !== undefined && places[at].length === 1) {
      need(files.get(places[at][0]) === digest, `the SBOM has another digest of ${component.name}`)
    }
  }
}

const main = ([archive, provenance, sbom, key]) => {
  const bytes = readFileSync(archive)
  const statement = statementOf(provenance, key)
  const { build, subjects } = checkStatement(statement)
  need(subjects.has(sha256(bytes)), `${basename(archive)} is no subject of the provenance`)
  const sbomBytes = readFileSync(sbom)
  need(subjects.has(sha256(sbomBytes)), `${basename(sbom)} is no subject of the provenance`)
  const { revision, tree } = build.externalParameters.source
  const isSource = ({ digest }) => digest?.gitCommit === revision && digest?.gitTree === tree
  need((build.resolvedDependencies ?? []).some(isSource), "the source is not among the dependencies")
  const folder = mkdtempSync(join(tmpdir(), "verify-release-"))
  try {
    const tar = execFileSync("xz", ["--decompress", "--stdout"], { input: bytes, maxBuffer: 1 << 29 })
    need(subjects.has(sha256(tar)), "the inner archive is no subject of the provenance")
    execFileSync("tar", ["--extract", "--preserve-permissions", "--no-same-owner", "--directory", folder], { input: tar })
    const release = checkContents(folder, subjects, build.externalParameters)
    checkSbom(json(sbomBytes.toString("utf8"), "the SBOM"), release, sha256(bytes))
    return `${basename(archive)}: ${release.manifest.files.length} files as released, commit ${revision}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const given = process.argv.slice(2)
if (given.length !== 4) {
  process.stderr.write("usage: node verify-release.mjs ARCHIVE PROVENANCE SBOM (PUBKEY | --unsigned)\n")
  process.exit(2)
}
try {
  process.stdout.write(`${main(given)}\n`)
} catch (error) {
  process.stderr.write(`refused: ${error.message.split("\n")[0]}\n`)
  process.exit(1)
}
