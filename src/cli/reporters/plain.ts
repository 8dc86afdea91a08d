/** One line a finding, `CODE severity  message  file:line:col`, grouped by file in the order of first appearance. */
import type { Diagnostic } from "@effx/diagnostics"
import { lastLine, placeOf, type Reporter } from "./report.ts"
import { visible } from "./style.ts"

const grouped = (diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> =>
  Array.from(Map.groupBy(diagnostics, (diagnostic) => diagnostic.location?.file).values()).flat()

export const plain: Reporter = (report, surroundings) => {
  const { style } = surroundings
  const lines = grouped(report.diagnostics).map((diagnostic) => {
    const head = `${style.strong(diagnostic.code)} ${style[diagnostic.severity](diagnostic.severity)}`
    const place =
      diagnostic.location === undefined ? "" : `  ${style.place(visible(placeOf(diagnostic.location, surroundings)))}`
    return `${head}  ${visible(diagnostic.message)}${place}`
  })
  return `${[...lines, lastLine(report)].join("\n")}\n`
}
