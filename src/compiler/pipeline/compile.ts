/**
 * The pipeline: interpret, merge, normalize, analyze, generate. Total: a mistake of a user or of an extension is a diagnostic.
 *
 * Guarantees: a result depends on what was collected and on the options alone; a memory only saves time.
 */
import { type Diagnostic, EFFX1107 } from "@effx/diagnostics"
import { semanticHash } from "@effx/ir"
import { Effect } from "effect"
import type { Collected } from "../collected.ts"
import type { Compile, CompileOptions, CompileResult } from "../compile.ts"
import { orderDiagnostics } from "../source-order.ts"
import { inAuthorsWords } from "./authors-words.ts"
import { generate } from "./generate.ts"
import { makePipeline, type Pipeline } from "./pipeline.ts"

/** What compilations of one project go on with. */
export interface Memory {
  pipeline?: Pipeline
}

export const makeMemory = (): Memory => ({})

const hasError = (diagnostics: ReadonlyArray<Diagnostic>): boolean =>
  diagnostics.some(({ severity }) => severity === "error")

/** The pipeline of a memory, as long as the options by which it was made are the same. */
const pipelineOf = ({ extensions, memory, strictAccess }: CompileOptions): Pipeline => {
  const known = memory?.pipeline
  const fits =
    known?.options.strictAccess === strictAccess &&
    known.extensions.length === extensions.length &&
    known.extensions.every((extension, index) => extension === extensions[index])
  const pipeline = fits ? known : makePipeline(extensions, { strictAccess })
  if (memory !== undefined) memory.pipeline = pipeline
  return pipeline
}

const run = (collected: Collected, options: CompileOptions): CompileResult => {
  const pipeline = pipelineOf(options)
  const { diagnostics: found, index, sites } = pipeline.next(collected)
  const { api, disabledGenerators, emit, importExtension, target } = options
  const generation =
    options.generate && !hasError(found)
      ? generate(
          { ir: index().ir, index: index(), modules: collected.modules, emit, target, api, importExtension },
          pipeline.supervisors,
          disabledGenerators
        )
      : { files: [], diagnostics: [] }
  return {
    // A check has no use for the graph, its hash and the table.
    get ir() {
      return index().ir
    },
    get semanticHash() {
      return semanticHash(index().ir)
    },
    diagnostics: orderDiagnostics(inAuthorsWords(collected, withoutGuesses([...found, ...generation.diagnostics]))),
    files: hasError(generation.diagnostics) ? [] : generation.files,
    get sites() {
      return sites()
    },
    spreads: collected.spreads,
    versions: collected.versions
  }
}

/** What is found in a file that is not well-formed follows from a guess at what was meant; only the syntax error itself counts. */
const withoutGuesses = (diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
  const malformed = new Set(
    diagnostics.flatMap(({ code, location }) =>
      code === EFFX1107.code && location !== undefined ? [location.file] : []
    )
  )
  return malformed.size === 0
    ? diagnostics
    : diagnostics.filter(
        ({ code, location }) => code === EFFX1107.code || location === undefined || !malformed.has(location.file)
      )
}

/** Compiles what a frontend collected. */
export const compile: Compile = (collected, options) => Effect.sync(() => run(collected, options))
