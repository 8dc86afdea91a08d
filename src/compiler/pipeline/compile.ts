/**
 * The pipeline: interpret, merge, normalize, analyze, generate. Pure and total: a mistake of a user or of an extension is
 * a diagnostic.
 */
import { type Diagnostic, EFFX1107 } from "@effx/diagnostics"
import { applicationIR, indexOf, semanticHash } from "@effx/ir"
import { Effect } from "effect"
import { builtins } from "../builtins.ts"
import type { Collected } from "../collected.ts"
import type { Compile, CompileOptions, CompileResult } from "../compile.ts"
import { orderDiagnostics } from "../source-order.ts"
import { analyze } from "./analyze.ts"
import { inAuthorsWords } from "./authors-words.ts"
import { checkExtensions, supervise } from "./extension-contract.ts"
import { generate } from "./generate.ts"
import { graphFindings } from "./graph-findings.ts"
import { interpret } from "./interpret.ts"

const hasError = (diagnostics: ReadonlyArray<Diagnostic>): boolean =>
  diagnostics.some(({ severity }) => severity === "error")

const run = (collected: Collected, options: CompileOptions): CompileResult => {
  const { extensions, strictAccess } = options
  const contract = checkExtensions(extensions, builtins)
  const supervisors = extensions.map((extension) => supervise(extension, builtins.includes(extension)))
  const interpretation = interpret(collected, supervisors)
  const index = indexOf(
    // Contributions share objects; what is one object is encoded once.
    applicationIR(
      Array.from(new Set(interpretation.nodes.map(({ value }) => value))),
      Array.from(new Set(interpretation.edges.map(({ value }) => value)))
    )
  )
  const { ir } = index
  const found = [
    ...collected.diagnostics,
    ...contract,
    ...interpretation.diagnostics,
    ...graphFindings(interpretation),
    ...analyze({ ir, index, options: { strictAccess }, siteOf: interpretation.sites.of }, supervisors)
  ]
  const { api, disabledGenerators, emit, importExtension, target } = options
  const generation =
    options.generate && !hasError(found)
      ? generate(
          { ir, index, modules: collected.modules, emit, target, api, importExtension },
          supervisors,
          disabledGenerators
        )
      : { files: [], diagnostics: [] }
  return {
    ir,
    // A check has no use for the hash, nor for the table.
    get semanticHash() {
      return semanticHash(ir)
    },
    diagnostics: orderDiagnostics(inAuthorsWords(collected, withoutGuesses([...found, ...generation.diagnostics]))),
    files: hasError(generation.diagnostics) ? [] : generation.files,
    get sites() {
      return interpretation.sites.nodes()
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
