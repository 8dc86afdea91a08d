/** What an archive holds against the manifest inside it: no file changed, none missing, none added. */
import { Result } from "effect"
import { PATHS } from "../file-class.ts"
import type { Manifest } from "../manifest.ts"
import { parseManifest } from "../parse-manifest.ts"
import type { Problem } from "../problem.ts"
import { byPath } from "../tree.ts"
import type { TarContents } from "./tar-reader.ts"

export interface CheckedContents {
  readonly manifest?: Manifest
  readonly problems: ReadonlyArray<Problem>
}

/** Finds every problem, sorted by path; one that hides the manifest is the only one. */
export const checkContents = ({ files, top }: TarContents): CheckedContents => {
  const bytes = files.get(PATHS.manifest)?.bytes
  const read =
    bytes === undefined
      ? Result.fail<Problem>({ path: PATHS.manifest, expected: "a regular file", found: "nothing" })
      : parseManifest(bytes)
  if (Result.isFailure(read)) return { problems: [read.failure] }
  const manifest = read.success
  const problems: Array<Problem> = []
  const name = `effx-${manifest.version}-${manifest.target}`
  if (top !== name) problems.push({ path: top, expected: `the top folder ${name}`, found: top })
  const listed = new Set<string>([PATHS.manifest])
  for (const { mode, path, sha256, size } of manifest.files) {
    listed.add(path)
    const file = files.get(path)
    if (file === undefined) problems.push({ path, expected: "a regular file", found: "nothing" })
    else if (file.mode !== mode) problems.push({ path, expected: `mode ${mode}`, found: `mode ${file.mode}` })
    else if (file.size !== size) problems.push({ path, expected: `${size} bytes`, found: `${file.size} bytes` })
    else if (file.sha256 !== sha256) problems.push({ path, expected: `SHA-256 ${sha256}`, found: file.sha256 })
  }
  for (const path of files.keys()) {
    if (!listed.has(path)) problems.push({ path, expected: "nothing in this place", found: "a file" })
  }
  return { manifest, problems: byPath(problems) }
}
