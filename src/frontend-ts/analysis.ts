/** What every step of one collection shares: one world, its project, and the findings so far. */
import type { CompilerFault, GuardFacts } from "@effx/compiler"
import type { Diagnostic, Site } from "@effx/diagnostics"
import type { Effect } from "effect"
import type { Expression, Node } from "typescript/ast"
import type { Checker, EngineSymbol, Type } from "./checker.ts"
import type { SymbolKind } from "./classify.ts"
import { paths } from "./host.ts"
import type { Inferred } from "./infer.ts"
import type { Named } from "./named.ts"
import type { Program } from "./program.ts"
import type { ProjectFacts } from "./project.ts"
import type { References } from "./references.ts"
import type { RuntimeNames } from "./runtime-names.ts"
import type { WorldSnapshot } from "./snapshot.ts"
import type { Names } from "./symbols.ts"
import { type SourceText, sourceText } from "./text.ts"

export interface Analysis {
  readonly checker: Checker
  readonly program: Program
  readonly snapshot: WorldSnapshot
  readonly facts: ProjectFacts
  readonly names: Names
  readonly runtime: RuntimeNames
  readonly references: References
  readonly named: Named
  readonly kindOf: (symbol: EngineSymbol) => Effect.Effect<SymbolKind, CompilerFault>
  /** The initializer of a constant. */
  readonly initializerOf: (symbol: EngineSymbol) => Effect.Effect<Expression | undefined, CompilerFault>
  /** What an HTTP middleware class says of itself. */
  readonly guardOf: (symbol: EngineSymbol) => Effect.Effect<GuardFacts, CompilerFault>
  /** What a handler that returns this type is inferred to do. */
  readonly inferredOf: (type: Type) => Effect.Effect<Inferred, CompilerFault>
  /** The site of a node, without the trivia before it; `from` lets it begin at a node inside it. */
  readonly siteOf: (node: Node, from?: Node) => Site
  /** A path as locations have it: relative to the project. */
  readonly fileOf: (path: string) => string
  /** Adds a finding; order does not matter. */
  readonly report: (diagnostic: Diagnostic) => void
}

/** Sites of nodes, with one line table per file. */
export const makeSites = (snapshot: WorldSnapshot, root: string): Pick<Analysis, "siteOf" | "fileOf"> => {
  const texts = new Map<string, SourceText>()
  const fileOf = (path: string): string => paths.relative(root, path)
  return {
    fileOf,
    siteOf: (node, from = node) => {
      const file = node.getSourceFile()
      let text = texts.get(file.fileName)
      if (text === undefined) {
        text = sourceText(fileOf(file.fileName), file.text, snapshot.hadMark(file.fileName))
        texts.set(file.fileName, text)
      }
      return text.site(from.getStart(file), node.end)
    }
  }
}
