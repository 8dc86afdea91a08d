/**
 * Reads a `manifest.json` strictly: canonical bytes, no key unknown or twice, paths portable, unique and sorted, each with the class
 * that its place gives it, every file there without which nothing runs, and a glibc floor that follows from the files.
 */
import { Result } from "effect"
import { compareVersions } from "./elf/glibc-version.ts"
import { FILE_CLASSES, fileClassOf, PATHS, REQUIRED } from "./file-class.ts"
import { LIMITS } from "./limits.ts"
import { floorOf, MANIFEST_FORMAT, type Manifest, type ManifestFile, TARGET } from "./manifest.ts"
import { pathProblem } from "./path-rule.ts"
import type { Problem } from "./problem.ts"
import { flag, list, natural, object, oneOf, text } from "./shape.ts"

const line = text(/^[^\p{Cc}]{1,256}$/u, "a line of text")
const name = text(/^[^\p{Cc}]{0,4096}$/u, "a name")
const objectName = text(/^([0-9a-f]{40}|[0-9a-f]{64})$/, "the name of a Git object")

const elf = object(
  {
    bindNow: flag,
    class: oneOf(["ELF64"]),
    executableStack: flag,
    glibcFloor: name,
    interpreter: name,
    machine: name,
    needed: list(name, LIMITS.elfDynamicEntries),
    relro: flag,
    rpath: name,
    runpath: name,
    soname: name,
    textRelocations: flag,
    type: oneOf(["EXEC", "DYN"]),
    versions: list(object({ library: name, version: name }), LIMITS.elfVersions),
    writableCode: flag
  },
  new Set(["glibcFloor", "interpreter", "rpath", "runpath", "soname"])
)

const shape = object({
  components: object({ bun: line, effect: line, typescript: line }),
  files: list(
    object(
      {
        class: oneOf(FILE_CLASSES),
        elf,
        mode: oneOf(["644", "755"]),
        path: (value, place) => (typeof value === "string" ? undefined : `${place} must be a path`),
        sha256: text(/^[0-9a-f]{64}$/, "a SHA-256 in lower-case hex"),
        size: natural(LIMITS.fileBytes)
      },
      new Set(["elf"])
    ),
    LIMITS.manifestFiles
  ),
  format: oneOf([MANIFEST_FORMAT]),
  glibcFloor: text(/^\d{1,4}(\.\d{1,4}){1,3}$/, "a version of glibc"),
  source: object({ revision: objectName, tree: objectName }),
  target: oneOf([TARGET]),
  toolchain: object({ compiler: line, headers: line }),
  version: line
})

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** `JSON.parse` and the decoder throw; both mean the same here. */
const json = (bytes: Uint8Array): { readonly text: string; readonly value: unknown } | undefined => {
  try {
    const text = utf8.decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The manifest that bytes encode. */
export const parseManifest = (bytes: Uint8Array): Result.Result<Manifest, Problem> => {
  const refuse = (expected: string, found: string) => Result.fail({ path: PATHS.manifest, expected, found })
  if (bytes.length > LIMITS.manifestBytes) return refuse(`at most ${LIMITS.manifestBytes} bytes`, `${bytes.length}`)
  const parsed = json(bytes)
  if (parsed === undefined) return refuse("JSON", `${bytes.length} bytes that are none`)
  const problem = shape(parsed.value, "it")
  if (problem !== undefined) return refuse(`the format ${MANIFEST_FORMAT}`, `that ${problem}`)
  // Keys are known and in order by now, so that the plain encoding is the canonical one; a key given twice shows here.
  if (`${JSON.stringify(parsed.value)}\n` !== parsed.text) return refuse("canonical JSON", "another encoding")
  const manifest = parsed.value as Manifest
  const wrong = filesProblem(manifest.files) ?? floorProblem(manifest)
  return wrong === undefined ? Result.succeed(manifest) : refuse(...wrong)
}

type Wrong = readonly [expected: string, found: string]

const filesProblem = (files: ReadonlyArray<ManifestFile>): Wrong | undefined => {
  let before = ""
  const listed = new Set<string>()
  for (const { class: stated, path } of files) {
    const problem = pathProblem(path)
    if (problem !== undefined) return ["portable paths", problem]
    if (path <= before) return ["unique paths in order", path === before ? `${path} twice` : `${path} after ${before}`]
    const known = fileClassOf(path)
    if (known !== stated) return [`the class ${known ?? "of a known place"} for ${path}`, stated]
    before = path
    listed.add(path)
  }
  const missing = REQUIRED.find((path) => !listed.has(path))
  return missing === undefined ? undefined : [`the file ${missing} in its list`, "none"]
}

const floorProblem = (manifest: Manifest): Wrong | undefined => {
  const floor = floorOf(manifest.files)
  return compareVersions(floor, manifest.glibcFloor) > 0
    ? [`a glibc floor of ${floor} or higher, which its files need`, manifest.glibcFloor]
    : undefined
}
