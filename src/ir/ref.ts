/**
 * References from the IR to source declarations.
 *
 * `module` is the POSIX path from the project's *default* generated directory to the declaring file without extension
 * (it starts with `./` or `../`), or the bare specifier that the author wrote. It never depends on `outDir` or `emit`, so
 * neither changes the semantic hash; `Collected.modules` maps it to what generated code really imports.
 */
import { Schema } from "effect"
import { StableId } from "./stable-id.ts"

/**
 * A schema value: `export` is the export name, with static members behind dots (`User.Public`); `symbolId` is its
 * `schema:` id.
 */
export const SchemaRef = Schema.Struct({
  module: Schema.String,
  export: Schema.String,
  symbolId: StableId
})
export type SchemaRef = typeof SchemaRef.Type

/** Any other exported value: a service class, a middleware class, a problem registry or a handler. */
export const SymbolRef = Schema.Struct({
  module: Schema.String,
  export: Schema.String,
  member: Schema.optionalKey(Schema.String)
})
export type SymbolRef = typeof SymbolRef.Type
