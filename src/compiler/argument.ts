/**
 * Reads lowered annotation arguments. Every function is total: a value of another form gives `undefined`, and the caller
 * decides whether that is an EFFX1102.
 */
import type { Site } from "@effx/diagnostics"
import type { SchemaRef } from "@effx/ir"
import type { Annotation, AnnotationArg } from "./collected.ts"

type Arg = AnnotationArg | undefined
type Tagged<T extends string> = Extract<AnnotationArg, { readonly _tag: T }>

const isObject = (arg: Arg): arg is Exclude<AnnotationArg, string | number | boolean | null> =>
  typeof arg === "object" && arg !== null

const tagged =
  <T extends "Schema" | "Symbol" | "Lambda">(tag: T) =>
  (arg: Arg): Tagged<T> | undefined =>
    isObject(arg) && !Array.isArray(arg) && "_tag" in arg && arg._tag === tag ? (arg as Tagged<T>) : undefined

export const textOf = (arg: Arg): string | undefined => (typeof arg === "string" ? arg : undefined)

export const schemaOf = (arg: Arg): SchemaRef | undefined => tagged("Schema")(arg)?.ref

export const symbolOf: (arg: Arg) => Tagged<"Symbol"> | undefined = tagged("Symbol")

export const listOf = (arg: Arg): ReadonlyArray<AnnotationArg> | undefined =>
  Array.isArray(arg) ? (arg as ReadonlyArray<AnnotationArg>) : undefined

export const recordOf = (arg: Arg): Readonly<Record<string, AnnotationArg>> | undefined =>
  isObject(arg) && !Array.isArray(arg) && !("_tag" in arg)
    ? (arg as Readonly<Record<string, AnnotationArg>>)
    : undefined

/** What an argument is, as a noun phrase for messages. */
export const describe = (arg: Arg): string => {
  if (arg === undefined) return "nothing"
  if (arg === null) return "null"
  if (typeof arg !== "object") return `the ${typeof arg} ${JSON.stringify(arg)}`
  const schema = schemaOf(arg)
  if (schema !== undefined) return `the schema ${schema.export}`
  const symbol = symbolOf(arg)
  if (symbol !== undefined) return symbol.ref.export
  if (tagged("Lambda")(arg) !== undefined) return "a function"
  return Array.isArray(arg) ? "a list" : "an object"
}

/** One step of a JSON pointer (RFC 6901). */
export const pointerTo = (...steps: ReadonlyArray<string | number>): string =>
  steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

/** The site of the argument at `pointer`; of its nearest enclosing argument, or of the annotation, where it has none. */
export const argumentSite = (annotation: Annotation, ...steps: ReadonlyArray<string | number>): Site => {
  for (let length = steps.length; length > 0; length--) {
    const site = annotation.sites[pointerTo(...steps.slice(0, length))]
    if (site !== undefined) return site
  }
  return annotation.site
}
