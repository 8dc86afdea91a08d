/**
 * Evaluates a config, once, and decodes what it exports.
 *
 * Every failure of the user's module is one EFFX0002: a place in the config where there is one, never a stack. What the
 * module does while it is evaluated is beyond control: there is no sandbox (Spec 0018 §3).
 */
import { type Diagnostic, EFFX0002, type Site } from "@effx/diagnostics"
import { Data, Duration, Effect, FileSystem, Path, Result } from "effect"
import { ExitRefused, importModule } from "./host.ts"
import { type Config, decodeConfig } from "./options-schema.ts"
import { locateProperty, offsetOf, siteAt } from "./text-site.ts"

/** How long the evaluation of a config may take (Spec 0018 §9 leaves the value to engineering). */
export const CONFIG_DEADLINE = Duration.seconds(30)

/** The selection is invalid: `diagnostics` say why, and nothing more can be read. */
export class InvalidProject extends Data.TaggedError("InvalidProject")<{
  readonly diagnostics: readonly [Diagnostic, ...ReadonlyArray<Diagnostic>]
}> {}

/** A config that was evaluated. */
export interface LoadedConfig {
  readonly path: string
  readonly text: string
  readonly value: Config
  /** An EFFX0002 about a property of this config, at the deepest key that its text has. */
  readonly invalid: (reason: string, keys: ReadonlyArray<string>) => InvalidProject
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const CONFIG_ENTRY = "@effx/cli/config"

const HOW_TO_ADD = `it imports ${CONFIG_ENTRY}, which this project does not have; add the package @effx/cli to its devDependencies and install it`

interface Reason {
  readonly reason: string
  /** One-based, the column in UTF-16 units. */
  readonly point?: { readonly line: number; readonly col: number }
}

const firstLine = (text: string): string => (text.split(/\r\n|\n|\r/)[0] ?? "").trim().replace(/\.$/, "")

/** The first place of a stack that lies in the config. */
const pointIn = (stack: unknown, file: string): Reason["point"] => {
  if (typeof stack !== "string") return undefined
  for (const line of stack.split("\n")) {
    const at = line.indexOf(`${file}:`)
    const point = at < 0 ? null : /^(\d+):(\d+)/.exec(line.slice(at + file.length + 1))
    if (point !== null) return { line: Number(point[1]), col: Number(point[2]) }
  }
  return undefined
}

/** Puts what an evaluation threw into words: a missing module, a syntax error, anything else. */
const reasonOf = (thrown: unknown, file: string): Reason => {
  if (thrown instanceof ExitRefused) {
    const point = pointIn(thrown.stack, file)
    return { reason: "it calls process.exit, which would end effx before it has a result", ...(point && { point }) }
  }
  if (!isRecord(thrown)) return { reason: `it throws ${firstLine(String(thrown)) || "an empty value"}` }
  const { code, errors, message, position, specifier, stack } = thrown
  if (Array.isArray(errors) && errors.length > 0 && position === undefined && stack === undefined) {
    return reasonOf(errors[0], file)
  }
  const text = typeof message === "string" ? firstLine(message) : ""
  if (code === "ERR_MODULE_NOT_FOUND" || /^Cannot find (module|package)/.test(text)) {
    const missing = typeof specifier === "string" ? specifier : /['"]([^'"]+)['"]/.exec(text)?.[1]
    return {
      reason: missing === CONFIG_ENTRY ? HOW_TO_ADD : `it imports ${missing ?? "a module"}, which cannot be found`
    }
  }
  if (isRecord(position) && typeof position.line === "number" && typeof position.column === "number") {
    const reason = `it is not well-formed TypeScript: ${text}`
    return position.file === file
      ? { reason, point: { line: position.line, col: position.column } }
      : { reason: `it imports ${String(position.file)}, which is not well-formed TypeScript: ${text}` }
  }
  const point = pointIn(stack, file)
  return { reason: text === "" ? "it throws while it is evaluated" : `it throws: ${text}`, ...(point && { point }) }
}

/** As `reasonOf`, also of a value that throws again when it is looked at. */
const wordsOf = (thrown: unknown, file: string): Reason =>
  Result.getOrElse(
    Result.try(() => reasonOf(thrown, file)),
    () => ({ reason: "it throws a value that cannot be read" })
  )

/**
 * Evaluates and decodes a config.
 *
 * @param file absolute path of a readable file
 * @param root the folder to which locations are relative
 */
export const loadConfig = Effect.fnUntraced(function* (file: string, root: string) {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.orElseSucceed(fs.readFileString(file), () => "")
  const name = path.basename(file)
  const where = path.relative(root, file)
  const fail = (reason: string, site?: Site) =>
    new InvalidProject({ diagnostics: [EFFX0002.make({ file: name, reason }, { site })] })
  const invalid: LoadedConfig["invalid"] = (reason, keys) => {
    const found = locateProperty(text, keys)
    return fail(reason, found && siteAt(where, text, found.start, found.end))
  }
  const specifier = text.indexOf(CONFIG_ENTRY)
  const evaluated = yield* Effect.tryPromise({
    try: (signal) => importModule(file, signal),
    catch: (thrown) => {
      const { point, reason } = wordsOf(thrown, file)
      if (reason === HOW_TO_ADD && specifier >= 0) {
        return fail(reason, siteAt(where, text, specifier, specifier + CONFIG_ENTRY.length))
      }
      const start = point && offsetOf(text, point.line, point.col)
      return fail(reason, start === undefined ? undefined : siteAt(where, text, start, start))
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: CONFIG_DEADLINE,
      orElse: () => Effect.fail(fail(`it does not settle within ${Duration.toSeconds(CONFIG_DEADLINE)} seconds`))
    })
  )
  if (!isRecord(evaluated) || evaluated.default === undefined) {
    return yield* fail("it has no default export; export default defineConfig({ … })")
  }
  const decoded = decodeConfig(evaluated.default)
  if (Result.isFailure(decoded)) return yield* invalid(decoded.failure.reason, decoded.failure.keys)
  return { path: file, text, value: decoded.success, invalid } satisfies LoadedConfig as LoadedConfig
})
