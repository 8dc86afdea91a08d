/** What generated code writes in an import, for each module that the references name. */
import { sortedBy } from "@effx/ir"
import { paths } from "./host.ts"
import type { ImportExtension } from "./import-extension.ts"
import { stripExtension } from "./package-exports.ts"

/**
 * The import specifier of a source file.
 *
 * @param from the folder of the importing file
 * @param file the declaring file
 * @param style how the project ends relative imports
 */
export const specifierOf = (from: string, file: string, style: ImportExtension): string => {
  const path = paths.relative(from, file)
  const base = stripExtension(path)
  const dotted = base.startsWith(".") ? base : `./${base}`
  const extension = path.slice(base.length)
  // A declaration file stands for the script beside it; `.mts` and `.cts` have no form without extension.
  if (extension.startsWith(".d."))
    return style === "" && extension === ".d.ts" ? dotted : dotted + script(extension.slice(2))
  if (style === ".ts") return dotted + extension
  if (style === "" && !/^\.[mc]/.test(extension)) return dotted
  return dotted + script(extension)
}

const script = (extension: string): string =>
  extension.startsWith(".m") ? ".mjs" : extension.startsWith(".c") ? ".cjs" : ".js"

/** The map from `SchemaRef.module` to specifiers. */
export const moduleMap = (
  outDir: string,
  relative: ReadonlyMap<string, string>,
  bare: ReadonlySet<string>,
  style: ImportExtension
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    sortedBy(
      [
        ...Array.from(relative, ([module, file]) => [module, specifierOf(outDir, file, style)] as const),
        ...Array.from(bare, (module) => [module, module] as const)
      ],
      ([module]) => module
    )
  )
