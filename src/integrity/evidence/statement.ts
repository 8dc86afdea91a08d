/**
 * What a provenance says: an in-toto Statement v1 with a SLSA provenance v1 predicate, of the one build type that effx is released by.
 *
 * As both specifications ask, unknown fields are ignored, and unknown external parameters are refused: they could be what made the
 * build do something else.
 */
import { Result, Schema } from "effect"
import { LIMITS } from "../limits.ts"
import { OBJECT_NAME, SHA256, TARGET } from "../manifest.ts"
import { quoted } from "./envelope.ts"
import { type Refusal, refusal } from "./refusal.ts"

export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
export const PREDICATE_TYPE = "https://slsa.dev/provenance/v1"

/** How releases are made: `npm run release` in a clone at the commit, see docs/verify.md. */
export const BUILD_TYPE = "urn:effx:release:v1"

/** Whoever runs that build. Who that is, the key that signs says. */
export const BUILDER = "urn:effx:builder:self"

const ObjectName = Schema.String.check(Schema.isPattern(OBJECT_NAME))

const Subject = Schema.Struct({
  name: Schema.NonEmptyString,
  digest: Schema.Struct({ sha256: Schema.String.check(Schema.isPattern(SHA256)) })
})

/** What of a dependency is compared; the rest is for scanners. */
const Dependency = Schema.Struct({
  name: Schema.optionalKey(Schema.String),
  uri: Schema.optionalKey(Schema.String),
  digest: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})

const ExternalParameters = Schema.Struct({
  source: Schema.Struct({ revision: ObjectName, tree: ObjectName }),
  target: Schema.Literal(TARGET),
  version: Schema.String
})

export const Provenance = Schema.Struct({
  subject: Schema.Array(Subject).check(Schema.isMinLength(1), Schema.isMaxLength(LIMITS.subjects)),
  predicate: Schema.Struct({
    buildDefinition: Schema.Struct({
      buildType: Schema.String,
      externalParameters: Schema.Unknown,
      resolvedDependencies: Schema.Array(Dependency).check(Schema.isMaxLength(LIMITS.resolvedDependencies))
    }),
    runDetails: Schema.Struct({ builder: Schema.Struct({ id: Schema.NonEmptyString }) })
  })
})

export interface Statement {
  /** SHA-256 digests by the names of the files. */
  readonly subjects: ReadonlyMap<string, string>
  readonly builder: string
  readonly parameters: Schema.Schema.Type<typeof ExternalParameters>
  readonly dependencies: ReadonlyArray<Schema.Schema.Type<typeof Dependency>>
}

const Typed = Schema.Struct({ _type: Schema.String, predicateType: Schema.String })

const decodeTyped = Schema.decodeUnknownResult(Typed)
const decodeProvenance = Schema.decodeUnknownResult(Provenance)
const decodeParameters = Schema.decodeUnknownResult(ExternalParameters)

/** One line of a decoder's reason. */
export const reasonOf = ({ message }: { readonly message: string }): string =>
  message.replace(/\s+/g, " ").slice(0, LIMITS.quotedReason)

/**
 * Reads a statement that was opened.
 *
 * @param path names the file in refusals
 */
export const readStatement = (path: string, value: unknown): Result.Result<Statement, Refusal> => {
  const fail = (cause: Refusal["cause"], expected: string, found: string) =>
    Result.fail(refusal(cause, path, expected, found))
  const typed = decodeTyped(value)
  if (Result.isFailure(typed)) return fail("provenance-malformed", "an in-toto statement", reasonOf(typed.failure))
  const { _type, predicateType } = typed.success
  if (_type !== STATEMENT_TYPE) return fail("type-unknown", `the type ${STATEMENT_TYPE}`, quoted(_type))
  if (predicateType !== PREDICATE_TYPE) {
    return fail("predicate-type-unknown", `the predicate type ${PREDICATE_TYPE}`, quoted(predicateType))
  }
  const provenance = decodeProvenance(value, { errors: "first" })
  if (Result.isFailure(provenance)) {
    return fail("provenance-malformed", "SLSA provenance v1", reasonOf(provenance.failure))
  }
  const { predicate, subject } = provenance.success
  const { buildType, externalParameters, resolvedDependencies } = predicate.buildDefinition
  if (buildType !== BUILD_TYPE) return fail("build-type-unknown", `the build type ${BUILD_TYPE}`, quoted(buildType))
  const parameters = decodeParameters(externalParameters, { errors: "first", onExcessProperty: "error" })
  if (Result.isFailure(parameters)) {
    return fail("parameter-unknown", "the external parameters source, target and version", reasonOf(parameters.failure))
  }
  const builder = predicate.runDetails.builder.id
  if (builder !== BUILDER) return fail("builder-unknown", `the builder ${BUILDER}`, quoted(builder))
  const subjects = new Map(subject.map(({ digest, name }) => [name, digest.sha256]))
  return subjects.size === subject.length
    ? Result.succeed({
        subjects,
        builder,
        parameters: parameters.success,
        dependencies: resolvedDependencies
      })
    : fail("provenance-malformed", "subjects with a name of their own", "a name twice")
}
