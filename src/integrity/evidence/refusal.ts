/** Why a release is refused, by name: what people read is a `Problem`, what programs read is its cause. */
import type { Problem } from "../problem.ts"

/** Every reason for which the proof of a release fails. A name never changes its meaning. */
export const CAUSES = {
  unreadable: "a file cannot be read, or is larger than any of its kind",
  "archive-changed": "the archive is not the one that the provenance names",
  "archive-malformed": "the archive cannot be unpacked, or is not of the form that effx packs",
  "contents-changed": "a file is not what the release's manifest says",
  "provenance-malformed": "the file is neither an envelope nor a statement",
  "provenance-foreign": "the provenance is of another release",
  unsigned: "the statement is not signed",
  "key-missing": "the statement is signed, and no key is given to check it",
  "key-malformed": "the key is no Ed25519 public key",
  "payload-type-unknown": "the envelope holds something else than a statement",
  "signature-missing": "the envelope has no signature",
  "signature-double": "the envelope has more than one signature",
  "signature-malformed": "the signature is none of Ed25519",
  "signature-wrong": "the payload was changed after it was signed, or the signature was",
  "key-wrong": "another key signed",
  "type-unknown": "the payload is no in-toto Statement v1",
  "predicate-type-unknown": "the statement is no SLSA provenance v1",
  "build-type-unknown": "the release was made in a way that this program does not know",
  "builder-unknown": "the release was made by a builder that this program does not know",
  "parameter-unknown": "the build was given parameters that this program does not know",
  "sbom-foreign": "the SBOM is not the one that the provenance names",
  "sbom-malformed": "the file is no CycloneDX SBOM",
  "sbom-incomplete": "the SBOM misses something that is packed",
  "sbom-wrong": "the SBOM says something that is not so"
} as const
export type Cause = keyof typeof CAUSES

export interface Refusal extends Problem {
  readonly cause: Cause
}

export const refusal = (cause: Cause, path: string, expected: string, found: string): Refusal => ({
  cause,
  path,
  expected,
  found
})
