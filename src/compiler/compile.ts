/**
 * The pipeline: `Collected` to IR, diagnostics and files. Pure; a pipeline run cannot fail on a user's mistake.
 */
import type { Diagnostic, Site } from "@effx/diagnostics"
import type { ApplicationIR } from "@effx/ir"
import type { Effect } from "effect"
import type { Collected, Spread, Versions } from "./collected.ts"
import type { ApiInfo, Extension, GeneratedFile } from "./extension.ts"
import type { CompilerFault } from "./fault.ts"
import type { Memory } from "./pipeline/compile.ts"
import type { Emit, Target } from "./target.ts"

export interface CompileOptions {
  readonly extensions: ReadonlyArray<Extension>
  /** Generators that config switched off, by name. Never changes validation, IR or hash. */
  readonly disabledGenerators: ReadonlyArray<string>
  readonly strictAccess: boolean
  readonly emit: Emit
  readonly target: Target
  readonly api: ApiInfo
  readonly importExtension: ".js" | ".ts" | ""
  /** False for `check`: generators do not run. */
  readonly generate: boolean
  /** What earlier compilations of the project left, to go on with; see `makeMemory`. */
  readonly memory?: Memory
}

export interface CompileResult {
  readonly ir: ApplicationIR
  readonly semanticHash: string
  /** Of all stages, in the order of file, position and code. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** Empty when `generate` is false or any diagnostic is an error. */
  readonly files: ReadonlyArray<GeneratedFile>
  /** Declaration sites by stable id, for the manifest and `inspect`. */
  readonly sites: Readonly<Record<string, Site>>
  readonly spreads: ReadonlyArray<Spread>
  readonly versions: Versions
}

export type Compile = (collected: Collected, options: CompileOptions) => Effect.Effect<CompileResult, CompilerFault>
