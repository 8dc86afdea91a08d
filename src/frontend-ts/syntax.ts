/** The first syntax error of each of the project's files, as EFFX1107. */
import type { CompilerFault } from "@effx/compiler"
import { type Diagnostic, EFFX1107 } from "@effx/diagnostics"
import { Effect } from "effect"
import type { SourceFile } from "typescript/ast"
import { paths } from "./host.ts"
import type { EngineDiagnostic, Program } from "./program.ts"
import type { WorldSnapshot } from "./snapshot.ts"
import { sourceText } from "./text.ts"

/**
 * @param files the project's own
 * @param root locations are relative to it
 */
export const syntaxFindings = (
  program: Program,
  snapshot: WorldSnapshot,
  root: string,
  files: ReadonlyArray<SourceFile>
): Effect.Effect<ReadonlyArray<Diagnostic>, CompilerFault> =>
  Effect.map(program.syntacticDiagnostics, (found) => {
    const first = new Map<string, EngineDiagnostic>()
    for (const each of found) {
      const before = each.fileName === undefined ? undefined : first.get(each.fileName)
      if (each.fileName !== undefined && (before === undefined || each.pos < before.pos)) first.set(each.fileName, each)
    }
    return files.flatMap((file) => {
      const { fileName } = file
      const error = first.get(fileName)
      if (error === undefined) return []
      const site = sourceText(paths.relative(root, fileName), file.text, snapshot.hadMark(fileName)).site(
        error.pos,
        error.end
      )
      return [EFFX1107.make({ problem: error.text.replace(/\s*\n\s*/g, " ").replace(/\.$/, "") }, { site })]
    })
  })
