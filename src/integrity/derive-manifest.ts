/**
 * Derives the manifest of a finished release from its files, and refuses a release whose files break an assertion: an entry that is
 * no regular file, a path without a class, a wrong mode, an ELF file that elf/policy.ts rejects, a mention of the Nix store.
 */
import { compareStrings } from "@effx/ir"
import { Effect, Result } from "effect"
import { bytesOf } from "./elf/bytes.ts"
import { elfProblems } from "./elf/policy.ts"
import { readElf } from "./elf/read-elf.ts"
import { isElf } from "./elf/segments.ts"
import { type FileClass, fileClassOf, PATHS, REQUIRED } from "./file-class.ts"
import * as host from "./host.ts"
import { LIMITS } from "./limits.ts"
import { floorOf, MANIFEST_FORMAT, type Manifest, type ManifestFile, type ReleaseFacts, TARGET } from "./manifest.ts"
import { pathProblem } from "./path-rule.ts"
import { type Problem, ReleaseRefused } from "./problem.ts"
import { storeMention } from "./store-path.ts"
import { listTree } from "./tree.ts"

/**
 * The manifest of the release in `folder`, its top folder. A `manifest.json` that is already there is not read.
 *
 * @param facts what the files cannot say
 */
export const deriveManifest = (folder: string, facts: ReleaseFacts): Effect.Effect<Manifest, ReleaseRefused> =>
  Effect.suspend(() => {
    const tree = listTree(folder)
    const problems: Array<Problem> = [...tree.problems]
    const files: Array<ManifestFile> = []
    const paths = [...tree.entries.keys()].filter((path) => path !== PATHS.manifest).sort(compareStrings)
    for (const path of REQUIRED) {
      if (!tree.entries.has(path)) problems.push({ path, expected: "a file", found: "nothing" })
    }
    for (const path of paths) {
      const judged = judge(folder, path)
      problems.push(...judged.problems)
      if (judged.file !== undefined) files.push(judged.file)
    }
    if (problems.length > 0) return Effect.fail(ReleaseRefused.of(problems))
    return Effect.succeed({ ...facts, files, format: MANIFEST_FORMAT, glibcFloor: floorOf(files), target: TARGET })
  })

interface Judged {
  readonly file?: ManifestFile
  readonly problems: ReadonlyArray<Problem>
}

const judge = (folder: string, path: string): Judged => {
  const refuse = (expected: string, found: string): Judged => ({ problems: [{ path, expected, found }] })
  const rule = pathProblem(path)
  if (rule !== undefined) return refuse("a portable path", rule)
  const fileClass = fileClassOf(path)
  if (fileClass === undefined) return refuse("a path that has a class", "none; see file-class.ts")
  const status = host.status(`${folder}/${path}`)
  if (host.isRefusal(status)) return refuse("a file", status.code)
  if (status.kind !== "file") return refuse("a regular file", `a ${status.kind}`)
  const mode = status.mode === 0o755 ? "755" : status.mode === 0o644 ? "644" : undefined
  if (mode === undefined) return refuse("the mode 644 or 755", status.mode.toString(8))
  if (status.size > LIMITS.fileBytes) return refuse(`at most ${LIMITS.fileBytes} bytes`, `${status.size}`)
  const bytes = read(`${folder}/${path}`, status.size)
  if (host.isRefusal(bytes)) return refuse("a readable file", bytes.code)
  return judgeBytes(path, fileClass, mode, bytes)
}

const read = (path: string, size: number): Uint8Array | host.Refusal => {
  const descriptor = host.open(path)
  if (host.isRefusal(descriptor)) return descriptor
  const bytes = host.bytesOfDescriptor(descriptor, size)
  host.close(descriptor)
  return bytes
}

const judgeBytes = (path: string, fileClass: FileClass, mode: ManifestFile["mode"], bytes: Uint8Array): Judged => {
  const problems: Array<Problem> = []
  const mention = storeMention(bytes)
  if (mention !== undefined) problems.push({ path, expected: "no path of the Nix store", found: mention })
  const elf = isElf(bytesOf(bytes)) ? readElf(bytes) : undefined
  if (elf !== undefined && Result.isFailure(elf)) {
    problems.push({ path, expected: "a well-formed ELF file", found: elf.failure.message })
  }
  if (elf !== undefined && Result.isSuccess(elf)) problems.push(...elfProblems(path, elf.success))
  if (elf === undefined && MUST_BE_ELF.has(path))
    problems.push({ path, expected: "an ELF file", found: "another file" })
  return {
    problems,
    file: {
      class: fileClass,
      ...(elf !== undefined && Result.isSuccess(elf) && { elf: elf.success.record }),
      mode,
      path,
      sha256: host.sha256(bytes),
      size: bytes.length
    }
  }
}

const MUST_BE_ELF: ReadonlySet<string> = new Set([PATHS.runtime, PATHS.engine, PATHS.shim])
