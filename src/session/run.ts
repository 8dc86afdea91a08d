/**
 * One run of the compiler on one project: select, configure, open, resolve settings, collect, compile. Every command goes
 * this way; they differ in the snapshot and in what they do with the result.
 *
 * Guarantees: nothing is written; the config is evaluated at most once; a user's mistake is a diagnostic, nothing to select
 * or read is `Misuse`, and only I/O that fails unexpectedly is a `CompilerFault`.
 */
import { type Collected, type CompileResult, compile, lazily, type Memory, orderDiagnostics } from "@effx/compiler"
import { type Diagnostic, EFFX0001, EFFX0002, EFFX0003, type Severity } from "@effx/diagnostics"
import { isLibraryOf, type OpenProject, type ProjectFacts, SourceFrontend, type Unreadable } from "@effx/frontend-ts"
import { sha256Hex } from "@effx/ir"
import { Effect, FileSystem, Path } from "effect"
import { dependencySite } from "./dependency-site.ts"
import { explainCode } from "./errno.ts"
import type { Flags } from "./flags.ts"
import { isInside } from "./inside.ts"
import { type InvalidProject, type LoadedConfig, loadConfig } from "./load-config.ts"
import { Misuse } from "./misuse.ts"
import { phase } from "./phase.ts"
import { revisionOf } from "./revision.ts"
import { type Discovered, discover, displayPath, type Selection, select } from "./selection.ts"
import { resolveSettings, type Settings } from "./settings.ts"
import { STATE_FOLDER } from "./state-folder.ts"

export interface RunOptions {
  readonly flags: Flags
  /** Absolute. */
  readonly cwd: string
  /** Whether generators run. */
  readonly generate: boolean
}

/** How one state of an open project is analysed. */
export interface AnalyzeOptions extends Pick<RunOptions, "flags" | "generate"> {
  /** What the states before it left, to go on with. */
  readonly memory?: Memory
}

export interface RunResult {
  /** The folder to which the locations of diagnostics are relative. */
  readonly root: string
  /** Absent when the config is invalid. */
  readonly selection?: Selection
  /** Absent when the selection is invalid. */
  readonly settings?: Settings
  /** Absent when there is an error that keeps source from being read. */
  readonly compiled?: CompileResult
  /** Of all stages, ordered by file, position and code. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly counts: Readonly<Record<Severity, number>>
  readonly revision: string
}

/** A selected project with its config, before any source is read. */
export interface Prepared {
  readonly selection: Selection
  readonly config?: LoadedConfig
}

/** Selects the project and evaluates its config, which is the only code of the user that ever runs. */
export const prepare = Effect.fnUntraced(function* (discovered: Discovered) {
  const config =
    discovered.config === undefined ? undefined : yield* loadConfig(discovered.config.path, discovered.base)
  const selection = yield* select(discovered, config?.value.project)
  const prepared: Prepared = { selection, ...(config !== undefined && { config }) }
  return prepared
})

export const countsOf = (diagnostics: ReadonlyArray<Diagnostic>): RunResult["counts"] => {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const { severity } of diagnostics) counts[severity]++
  return counts
}

/** EFFX0001 when the project installs another TypeScript than the one that analyses. */
const skew = Effect.fnUntraced(function* ({ root, versions }: ProjectFacts) {
  const { projectTypescript: project, typescript: analysing } = versions
  if (project === undefined || project === analysing) return []
  const occurrence = yield* dependencySite(root, "typescript")
  const severity = project.split(".")[0] === analysing.split(".")[0] ? "info" : "warning"
  return [EFFX0001.make({ analysing, project }, { ...occurrence, severity })]
})

/** Declarations where outputs go would never be watched and could be overwritten: an invalid selection. */
const overlapping = (path: Path.Path, { declarations }: Collected, { outDir, selection }: Settings) => {
  const owned = [outDir, path.join(selection.folder, STATE_FOLDER)]
  const files = new Map(declarations.map((declaration) => [declaration.file, declaration]))
  return [...files.values()].flatMap(({ file, site }) =>
    owned.some((folder) => isInside(path, folder, path.resolve(selection.folder, file)))
      ? [EFFX0002.make({ file, reason: "it lies where effx writes its outputs; choose another outDir" }, { site })]
      : []
  )
}

const whyUnreadable = (reason: Unreadable["reason"], tsconfig: string): string => {
  switch (reason._tag) {
    case "Failed":
      return `cannot be read: ${explainCode(reason.code)}`
    case "FolderFailed":
      return `cannot be searched for source files: permission denied; exclude it in ${tsconfig} or make it readable`
    case "Dangling":
      return `is a symbolic link to ${reason.target}, which does not exist`
  }
}

/** Fails when there is nothing to read, or when what is selected cannot be read. */
const readable = Effect.fnUntraced(function* (facts: ProjectFacts, { cwd, tsconfig }: Selection) {
  const path = yield* Path.Path
  const [first] = facts.unreadable
  if (first !== undefined) {
    const shown = displayPath(path, cwd, first.path)
    const what = first.reason._tag === "FolderFailed" ? `the folder ${shown}` : shown
    const clause = whyUnreadable(first.reason, path.basename(tsconfig))
    return yield* new Misuse({ message: `${what} ${clause}` })
  }
  if (facts.selectsNothing && facts.diagnostics.length === 0) {
    return yield* new Misuse({ message: `${displayPath(path, cwd, tsconfig)} selects no file` })
  }
})

/**
 * Analyses an open project.
 *
 * @returns fails with `InvalidProject` when a setting cannot be used
 */
export const analyze = Effect.fnUntraced(function* (
  { config, selection }: Prepared,
  project: OpenProject,
  { flags, generate, memory }: AnalyzeOptions
) {
  const path = yield* Path.Path
  const { facts } = project
  yield* readable(facts, selection)
  const { diagnostics: unsupported, settings, usable } = yield* resolveSettings(selection, flags, config, facts)
  const before = [...facts.diagnostics, ...(yield* skew(facts)), ...unsupported]
  if (!usable || facts.diagnostics.length > 0) return { settings, diagnostics: orderDiagnostics(before) }
  const collected = yield* phase("collect")(project.collect({ outDir: settings.outDir }))
  const own = overlapping(path, collected, settings)
  const silent = collected.declarations.length === 0 && collected.diagnostics.length === 0
  const none = silent
    ? [EFFX0003.make({ project: path.basename(selection.tsconfig), files: facts.fileNames.length })]
    : []
  const stopped = [...before, ...own].some(({ severity }) => severity === "error")
  const { api, disabledGenerators, emit, extensions, importExtension, strictAccess, target } = settings
  const compilation = compile(collected, {
    api,
    disabledGenerators,
    emit,
    extensions,
    generate: generate && !stopped,
    importExtension,
    ...(memory !== undefined && { memory }),
    strictAccess,
    target
  })
  const compiled = yield* phase("compile")(compilation)
  return { settings, compiled, diagnostics: orderDiagnostics([...before, ...own, ...none, ...compiled.diagnostics]) }
})

/** What the config's file holds, as an input of the revision. */
const configHash = Effect.fnUntraced(function* (file: string | undefined, root: string) {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  if (file === undefined) return []
  const bytes = yield* Effect.orElseSucceed(fs.readFile(file), () => new Uint8Array())
  return [{ path: path.relative(root, file), hash: sha256Hex(bytes) }]
})

/** The result of a selection that is invalid before any source is read. */
export const invalidResult = Effect.fnUntraced(function* (
  root: string,
  config: string | undefined,
  { diagnostics }: InvalidProject
) {
  return {
    root,
    diagnostics,
    counts: countsOf(diagnostics),
    revision: revisionOf(yield* configHash(config, root), undefined)
  } satisfies RunResult as RunResult
})

/** The result of one state of an open project; settings that cannot be used are findings of it. */
export const resultOf = Effect.fnUntraced(function* (
  prepared: Prepared,
  project: OpenProject,
  options: AnalyzeOptions
) {
  const path = yield* Path.Path
  const { config, folder } = prepared.selection
  const analyzed = yield* Effect.catchTag(analyze(prepared, project, options), "InvalidProject", (error) =>
    Effect.map(invalidResult(folder, config, error), (result) => ({ ...result, selection: prepared.selection }))
  )
  if ("root" in analyzed) return analyzed satisfies RunResult as RunResult
  const ofConfig = yield* configHash(config, folder)
  // Nobody waits for it after an edit.
  const revision = lazily(() => {
    const hashes = project.facts.files.flatMap((file) => {
      const hash = project.hashOf(file)
      // TypeScript's own files are the same wherever it is installed.
      const name = isLibraryOf(folder, file) ? path.basename(file) : path.relative(folder, file)
      return hash === undefined ? [] : [{ path: name, hash }]
    })
    return revisionOf([...hashes, ...ofConfig], project.facts.versions)
  })
  return {
    ...analyzed,
    root: folder,
    selection: prepared.selection,
    counts: countsOf(analyzed.diagnostics),
    get revision() {
      return revision()
    }
  } satisfies RunResult as RunResult
})

/** Selects, opens and analyses; the engine ends before the result is returned. */
export const run = Effect.fnUntraced(function* ({ cwd, flags, generate }: RunOptions) {
  const discovered = yield* discover(flags, cwd)
  const opened = Effect.fnUntraced(function* (prepared: Prepared) {
    const frontend = yield* SourceFrontend
    const project = yield* phase("open")(frontend.open({ tsconfigPath: prepared.selection.tsconfig }))
    return yield* resultOf(prepared, project, { flags, generate })
  }, Effect.scoped)
  return yield* prepare(discovered).pipe(
    Effect.flatMap(opened),
    Effect.catchTag("InvalidProject", (error) => invalidResult(discovered.base, discovered.config?.path, error))
  )
})
