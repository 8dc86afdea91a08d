/**
 * What a project is, before anything is collected from it: its tsconfig as TypeScript reads it, what is wrong with that
 * file, and the versions and packages around it.
 *
 * Deciding is left to the session: which settings win, and what an unsupported version means.
 */
import type { CompilerFault, Versions } from "@effx/compiler"
import { type Diagnostic, EFFX0002 } from "@effx/diagnostics"
import { Effect } from "effect"
import { ENGINE_VERSION, type World } from "./engine.ts"
import { disk, paths } from "./host.ts"
import { type ImportExtension, importExtensionOf } from "./import-extension.ts"
import { type Input, NO_ENTRIES } from "./ledger.ts"
import { madeOf } from "./made-of.ts"
import { nearestPackage, type PackageFacts, packageAt } from "./package-facts.ts"
import type { EngineDiagnostic } from "./program.ts"
import type { WorldSnapshot } from "./snapshot.ts"
import { sourceText } from "./text.ts"
import { all } from "./wave.ts"

export interface ProjectFacts {
  /** Absolute. */
  readonly tsconfigPath: string
  /** The tsconfig's folder: locations and ids are relative to it. */
  readonly root: string
  /** EFFX0002, in the order in which TypeScript reports; without packages that are missing as Effect is. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** Absolute paths that `include` and `files` select. */
  readonly fileNames: ReadonlyArray<string>
  /** Absolute paths of every file that decides what is found; see made-of.ts. */
  readonly files: ReadonlyArray<string>
  /** Nothing is selected: not a finding but nothing to do. */
  readonly selectsNothing: boolean
  /** What the project consists of and cannot be read, by path. */
  readonly unreadable: ReadonlyArray<Unreadable>
  /** The `effx` block of the tsconfig as written; it is not decoded here, and `extends` does not merge it. */
  readonly effxBlock: unknown
  readonly versions: Versions
  /** Every copy of Effect that the program reaches, by folder; more than one cannot work. */
  readonly effectCopies: ReadonlyArray<{ readonly folder: string; readonly version: string }>
  /** The package that the tsconfig belongs to. */
  readonly package: PackageFacts | undefined
  readonly importExtension: ImportExtension
  /** Absolute paths of files and folders that TypeScript itself would write. */
  readonly buildOutputs: ReadonlyArray<string>
}

/** A file or folder of the project that is there and cannot be read. */
export interface Unreadable {
  /** Absolute. */
  readonly path: string
  readonly reason:
    | { readonly _tag: "Failed"; readonly code: string }
    | { readonly _tag: "FolderFailed" }
    /** A symbolic link that leads nowhere. */
    | { readonly _tag: "Dangling"; readonly target: string }
}

/** TypeScript's codes for a tsconfig that is right and selects no file. */
const NO_INPUTS = new Set([18002, 18003])

/** TypeScript's codes for types and for a tsconfig to extend that are not there. */
const NOT_THERE = new Set([2688, 6053])

/** Whether a package is missing. Where Effect is missing as well, nothing is installed, and that alone is the cause. */
const isOfPackage = ({ code, text }: EngineDiagnostic): boolean => NOT_THERE.has(code) && !/(?:^| )'[./]/.test(text)

/** Reads the facts of a loaded project. */
export const projectFacts = Effect.fnUntraced(function* (
  world: World,
  snapshot: WorldSnapshot,
  tsconfigPath: string
): Effect.fn.Return<ProjectFacts, CompilerFault> {
  const { program } = world
  const root = paths.dirname(tsconfigPath)
  const [config, options, files, configFiles] = yield* all([
    program.configDiagnostics,
    program.programDiagnostics,
    program.fileNames,
    program.configFileNames
  ])
  const findings = [...config, ...options].filter((finding) => finding.category === ERROR)
  const { fileNames, options: compilerOptions, raw } = program.commandLine
  const effect = nearestInstalled(snapshot, root, "effect")
  const typescript = nearestInstalled(snapshot, root, "typescript")
  return {
    tsconfigPath,
    root,
    diagnostics: unique(syntaxFirst(findings))
      .filter((finding) => !NO_INPUTS.has(finding.code) && !(effect === undefined && isOfPackage(finding)))
      .map((finding) => invalid(finding, snapshot, tsconfigPath)),
    fileNames,
    files: madeOf(snapshot, [...files, ...configFiles, tsconfigPath], root),
    selectsNothing: fileNames.length === 0,
    unreadable: unreadable(snapshot.inputs(), root, new Set(fileNames)),
    effxBlock: isRecord(raw) ? raw.effx : undefined,
    versions: {
      typescript: ENGINE_VERSION,
      ...(typescript !== undefined && { projectTypescript: typescript }),
      ...(effect !== undefined && { effect })
    },
    effectCopies: copiesOf(snapshot, files),
    package: nearestPackage(snapshot, root),
    importExtension: importExtensionOf(compilerOptions, fileNames, snapshot),
    buildOutputs: [compilerOptions.outDir, compilerOptions.declarationDir, compilerOptions.tsBuildInfoFile].flatMap(
      (output) => (output === undefined ? [] : [paths.resolve(root, output)])
    )
  }
})

/** Selected files wherever they are, and whatever else was asked of the project's own folder. */
const unreadable = (
  inputs: ReadonlyArray<Input>,
  root: string,
  selected: ReadonlySet<string>
): ReadonlyArray<Unreadable> =>
  inputs.flatMap(({ content, entries, kind, overlay, path }): ReadonlyArray<Unreadable> => {
    if (content?._tag !== "Unreadable" && entries !== NO_ENTRIES && kind !== "none") return []
    // The project's folder itself is asked for other reasons too: it matters where nothing is selected.
    const own =
      selected.has(path) ||
      (path === root ? selected.size === 0 : path.startsWith(`${root}/`) && !path.includes("/node_modules/"))
    if (!own || overlay) return []
    if (content?._tag === "Unreadable") return [{ path, reason: { _tag: "Failed", code: content.reason } }]
    if (entries === NO_ENTRIES && disk.kind(path) === "directory") return [{ path, reason: { _tag: "FolderFailed" } }]
    const target = selected.has(path) && kind === "none" ? disk.linkTarget(path) : undefined
    if (target === undefined) return []
    const read = disk.read(path)
    return [
      {
        path,
        reason: read._tag === "Unreadable" ? { _tag: "Failed", code: read.reason } : { _tag: "Dangling", target }
      }
    ]
  })

/** The engine's category of errors; suggestions and warnings about a tsconfig make it no less valid. */
const ERROR = 1

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const unique = (findings: ReadonlyArray<EngineDiagnostic>): ReadonlyArray<EngineDiagnostic> => [
  ...new Map(
    findings.map((finding) => [JSON.stringify([finding.fileName, finding.pos, finding.code]), finding])
  ).values()
]

/** TypeScript's codes of syntax errors. */
const isSyntax = ({ code }: EngineDiagnostic): boolean => code >= 1000 && code < 2000

/** A file that is not well-formed has its first syntax error for a finding: the others follow from it. */
const syntaxFirst = (findings: ReadonlyArray<EngineDiagnostic>): ReadonlyArray<EngineDiagnostic> => {
  const first = new Map<string | undefined, EngineDiagnostic>()
  for (const finding of findings) {
    const before = first.get(finding.fileName)
    if (isSyntax(finding) && (before === undefined || finding.pos < before.pos)) first.set(finding.fileName, finding)
  }
  return findings.filter((finding) => (first.get(finding.fileName) ?? finding) === finding)
}

const CIRCULAR_EXTENDS = 18000

/** The engine's text as a clause: on one line, without the machine's paths and without placeholders that it left open. */
const clauseOf = ({ code, text }: EngineDiagnostic, root: string): string =>
  code === CIRCULAR_EXTENDS
    ? "it extends itself, directly or through others"
    : text
        .replace(/\s*\n\s*/g, " ")
        .replace(/\.$/, "")
        .replaceAll(`${root}/`, "")

const invalid = (finding: EngineDiagnostic, snapshot: WorldSnapshot, tsconfigPath: string): Diagnostic => {
  const root = paths.dirname(tsconfigPath)
  const path = finding.fileName === undefined || finding.fileName === "" ? undefined : finding.fileName
  const file = paths.relative(root, path ?? tsconfigPath)
  const text = path === undefined ? undefined : snapshot.readFile(path)
  const reason = clauseOf(finding, root)
  return EFFX0002.make(
    { file, reason },
    text === undefined || path === undefined || finding.pos < 0
      ? {}
      : { site: sourceText(file, text, snapshot.hadMark(path)).site(finding.pos, finding.end) }
  )
}

/** The version of a package as code in `folder` would import it. */
const nearestInstalled = (snapshot: WorldSnapshot, folder: string, name: string): string | undefined => {
  for (let at = folder; ; at = paths.dirname(at)) {
    const found = packageAt(snapshot, paths.join(at, "node_modules", name))
    if (found !== undefined) return found.version
    if (at === paths.dirname(at)) return undefined
  }
}

const EFFECT_FOLDER = /^(.*\/node_modules\/effect)\//

const copiesOf = (snapshot: WorldSnapshot, files: ReadonlyArray<string>): ProjectFacts["effectCopies"] =>
  [...new Set(files.flatMap((file) => EFFECT_FOLDER.exec(file)?.[1] ?? []))]
    .sort()
    .map((folder) => ({ folder, version: packageAt(snapshot, folder)?.version ?? "unknown" }))
