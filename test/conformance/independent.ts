/** Runs the independent verifier, under the machine's own Node: a Bun that runs the tests puts itself first in PATH under that name. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import { delimiter, join } from "node:path"

const PATH = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !/\/bun-node-[^/]*$/.test(folder))
  .join(delimiter)

/** @param trust the file of a public key, or `--unsigned` */
export const independently = (
  release: string,
  provenance: string,
  sbom: string,
  trust: string
): SpawnSyncReturns<string> =>
  spawnSync("node", [join(import.meta.dirname, "verify-release.mjs"), release, provenance, sbom, trust], {
    encoding: "utf8",
    env: { PATH }
  })
