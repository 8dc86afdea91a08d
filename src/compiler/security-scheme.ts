/**
 * What source says of a guard beyond its name: the ways in which a caller may present itself, and how it is refused.
 *
 * A way is one entry of the `security` of an `HttpApiMiddleware`, named by its key; the entries of one guard are alternatives.
 * Their form is that of OpenAPI's security scheme object, which is also what Effect documents.
 */
import { type SchemaRef, StableId, SymbolRef } from "@effx/ir"
import { Schema } from "effect"

const described = { description: Schema.optionalKey(Schema.String) }

export const SecurityScheme = Schema.Union([
  Schema.Struct({
    ...described,
    type: Schema.Literal("http"),
    /** As declared: `Bearer`, `basic`, `Digest`, …; case does not matter. */
    scheme: Schema.String,
    bearerFormat: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({
    ...described,
    type: Schema.Literal("apiKey"),
    name: Schema.String,
    in: Schema.Literals(["header", "query", "cookie"])
  })
])
export type SecurityScheme = typeof SecurityScheme.Type

const NamedScheme = Schema.Struct({ key: Schema.String, scheme: SecurityScheme })
export type NamedScheme = typeof NamedScheme.Type

/** What a frontend reads of a guard; what is absent could not be read. */
export interface GuardFacts {
  /** None: the middleware asks the caller for nothing. */
  readonly schemes?: ReadonlyArray<NamedScheme>
  readonly errors?: ReadonlyArray<SchemaRef>
}

/** A guard as the fact `http/access` names it. */
export const Guard = Schema.Struct({
  ...SymbolRef.fields,
  schemes: Schema.optionalKey(Schema.Array(NamedScheme)),
  errors: Schema.optionalKey(Schema.Array(StableId))
})
export type Guard = typeof Guard.Type
