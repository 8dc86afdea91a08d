/** The version of effx, as manifests, revisions and `--version` show it. */
import manifest from "./package.json" with { type: "json" }

export const EFFX_VERSION: string = manifest.version
