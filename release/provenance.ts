/**
 * The provenance of a release: an in-toto Statement v1 with a SLSA provenance v1 predicate, in one compact encoding. It says which files
 * were made, from which commit, and which pinned inputs may have taken part.
 *
 * Deterministic, and closed: every field is named here; no variable, argument, configuration or failure can get into it.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { BUILD_TYPE, BUILDER, type Manifest, PREDICATE_TYPE, STATEMENT_TYPE } from "@effx/integrity"
import { canonicalJson } from "@effx/ir"
import { type LockedPackage, npmPurl } from "./locks.ts"
import { root } from "./root.ts"

export interface ProvenanceFacts {
  readonly manifest: Manifest
  /** SHA-256 digests by the names of what was made. */
  readonly subjects: Readonly<Record<string, string>>
  /** The compressor by name and version. */
  readonly compressor: string
  readonly locked: ReadonlyArray<LockedPackage>
}

interface FlakeLock {
  readonly nodes: {
    readonly nixpkgs: { readonly locked: Readonly<Record<"narHash" | "owner" | "repo" | "rev", string>> }
  }
}

const nixpkgs = () => {
  const lock: FlakeLock = JSON.parse(readFileSync(join(root, "flake.lock"), "utf8"))
  const { narHash, owner, repo, rev } = lock.nodes.nixpkgs.locked
  return {
    name: "nixpkgs",
    uri: `git+https://github.com/${owner}/${repo}@${rev}`,
    digest: { gitCommit: rev },
    annotations: { narHash }
  }
}

/** The statement's bytes, as text. */
export const statementOf = ({ compressor, locked, manifest, subjects }: ProvenanceFacts): string => {
  const { revision, tree } = manifest.source
  return canonicalJson({
    _type: STATEMENT_TYPE,
    predicateType: PREDICATE_TYPE,
    subject: Object.entries(subjects)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { source: { revision, tree }, target: manifest.target, version: manifest.version },
        internalParameters: { ...manifest.toolchain, compressor },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: revision, gitTree: tree } },
          nixpkgs(),
          ...locked.map(({ name, sha512, version }) => ({ name, uri: npmPurl(name, version), digest: { sha512 } }))
        ]
      },
      runDetails: { builder: { id: BUILDER } }
    }
  })
}
