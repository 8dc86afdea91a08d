/**
 * What `effx.config.ts` exports. This module is what `@effx/cli/config` re-exports to projects, so it imports types only:
 * loading it starts nothing and costs nothing.
 */
import type { ApiInfo, Emit, Extension, Target } from "@effx/compiler"

/** Executable inputs that a long-lived session observes besides those it knows (Spec 0018 §3, amendment A). */
export interface ExecutableCoverage {
  readonly files?: ReadonlyArray<string>
  readonly directories?: ReadonlyArray<{ readonly path: string; readonly recursive: boolean }>
}

/** Paths resolve from the config's folder. */
export interface EffxConfig {
  /** The tsconfig to compile, or its folder; `tsconfig.json` beside the config unless given. */
  readonly project?: string
  /** Where generated code goes; `.effx/generated` beside the tsconfig unless given. */
  readonly outDir?: string
  /** What is generated: the contract, the handlers, or both (`all`, the default). */
  readonly emit?: Emit
  /** The Effect that generated code is written for; the installed one unless given. */
  readonly target?: Target
  /** Makes missing access declarations errors. */
  readonly strictAccess?: boolean
  /** More extensions, after the built-in ones; or a function from the built-in ones to the full list. */
  readonly extensions?: ReadonlyArray<Extension> | ((builtins: ReadonlyArray<Extension>) => ReadonlyArray<Extension>)
  /** Generators by name; `false` switches one off, which never changes validation, IR or hash. */
  readonly generators?: Readonly<Record<string, boolean>>
  /** Front matter of OpenAPI and help texts; what is missing comes from package.json. */
  readonly api?: Partial<ApiInfo>
  readonly executableCoverage?: ExecutableCoverage
}

/** Identity with a type: the way to write a config. */
export const defineConfig = (config: EffxConfig): EffxConfig => config
