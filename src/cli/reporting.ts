/**
 * From findings to output: chooses the format and the colours, reads the source lines that frames show, and decides the exit
 * code. Rendering itself is pure and lives under reporters/.
 */
import { CORE_ENTRIES, type Diagnostic, type EntryInfo, makeRegistry } from "@effx/diagnostics"
import { displayPath } from "@effx/session"
import { Effect, FileSystem, Option, Path } from "effect"
import { ExitCode } from "./exit-code.ts"
import { Color } from "./flags.ts"
import * as host from "./host.ts"
import { Output, type OutputService } from "./output.ts"
import { type Format, reporters } from "./reporters/index.ts"
import { type Report, splitLines } from "./reporters/report.ts"
import { colourStyle, plainStyle } from "./reporters/style.ts"
import { VERSION } from "./version.ts"
import { workingDirectory } from "./working-directory.ts"

/** The width to render for where no terminal says its own. */
const UNKNOWN_WIDTH = 120

export interface Findings {
  /** In the order of the pipeline. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** The project's folder, absolute: what locations are relative to. */
  readonly root: string
  /** `sha256:…` of what was analysed. */
  readonly revision: string
  /** Which cycle of a session found them. */
  readonly cycle?: Report["cycle"] | undefined
  /** Entries of extensions, for formats that describe codes. */
  readonly entries?: ReadonlyArray<EntryInfo>
  /** The text of a file as it was analysed; the disk is asked where absent. */
  readonly source?: (file: string) => string | undefined
}

export interface ReportingFlags {
  readonly denyWarnings: boolean
  readonly format: Format | undefined
}

/** The style of text on standard output: `--color`, then NO_COLOR, then whether it is a terminal. */
export const style = Effect.gen(function* () {
  const choice = yield* Color
  const output = yield* Output
  const wanted = output.isTerminal && (host.environment("NO_COLOR") ?? "") === "" && host.environment("TERM") !== "dumb"
  return choice === "always" || (choice === "auto" && wanted) ? colourStyle : plainStyle
})

const formatOf = (flags: ReportingFlags, output: OutputService): Format =>
  flags.format ?? (output.isTerminal ? "pretty" : "plain")

/** Whether people read the output, so that more than findings may be in it. */
export const isForPeople = (flags: ReportingFlags, output: OutputService): boolean =>
  ["pretty", "plain"].includes(formatOf(flags, output))

/** Whether these findings make a run fail. */
export const fails = (diagnostics: ReadonlyArray<Diagnostic>, denyWarnings: boolean): boolean =>
  diagnostics.some(({ severity }) => severity === "error" || (denyWarnings && severity === "warning"))

/** Lines of the files that findings are in; a file that cannot be read has none. */
const linesOf = Effect.fnUntraced(function* ({ diagnostics, root, source }: Findings) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const files = new Set(diagnostics.flatMap(({ location }) => (location === undefined ? [] : [location.file])))
  const texts = yield* Effect.forEach(
    files,
    (file) => {
      const known = source?.(file)
      const text =
        known === undefined ? Effect.option(fs.readFileString(path.resolve(root, file))) : Effect.succeedSome(known)
      return Effect.map(text, (found) => [file, Option.getOrUndefined(Option.map(found, splitLines))] as const)
    },
    { concurrency: 8 }
  )
  return new Map(texts)
})

/** Renders findings in the chosen format, without printing them. */
export const render = Effect.fnUntraced(function* (findings: Findings, flags: ReportingFlags) {
  const output = yield* Output
  const path = yield* Path.Path
  const cwd = yield* workingDirectory
  const format = formatOf(flags, output)
  const lines = format === "pretty" ? yield* linesOf(findings) : new Map()
  const registry = makeRegistry([...CORE_ENTRIES, ...(findings.entries ?? [])])
  const { diagnostics, revision } = findings
  return reporters[format](
    {
      diagnostics,
      revision,
      failed: fails(diagnostics, flags.denyWarnings),
      ...(findings.cycle !== undefined && { cycle: findings.cycle })
    },
    {
      style: yield* style,
      columns: output.columns ?? UNKNOWN_WIDTH,
      displayPath: (file) => {
        const absolute = path.resolve(findings.root, file)
        // Programs resolve what they read from the working directory, however far up it leads.
        return isForPeople(flags, output) ? displayPath(path, cwd, absolute) : path.relative(cwd, absolute)
      },
      lines: (file) => lines.get(file),
      entry: registry.lookup,
      version: VERSION
    }
  )
})

/** Prints findings in the chosen format; the exit code is theirs. */
export const report = Effect.fnUntraced(function* (findings: Findings, flags: ReportingFlags) {
  const output = yield* Output
  yield* output.out(yield* render(findings, flags))
  return fails(findings.diagnostics, flags.denyWarnings) ? ExitCode.Findings : ExitCode.Done
})
