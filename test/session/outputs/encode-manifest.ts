/** The manifest of a made-up output set. */
import { canonicalJson, sha256Hex } from "@effx/ir"
import type { Manifest, OutputFile } from "@effx/session"

export const encodeManifest = (project: string, files: ReadonlyArray<OutputFile>, outDir = "generated"): string => {
  const manifest: typeof Manifest.Type = {
    format: "effx-manifest",
    version: 1,
    project,
    versions: { effx: "0.0.0", typescript: "0.0.0" },
    semanticHash: "0".repeat(64),
    outDir,
    files: Object.fromEntries(files.map(({ path, text }) => [path, sha256Hex(text)])),
    diagnostics: [],
    declarations: {},
    spreads: []
  }
  return `${canonicalJson(manifest)}\n`
}
