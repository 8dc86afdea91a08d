/** The complete output set of a compiled project: IR, surface, generated code and the manifest that lists them. Pure. */
import { type CompileResult, surface } from "@effx/compiler"
import type { Diagnostic } from "@effx/diagnostics"
import { canonical, canonicalJson, sha256Hex } from "@effx/ir"
import { EFFX_VERSION } from "../version.ts"
import { encodeRecord, type Manifest } from "./manifest.ts"
import { IR, MANIFEST, type OutputSet, SURFACE } from "./output-set.ts"
import type { OutputFile } from "./plan.ts"

/**
 * @param compiled a result without errors, whose generators ran
 * @param diagnostics of the whole run
 * @returns every file by its path relative to the tsconfig's folder; the manifest is the last one
 */
export const artifactsOf = (
  { outDir, project }: Pick<OutputSet, "outDir" | "project">,
  compiled: CompileResult,
  diagnostics: ReadonlyArray<Diagnostic>
): ReadonlyArray<OutputFile> => {
  const below = outDir === "" ? "" : `${outDir}/`
  const files: ReadonlyArray<OutputFile> = [
    { path: IR, text: `${canonical(compiled.ir)}\n` },
    { path: SURFACE, text: `${canonicalJson(surface(compiled.ir))}\n` },
    ...compiled.files.map(({ path, text }) => ({ path: `${below}${path}`, text }))
  ]
  const manifest: Manifest = {
    format: "effx-manifest",
    version: 1,
    project,
    versions: { effx: EFFX_VERSION, ...compiled.versions },
    semanticHash: compiled.semanticHash,
    outDir,
    files: Object.fromEntries(files.map(({ path, text }) => [path, sha256Hex(text)])),
    diagnostics,
    declarations: compiled.sites,
    spreads: compiled.spreads
  }
  return [...files, { path: MANIFEST, text: encodeRecord(manifest) }]
}
