/**
 * The shape of what a config exports and of the tsconfig's `effx` block. Unknown keys are rejected: a misspelt option must
 * not be silently ineffective.
 */
import { EMITS, type Extension } from "@effx/compiler"
import { Result, Schema, SchemaIssue } from "effect"
import type { EffxConfig } from "./config.ts"

const Text = Schema.String.check(Schema.isNonEmpty())

const Api = Schema.Struct({
  title: Schema.optionalKey(Text),
  version: Schema.optionalKey(Text),
  description: Schema.optionalKey(Schema.String),
  servers: Schema.optionalKey(
    Schema.Array(Schema.Struct({ url: Text, description: Schema.optionalKey(Schema.String) }))
  )
})

const fields = {
  outDir: Schema.optionalKey(Text),
  emit: Schema.optionalKey(Schema.Literals(EMITS)),
  // Any text: whether a target exists and fits the installed Effect is EFFX2701, not a matter of shape.
  target: Schema.optionalKey(Text),
  strictAccess: Schema.optionalKey(Schema.Boolean),
  generators: Schema.optionalKey(Schema.Record(Schema.String, Schema.Boolean)),
  api: Schema.optionalKey(Api)
}

const Function = Schema.declare(
  (input: unknown): input is (...args: ReadonlyArray<never>) => unknown => typeof input === "function",
  { expected: "a function" }
)

const OpenStruct = <F extends Schema.Struct.Fields>(members: F) =>
  Schema.StructWithRest(Schema.Struct(members), [Schema.Record(Schema.String, Schema.Unknown)])

/** Checked by shape, never by class: an extension may come from another copy of effx and of Effect. */
const ExtensionShape = OpenStruct({
  name: Text,
  package: Schema.optional(Text),
  diagnostics: Schema.Array(OpenStruct({ code: Text, make: Function })),
  interpreters: Schema.Array(OpenStruct({ annotation: Text, interpret: Function })),
  analyses: Schema.Array(
    Schema.Union([OpenStruct({ name: Text, analyze: Function }), OpenStruct({ name: Text, of: Text, judge: Function })])
  ),
  generators: Schema.Array(OpenStruct({ name: Text, generate: Function }))
})

const ListOrFunction = Schema.declare(
  (input: unknown): input is NonNullable<EffxConfig["extensions"]> =>
    Array.isArray(input) || typeof input === "function",
  { expected: "an array of extensions, or a function that returns one" }
)

const ConfigShape = Schema.Struct({
  ...fields,
  project: Schema.optionalKey(Text),
  extensions: Schema.optionalKey(ListOrFunction),
  executableCoverage: Schema.optionalKey(
    Schema.Struct({
      files: Schema.optionalKey(Schema.Array(Text)),
      directories: Schema.optionalKey(Schema.Array(Schema.Struct({ path: Text, recursive: Schema.Boolean })))
    })
  )
})

const BlockShape = Schema.Struct(fields)

/** What both a config and an `effx` block may set. */
export type Options = typeof BlockShape.Type
/** A config as decoded; `target` is any text and is judged with the installed Effect. */
export type Config = typeof ConfigShape.Type

/** Why something has the wrong shape, and the keys that lead to the place. */
export interface ShapeProblem {
  readonly keys: ReadonlyArray<string>
  /** A clause without a final full stop. */
  readonly reason: string
}

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

const keyText = (keys: ReadonlyArray<string>): string =>
  keys.map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`)).join("")

/** `Expected string` as a clause about the value at `keys`. */
const clause = (keys: ReadonlyArray<string>, message: string): string => {
  if (message === "Expected no excess property") return `there is no option named ${keyText(keys)}`
  const expectation = /^Expected (.*)$/.exec(message)?.[1]
  const must =
    message === "Missing key" ? "is missing" : expectation === undefined ? message : `must be ${named(expectation)}`
  return `${keys.length === 0 ? "its value" : keyText(keys)} ${must}`
}

const named = (expectation: string): string =>
  /^(object|array)$/.test(expectation)
    ? `an ${expectation}`
    : /^(string|boolean|number)$/.test(expectation)
      ? `a ${expectation}`
      : expectation.includes(" | ")
        ? `one of ${expectation.replaceAll(" | ", ", ")}`
        : expectation

const problemOf = (error: Schema.SchemaError): ShapeProblem => {
  const issue = standard(error.issue).issues[0]
  const keys = (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part))
  return { keys, reason: clause(keys, issue?.message ?? "has the wrong shape") }
}

const strict = { onExcessProperty: "error", errors: "first" } as const

/** Keys that are present with the value `undefined` count as absent, as `process.env` yields them. */
const withoutUndefined = (input: unknown): unknown =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    : input

/** Why a value is no object of options: an instance of a class has no own keys, and would silently set nothing. */
const notOptions = (input: unknown): string | undefined => {
  if (input instanceof Promise) return "its default export is a promise; export what it resolves to"
  const prototype: unknown = typeof input === "object" && input !== null ? Object.getPrototypeOf(input) : undefined
  return prototype === null || prototype === Object.prototype ? undefined : "its default export must be a plain object"
}

/** Decodes the default export of a config. Extensions inside are checked by `checkExtensionList`. */
export const decodeConfig = (input: unknown): Result.Result<Config, ShapeProblem> =>
  Result.flatMap(
    Result.try({
      try: (): Result.Result<Config, ShapeProblem> => {
        const reason = notOptions(input)
        if (reason !== undefined) return Result.fail({ keys: [], reason })
        return Result.mapError(Schema.decodeUnknownResult(ConfigShape)(withoutUndefined(input), strict), problemOf)
      },
      // The author's getters run here.
      catch: (thrown): ShapeProblem => ({
        keys: [],
        reason: `reading its default export throws: ${thrown instanceof Error ? thrown.message.split("\n")[0] : "a value"}`
      })
    }),
    (decoded) => decoded
  )

/** Decodes the tsconfig's `effx` block. */
export const decodeBlock = (input: unknown): Result.Result<Options, ShapeProblem> =>
  Result.mapError(Schema.decodeUnknownResult(BlockShape)(input, strict), problemOf)

/** Checks that a value is a list of extensions; the very objects are kept. */
export const checkExtensionList = (input: unknown): Result.Result<ReadonlyArray<Extension>, ShapeProblem> => {
  const checked = Schema.decodeUnknownResult(Schema.Array(ExtensionShape))(input, { errors: "first" })
  return Result.isSuccess(checked)
    ? Result.succeed(input as ReadonlyArray<Extension>)
    : Result.mapError(Result.fail(checked.failure), (error) => {
        const { keys, reason } = problemOf(error)
        const inner = keyText(["extensions", ...keys])
        return {
          keys: ["extensions", ...keys],
          reason: reason.replace(keys.length === 0 ? "its value" : keyText(keys), inner)
        }
      })
}
