/**
 * Builds `Collected` by hand: what a frontend would say about a source file, with a different site for every annotation and
 * every argument, so that tests can name the exact place of a finding.
 */
import type {
  Annotation,
  AnnotationArg,
  Channel,
  Collected,
  Constituent,
  Declaration,
  SchemaInfo
} from "@effx/compiler"
import type { Site } from "@effx/diagnostics"
import { type SchemaRef, type Shape, type StableId, type SymbolRef, stableId } from "@effx/ir"

export const text: Shape = { _tag: "String" }
export const number: Shape = { _tag: "Number" }
export const nothing: Shape = { _tag: "Void" }
export const list = (items: Shape): Shape => ({ _tag: "Array", items })
export const union = (...members: ReadonlyArray<Shape>): Shape => ({ _tag: "Union", members })
export const refTo = (schema: SchemaInfo): Shape => ({ _tag: "Ref", id: schema.ref.symbolId })
export const optional = (shape: Shape) => ({ optional: shape })
export const object = (fields: Readonly<Record<string, Shape | { readonly optional: Shape }>>): Shape => ({
  _tag: "Object",
  fields: Object.entries(fields).map(([name, field]) => ({
    name,
    shape: "optional" in field ? field.optional : field,
    optional: "optional" in field
  }))
})

/** A place that is unlike every other; the end of the span is of no interest. */
export const place = (line: number, col = 1, file = "src/main.ts"): Site => ({
  location: { file, line, col },
  span: { start: line * 1000 + col, end: line * 1000 + col + 1 }
})

/** A schema that the project exports; its declaration is at the line. */
export const schema = (
  name: string,
  shape: Shape,
  facts: Partial<Pick<SchemaInfo, "identifier" | "status" | "description">> & {
    readonly line?: number
    readonly file?: string
  } = {}
): SchemaInfo => {
  const { file = "src/schemas.ts", line = 1, ...rest } = facts
  const module = file.replace(/\.ts$/, "")
  const ref: SchemaRef = { module: `../../${module}`, export: name, symbolId: stableId("schema", `${module}/${name}`) }
  return { ref, shape, ...rest, site: place(line, 14, file) }
}

export interface Service {
  readonly id: StableId
  readonly ref: SymbolRef
  readonly key: string
  readonly site: Site
}

export const service = (
  name: string,
  options: { readonly key?: string; readonly line?: number; readonly module?: string } = {}
): Service => ({
  id: stableId("service", name),
  ref: { module: options.module ?? "../../src/services", export: name },
  key: options.key ?? `app/${name}`,
  site: place(options.line ?? 1, 14, "src/services.ts")
})

/** An exported value that is neither schema nor service. */
export const symbol = (name: string, facts: { readonly security?: boolean } = {}): AnnotationArg => ({
  _tag: "Symbol",
  ref: { module: "../../src/symbols", export: name },
  ...facts
})

export type Given = AnnotationArg | SchemaInfo | Service | ReadonlyArray<Given> | { readonly [key: string]: Given }

const isSchema = (given: object): given is SchemaInfo => "shape" in given && "ref" in given
const isService = (given: object): given is Service => "key" in given && "ref" in given

const lower = (given: Given): AnnotationArg => {
  if (typeof given !== "object" || given === null || "_tag" in given) return given as AnnotationArg
  if (Array.isArray(given)) return given.map(lower)
  if (isSchema(given)) return { _tag: "Schema", ref: given.ref }
  if (isService(given)) return { _tag: "Symbol", ref: given.ref, service: given.id }
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, lower(value as Given)]))
}

/** An annotation as a test writes it: `["Http.Get", "/items/:id"]`. */
export type Written = readonly [name: string, ...args: ReadonlyArray<Given>]

const pointers = (arg: AnnotationArg, at: string): ReadonlyArray<string> => {
  if (typeof arg !== "object" || arg === null || "_tag" in arg) return [at]
  return [at, ...Object.entries(arg).flatMap(([key, value]) => pointers(value as AnnotationArg, `${at}/${key}`))]
}

const annotation = ([name, ...given]: Written, line: number, file: string): Annotation => {
  const args = given.map(lower)
  const all = args.flatMap((arg, index) => pointers(arg, `/${index}`))
  const sites = Object.fromEntries(all.map((pointer, index) => [pointer, place(line, 10 + index, file)]))
  return { name, args, site: place(line, 3, file), sites }
}

export interface Handler {
  readonly errors?: ReadonlyArray<SchemaInfo | string> | Extract<Channel, { readonly _tag: "Unknowable" }>
  readonly requires?: ReadonlyArray<Service | string> | Extract<Channel, { readonly _tag: "Unknowable" }>
}

const channel = (given: ReadonlyArray<SchemaInfo | Service | string> | Channel = []): Channel => {
  if ("_tag" in given) return given
  return {
    _tag: "Known",
    members: given.map((member): Constituent => {
      if (typeof member === "string") return { _tag: "Opaque", display: member }
      return isSchema(member)
        ? { _tag: "Schema", ref: member.ref, display: member.ref.export }
        : { _tag: "Service", id: member.id, ref: member.ref, display: member.ref.export }
    })
  }
}

export interface DeclarationOptions extends Handler {
  readonly kind?: Declaration["kind"]
  /** The line of the name; annotation n is n lines below. */
  readonly line?: number
  readonly file?: string
  readonly docs?: Declaration["docs"]
  readonly dropped?: ReadonlyArray<string>
}

/** A static method `Items.<member>` with decorators, or the same written as a chain. */
export const operation = (
  member: string,
  annotations: ReadonlyArray<Written>,
  options: DeclarationOptions = {}
): Declaration => {
  const { docs, dropped, errors, file = "src/main.ts", kind = "staticMethod", line = 100, requires } = options
  const module = `../../${file.replace(/\.ts$/, "")}`
  return {
    kind,
    ...(kind === "staticMethod" ? { export: "Items", member, id: `Items.${member}` } : { export: member, id: member }),
    file,
    site: place(line, 10, file),
    annotations: annotations.map((written, index) => annotation(written, line + index + 1, file)),
    handler:
      kind === "staticMethod" ? { module, export: "Items", member } : { module, export: member, member: "handler" },
    signature: { success: "unknown", errors: channel(errors), requirements: channel(requires) },
    ...(docs && { docs }),
    ...(dropped && { dropped })
  }
}

/** A model class. */
export const model = (of: SchemaInfo, annotations: ReadonlyArray<Written>, line = 50): Declaration => ({
  kind: "model",
  export: of.ref.export,
  id: of.ref.export,
  file: "src/schemas.ts",
  site: place(line, 14, "src/schemas.ts"),
  annotations: annotations.map((written, index) => annotation(written, line + index + 1, "src/schemas.ts"))
})

/** What a frontend would hand over. */
export const collect = (
  declarations: ReadonlyArray<Declaration>,
  known: { readonly schemas?: ReadonlyArray<SchemaInfo>; readonly services?: ReadonlyArray<Service> } = {}
): Collected => ({
  declarations,
  diagnostics: [],
  schemas: Object.fromEntries((known.schemas ?? []).map((info) => [info.ref.symbolId, info])),
  services: Object.fromEntries((known.services ?? []).map(({ id, key, ref, site }) => [id, { ref, key, site }])),
  modules: {},
  spreads: [],
  versions: { typescript: "7.1.0-beta" }
})
