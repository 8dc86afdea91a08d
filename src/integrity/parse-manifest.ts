/**
 * Reads a `manifest.json` strictly: whole by its own digest, canonical text, no key unknown or twice, paths portable, unique and sorted, each with the class
 * that its place gives it, every file there without which nothing runs, and the glibc floor that follows from the files.
 */
import { Result, Schema } from "effect"
import { compareVersions } from "./elf/glibc-version.ts"
import { fileClassOf, PATHS, REQUIRED } from "./file-class.ts"
import { indexOfBytes, sha256Without } from "./host.ts"
import { LIMITS } from "./limits.ts"
import { floorOf, MANIFEST_FORMAT, Manifest, type ManifestFile } from "./manifest.ts"
import { hasManifestForm } from "./manifest-form.ts"
import { arePlainPaths, pathProblem } from "./path-rule.ts"
import type { Problem } from "./problem.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** What the decoder and `JSON.parse` throw means the same here. */
const attempt = <A>(run: () => A): A | undefined => {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** The manifest that bytes encode. */
export const parseManifest = (bytes: Uint8Array): Result.Result<Manifest, Problem> => {
  const refuse = (expected: string, found: string) => Result.fail({ path: PATHS.manifest, expected, found })
  if (bytes.length > LIMITS.manifestBytes) return refuse(`at most ${LIMITS.manifestBytes} bytes`, "more")
  const text = attempt(() => utf8.decode(bytes))
  if (text === undefined) return refuse("a manifest", `${bytes.length} bytes that are not UTF-8`)
  const json = attempt(() => ({ value: JSON.parse(text) as unknown }))
  if (json === undefined) return refuse("a manifest", `${bytes.length} bytes that are not JSON`)
  if (`${JSON.stringify(json.value)}\n` !== text) return refuse("canonical JSON", "another encoding")
  const { digest, ...manifest } = Object(json.value) as Readonly<Record<string, unknown>>
  if (!hasManifestForm(manifest)) return refuse(`the format ${MANIFEST_FORMAT}`, whyNot(manifest))
  if (!hasDigest(bytes, digest)) return refuse("bytes that have the digest which they state", "others")
  const wrong = filesProblem(manifest.files) ?? floorProblem(manifest)
  return wrong === undefined ? Result.succeed(manifest) : refuse(...wrong)
}

/** Whether bytes have the digest that they state: the SHA-256 of what they are without it. */
const hasDigest = (bytes: Uint8Array, digest: unknown): boolean => {
  const field = `"digest":"${digest}",`
  const at = indexOfBytes(bytes, field)
  return at > 0 && sha256Without(bytes, at, at + field.length) === digest
}

const decode = Schema.decodeUnknownResult(Manifest)

/** Why a value is no manifest: the schema can say. */
const whyNot = (value: unknown): string => {
  const decoded = decode(value, { onExcessProperty: "error", errors: "first" })
  return Result.isFailure(decoded)
    ? decoded.failure.message.replace(/\s+/g, " ").slice(0, LIMITS.quotedReason)
    : "its keys in another order"
}

type Wrong = readonly [expected: string, found: string]

const filesProblem = (files: ReadonlyArray<ManifestFile>): Wrong | undefined => {
  // One match over all paths settles it for nearly every release.
  const isPlain = arePlainPaths(files.map(({ path }) => path))
  let before = ""
  let required = 0
  for (const { class: stated, path } of files) {
    const problem = isPlain ? undefined : pathProblem(path)
    if (problem !== undefined) return ["portable paths", problem]
    if (path <= before) return ["unique paths in order", path === before ? `${path} twice` : `${path} after ${before}`]
    const known = fileClassOf(path)
    if (known !== stated) return [`the class ${known ?? "of a known place"} for ${path}`, stated]
    if (REQUIRED.has(path)) required++
    before = path
  }
  if (required === REQUIRED.size) return undefined
  const missing = [...REQUIRED].find((path) => !files.some((file) => file.path === path))
  return [`the file ${missing} in its list`, "none"]
}

/** The floor is one that a file has, and no file has a higher one. */
const floorProblem = ({ files, glibcFloor }: Manifest): Wrong | undefined => {
  const floors = files.flatMap(({ elf }) => elf?.glibcFloor ?? [])
  if (
    floors.includes(glibcFloor) &&
    floors.every((floor) => floor === glibcFloor || compareVersions(floor, glibcFloor) < 0)
  ) {
    return undefined
  }
  const floor = floorOf(files)
  return floor === glibcFloor ? undefined : [`the glibc floor ${floor}, which its files need`, glibcFloor]
}
