/**
 * The settings of a run, resolved once for every command: a flag wins over the config, the config over the tsconfig's
 * `effx` block, that over the default. Paths resolve from the working directory, the config's folder and the tsconfig's
 * folder in turn.
 */
import { type ApiInfo, builtins, type Emit, type Extension, type Target } from "@effx/compiler"
import { type Diagnostic, EFFX0002, type Occurrence } from "@effx/diagnostics"
import { DEFAULT_OUT_DIR, type ProjectFacts } from "@effx/frontend-ts"
import { Effect, FileSystem, Path, Result } from "effect"
import type { ExecutableCoverage } from "./config.ts"
import { dependencySite } from "./dependency-site.ts"
import type { Flags } from "./flags.ts"
import { isInside } from "./inside.ts"
import { InvalidProject, type LoadedConfig } from "./load-config.ts"
import { checkExtensionList, decodeBlock, type Options, type ShapeProblem } from "./options-schema.ts"
import type { Selection } from "./selection.ts"
import { STATE_FOLDER } from "./state-folder.ts"
import { decideTarget } from "./supported-effect.ts"
import { locateProperty, siteAt } from "./text-site.ts"

export interface Settings {
  readonly selection: Selection
  /** Absolute. */
  readonly outDir: string
  readonly emit: Emit
  readonly target: Target
  readonly strictAccess: boolean
  /** The full list, built-in ones included. */
  readonly extensions: ReadonlyArray<Extension>
  readonly disabledGenerators: ReadonlyArray<string>
  readonly api: ApiInfo
  readonly importExtension: ".js" | ".ts" | ""
  /** As the config declares it; paths are absolute. */
  readonly executableCoverage: Required<ExecutableCoverage>
}

interface Named {
  readonly file: string
  readonly text: string
}

/** A finding's place at a property of a file, or none where its text does not have it. */
const at = (named: Named | undefined, keys: ReadonlyArray<string>): Occurrence => {
  const found = named && locateProperty(named.text, keys)
  return found === undefined || named === undefined
    ? {}
    : { site: siteAt(named.file, named.text, found.start, found.end) }
}

/** The full list of extensions that a config asks for; fails with `InvalidProject` when it is none. */
export const extensionsOf = Effect.fnUntraced(function* (config: LoadedConfig | undefined) {
  const declared = config?.value.extensions
  if (config === undefined || declared === undefined) return builtins
  const listed =
    typeof declared === "function"
      ? yield* Effect.try({
          try: (): unknown => declared(builtins),
          catch: (thrown) => {
            const text = thrown instanceof Error ? thrown.message : String(thrown)
            return config.invalid(`extensions throws: ${text.split("\n")[0]}`, ["extensions"])
          }
        })
      : [...builtins, ...declared]
  const checked = checkExtensionList(listed)
  if (Result.isSuccess(checked)) return checked.success
  const { keys, reason } = shifted(checked.failure, typeof declared === "function" ? 0 : builtins.length)
  return yield* config.invalid(reason, keys)
})

/** Counts the extensions of an array as its author does: without the built-in ones before them. */
const shifted = ({ keys, reason }: ShapeProblem, offset: number): ShapeProblem => {
  const index = Number(keys[1])
  return offset === 0 || !Number.isInteger(index)
    ? { keys, reason }
    : {
        keys: ["extensions", String(index - offset), ...keys.slice(2)],
        reason: reason.replace(`extensions[${index}]`, `extensions[${index - offset}]`)
      }
}

const blockOf = Effect.fnUntraced(function* <R>(facts: ProjectFacts, named: Effect.Effect<Named, never, R>) {
  if (facts.effxBlock === undefined) return {}
  const decoded = decodeBlock(facts.effxBlock)
  if (Result.isSuccess(decoded)) return decoded.success
  const { keys, reason } = decoded.failure
  const tsconfig = yield* named
  const clause = keys.length === 0 ? "effx must be an object" : `in effx, ${reason}`
  return yield* new InvalidProject({
    diagnostics: [EFFX0002.make({ file: tsconfig.file, reason: clause }, at(tsconfig, ["effx", ...keys]))]
  })
})

const apiOf = (sources: ReadonlyArray<Partial<ApiInfo> | undefined>, facts: ProjectFacts): ApiInfo => {
  const { description, name, version } = facts.package ?? {}
  const given: Partial<ApiInfo> = Object.assign({}, ...sources.toReversed())
  const text = given.description ?? description
  return {
    title: given.title ?? name ?? "API",
    version: given.version ?? version ?? "0.0.0",
    ...(text !== undefined && { description: text }),
    ...(given.servers !== undefined && { servers: given.servers })
  }
}

/** The selected tsconfig and config must not lie where outputs go. */
const overlaps = (
  path: Path.Path,
  { config, folder, tsconfig }: Selection,
  outDir: string
): ReadonlyArray<Diagnostic> =>
  [tsconfig, ...(config === undefined ? [] : [config])].flatMap((file) =>
    [outDir, path.join(folder, STATE_FOLDER)].some((owned) => isInside(path, owned, file))
      ? [
          EFFX0002.make({
            file: path.basename(file),
            reason: `it lies in ${path.relative(folder, outDir) || "."}, where effx writes its outputs; choose another outDir`
          })
        ]
      : []
  )

/**
 * Resolves the settings.
 *
 * @returns the settings with what is wrong about them (EFFX2701); fails with `InvalidProject` when a value of the config or
 * of the `effx` block cannot be used at all
 */
export const resolveSettings = Effect.fnUntraced(function* (
  selection: Selection,
  flags: Flags,
  config: LoadedConfig | undefined,
  facts: ProjectFacts
) {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  const { cwd, folder, tsconfig } = selection
  // Read where a finding has to name a place in it.
  const named = Effect.map(
    Effect.orElseSucceed(fs.readFileString(tsconfig), () => ""),
    (text): Named => ({ file: path.basename(tsconfig), text })
  )
  const block: Options = yield* blockOf(facts, named)
  const configFolder = config && path.dirname(config.path)
  const outDir =
    flags.outDir !== undefined
      ? path.resolve(cwd, flags.outDir)
      : config?.value.outDir !== undefined && configFolder !== undefined
        ? path.resolve(configFolder, config.value.outDir)
        : path.resolve(folder, block.outDir ?? DEFAULT_OUT_DIR)
  const overlapping = overlaps(path, selection, outDir)
  const [first, ...rest] = overlapping
  if (first !== undefined) return yield* new InvalidProject({ diagnostics: [first, ...rest] })
  const extensions = yield* extensionsOf(config)
  const generators = { ...block.generators, ...config?.value.generators }
  const known = new Set(extensions.flatMap((extension) => extension.generators.map(({ name }) => name)))
  const unknown = Object.keys(generators).find((name) => !known.has(name))
  if (unknown !== undefined) {
    const reason = `there is no generator named ${unknown}; there are ${[...known].sort().join(", ")}`
    if (config?.value.generators !== undefined && unknown in config.value.generators) {
      return yield* config.invalid(reason, ["generators", unknown])
    }
    const block = yield* named
    return yield* new InvalidProject({
      diagnostics: [EFFX0002.make({ file: block.file, reason }, at(block, ["effx", "generators", unknown]))]
    })
  }
  const target = flags.target ?? config?.value.target ?? block.target
  const chosenAt =
    flags.target !== undefined
      ? {}
      : config?.value.target !== undefined
        ? at({ file: path.relative(folder, config.path), text: config.text }, ["target"])
        : block.target !== undefined
          ? at(yield* named, ["effx", "target"])
          : {}
  const { effect: installed } = facts.versions
  const copies = facts.effectCopies.map(({ folder: copy, version }) => ({
    version,
    folder: path.relative(folder, copy)
  }))
  const chosen = target === undefined ? undefined : { target, occurrence: chosenAt }
  const decide = (occurrence: Occurrence) => decideTarget({ installed, copies, chosen, occurrence })
  // The place of a finding about what is installed is read only where there is one.
  const unplaced = decide({})
  const decision = unplaced.usable ? unplaced : decide(yield* dependencySite(folder, "effect"))
  const coverage = config?.value.executableCoverage
  const beside = (file: string) => path.resolve(configFolder ?? folder, file)
  const settings: Settings = {
    selection,
    outDir,
    emit: flags.emit ?? config?.value.emit ?? block.emit ?? "all",
    target: decision.target,
    strictAccess: flags.strictAccess ?? config?.value.strictAccess ?? block.strictAccess ?? false,
    extensions,
    disabledGenerators: Object.keys(generators).filter((name) => generators[name] === false),
    api: apiOf([config?.value.api, block.api], facts),
    importExtension: facts.importExtension,
    executableCoverage: {
      files: (coverage?.files ?? []).map(beside),
      directories: (coverage?.directories ?? []).map((directory) => ({ ...directory, path: beside(directory.path) }))
    }
  }
  return { settings, usable: decision.usable, diagnostics: decision.diagnostics }
})
