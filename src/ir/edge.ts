/**
 * The edges of the application graph. A missing endpoint is data, reported as EFFX1002; it is not a decoding failure.
 *
 * | kind         | from       | to         | qualifier |
 * |--------------|------------|------------|-----------|
 * | InputOf      | schema     | operation  |           |
 * | SuccessOf    | schema     | operation  |           |
 * | ErrorOf      | schema     | operation  |           |
 * | Requires     | operation  | service    |           |
 * | AuthorizedBy | operation  | capability |           |
 * | Focuses      | capability | focus      |           |
 * | ExposedAs    | operation  | exposure   | transport |
 * | PersistsAs   | model      | schema     | table     |
 * | ViewOf       | schema     | model      | view      |
 * | ExtensionOf  | extension  | any node   | tag       |
 */
import { Schema } from "effect"
import { StableId } from "./stable-id.ts"

export const EDGE_KINDS = [
  "InputOf",
  "SuccessOf",
  "ErrorOf",
  "Requires",
  "AuthorizedBy",
  "Focuses",
  "ExposedAs",
  "PersistsAs",
  "ViewOf",
  "ExtensionOf"
] as const

export const Edge = Schema.Struct({
  kind: Schema.Literals(EDGE_KINDS),
  from: StableId,
  to: StableId,
  qualifier: Schema.optionalKey(Schema.String)
})
export type Edge = typeof Edge.Type
