/** The program of one world: its files, its command line and what the engine has to say about its configuration. */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import type { SourceFile, StringLiteralLikeNode } from "typescript/ast"
import {
  type Diagnostic as EngineDiagnostic,
  type Program as EngineProgram,
  ModuleKind,
  ModuleResolutionKind,
  type ParsedCommandLine,
  type ResolvedModule,
  type SourceFileMetadata
} from "typescript/async"
import type { Send } from "./engine.ts"
import { asking } from "./wave.ts"

export type { EngineDiagnostic, ParsedCommandLine, ResolvedModule, SourceFile, SourceFileMetadata }
export { ModuleKind, ModuleResolutionKind }

type Answer<A> = Effect.Effect<A, CompilerFault>

export interface Program {
  readonly commandLine: ParsedCommandLine
  /** Absolute paths of every file, libraries included. */
  readonly fileNames: Answer<ReadonlyArray<string>>
  /** The tsconfig and everything that it extends. */
  readonly configFileNames: Answer<ReadonlyArray<string>>
  readonly sourceFile: (fileName: string) => Answer<SourceFile | undefined>
  readonly configFile: (fileName: string) => Answer<SourceFile | undefined>
  readonly metadata: (fileName: string) => Answer<SourceFileMetadata | undefined>
  /** What the specifier of an import or a re-export leads to. */
  readonly resolvedModule: (specifier: StringLiteralLikeNode) => Answer<ResolvedModule | undefined>
  /** Findings about the tsconfig and about options; not about sources. */
  readonly configDiagnostics: Answer<ReadonlyArray<EngineDiagnostic>>
  readonly programDiagnostics: Answer<ReadonlyArray<EngineDiagnostic>>
  /** Syntax errors of every file. */
  readonly syntacticDiagnostics: Answer<ReadonlyArray<EngineDiagnostic>>
}

/** Wraps the engine's program of one project. */
export const makeProgram = (send: Send, program: EngineProgram, commandLine: ParsedCommandLine): Program => ({
  commandLine,
  fileNames: once(send, () => program.getSourceFileNames()),
  configFileNames: once(send, () => program.getConfigFileNames()),
  sourceFile: asking(send, (fileName: string) => program.getSourceFile(fileName)),
  configFile: asking(send, (fileName: string) => program.getConfigSourceFile(fileName)),
  metadata: asking(send, (fileName: string) => program.getSourceFileMetadata(fileName)),
  resolvedModule: asking(send, (specifier: StringLiteralLikeNode) =>
    program.getResolvedModuleFromModuleSpecifier(specifier)
  ),
  configDiagnostics: once(send, () => program.getConfigFileParsingDiagnostics()),
  programDiagnostics: once(send, () => program.getProgramDiagnostics()),
  syntacticDiagnostics: once(send, () => program.getSyntacticDiagnostics())
})

/** A question about the program as a whole. */
const once = <A>(send: Send, request: () => Promise<A>): Answer<A> => {
  const question = asking(send, request)
  return Effect.suspend(() => question(undefined))
}
