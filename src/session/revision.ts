/** The name of one state of everything that a run read: equal revisions mean equal results, in any checkout. */
import type { Versions } from "@effx/compiler"
import { canonicalJson, compareStrings, sha256Hex } from "@effx/ir"
import { EFFX_VERSION } from "./version.ts"

/** A file that was read; `path` is relative to the project's folder. */
export interface InputHash {
  readonly path: string
  readonly hash: string
}

/**
 * SHA-256 over the sorted pairs of path and content hash and over the versions that decide what the same content means.
 *
 * @returns `sha256:` and lower-case hex
 */
export const revisionOf = (inputs: ReadonlyArray<InputHash>, versions: Versions | undefined): string => {
  const pairs = [...new Map(inputs.map(({ hash, path }) => [path, hash]))].sort((a, b) => compareStrings(a[0], b[0]))
  return `sha256:${sha256Hex(canonicalJson({ effx: EFFX_VERSION, inputs: pairs, versions: versions ?? {} }))}`
}
