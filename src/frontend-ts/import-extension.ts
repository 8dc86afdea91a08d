/** How the project writes the end of a relative import, which generated code follows. */
import type { View } from "./engine.ts"
import { ModuleKind, ModuleResolutionKind, type ParsedCommandLine } from "./program.ts"

export type ImportExtension = ".js" | ".ts" | ""

type Options = ParsedCommandLine["options"]

const NODE_MODULES = new Set<number | undefined>([
  ModuleKind.Node16,
  ModuleKind.Node18,
  ModuleKind.Node20,
  ModuleKind.NodeNext
])

/** Whether relative imports need an extension, as Node asks of ES modules. */
const isNodeResolution = (options: Options): boolean =>
  options.moduleResolution === undefined
    ? NODE_MODULES.has(options.module)
    : options.moduleResolution === ModuleResolutionKind.Node16 ||
      options.moduleResolution === ModuleResolutionKind.NodeNext

const RELATIVE_IMPORT = /\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"'\n]*)["']/g

const styleOf = (specifier: string): ImportExtension | undefined =>
  /\.[cm]?jsx?$/.test(specifier)
    ? ".js"
    : /\.[cm]?tsx?$/.test(specifier)
      ? ".ts"
      : /\/[^./]*$/.test(specifier)
        ? ""
        : undefined

/**
 * The extension that most relative imports of the sources use, among those that the options allow; with no relative
 * import, `.js` under Node's resolution and none under a bundler's.
 */
export const importExtensionOf = (
  options: Options,
  fileNames: ReadonlyArray<string>,
  view: Pick<View, "readFile">
): ImportExtension => {
  const node = isNodeResolution(options)
  const allowed: ReadonlyArray<ImportExtension> = [
    ...(node ? [] : ([""] as const)),
    ".js",
    ...(options.allowImportingTsExtensions === true || options.rewriteRelativeImportExtensions === true
      ? ([".ts"] as const)
      : [])
  ]
  const counts = new Map<ImportExtension, number>()
  for (const fileName of fileNames) {
    for (const match of (view.readFile(fileName) ?? "").matchAll(RELATIVE_IMPORT)) {
      const style = styleOf(match[1] ?? "")
      if (style !== undefined) counts.set(style, (counts.get(style) ?? 0) + 1)
    }
  }
  return allowed.reduce((best, style) => ((counts.get(style) ?? 0) > (counts.get(best) ?? 0) ? style : best))
}
