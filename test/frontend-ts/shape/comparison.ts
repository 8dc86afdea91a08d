/**
 * Whether a shape says what a JSON Schema of Effect says, modulo names: references are unfolded on both sides, and unions are
 * compared as sets.
 *
 * Known and wanted differences: a shape names the format `date-time` and patterns that Effect leaves out; Effect halves a
 * minimum length, because JSON Schema counts code points; Effect bounds integers by what is safe, and drops bounds of
 * numbers that may be infinite.
 */
import type { Shape, StableId } from "@effx/ir"

export interface JsonSchema {
  readonly [key: string]: unknown
}

export interface Document {
  readonly schema: JsonSchema
  readonly definitions: Readonly<Record<string, JsonSchema>>
}

const SAFE = Number.MAX_SAFE_INTEGER

const isEmpty = (schema: JsonSchema): boolean =>
  Object.keys(schema).every((key) => key === "description" || key === "title" || key === "format")

/** The differences, each with its path; none means that both say the same. */
export const differences = (
  root: Shape,
  shapes: (id: StableId) => Shape | undefined,
  document: Document
): ReadonlyArray<string> => {
  const open = new Set<string>()

  const deref = (schema: JsonSchema): JsonSchema => {
    const ref = schema.$ref
    if (typeof ref !== "string") return schema
    const name = ref.replace("#/$defs/", "").replaceAll("~1", "/").replaceAll("~0", "~")
    return deref(document.definitions[name] ?? { dangling: ref })
  }
  const unfold = (shape: Shape): Shape => (shape._tag === "Ref" ? unfold(shapes(shape.id) ?? { _tag: "Any" }) : shape)

  const alternativesOfShape = (shape: Shape): ReadonlyArray<Shape> => {
    const target = unfold(shape)
    return target._tag === "Union" ? target.members.flatMap(alternativesOfShape) : [target]
  }
  const alternatives = (schema: JsonSchema): ReadonlyArray<JsonSchema> => {
    const target = deref(schema)
    if (Array.isArray(target.anyOf)) return (target.anyOf as ReadonlyArray<JsonSchema>).flatMap(alternatives)
    if (Array.isArray(target.enum)) return target.enum.map((value) => ({ const: value }))
    if (target.type === "null") return [{ const: null }]
    if (target.not !== undefined) return []
    return [target]
  }

  const compare = (shape: Shape, schema: JsonSchema, path: string): ReadonlyArray<string> => {
    const key = `${JSON.stringify(shape)} ${JSON.stringify(schema)}`
    if (open.has(key)) return []
    open.add(key)
    const found = compareOpen(shape, schema, path)
    open.delete(key)
    return found
  }

  const compareOpen = (shape: Shape, schema: JsonSchema, path: string): ReadonlyArray<string> => {
    const ours = alternativesOfShape(shape).filter((member) => member._tag !== "Never")
    const theirs = alternatives(schema)
    const unique = theirs.filter(
      (member, index) => theirs.findIndex((other) => JSON.stringify(other) === JSON.stringify(member)) === index
    )
    if (ours.length === 1 && unique.length === 1) return one(ours[0] as Shape, unique[0] as JsonSchema, path)
    const fits = (member: Shape, other: JsonSchema) => one(member, other, path).length === 0
    const missing = unique.filter((other) => !ours.some((member) => fits(member, other)))
    const extra = ours.filter((member) => !unique.some((other) => fits(member, other)))
    return [
      ...missing.map((other) => `${path}: lacks ${JSON.stringify(other)}`),
      ...extra.map((member) => `${path}: adds ${JSON.stringify(member)}`)
    ]
  }

  const one = (shape: Shape, schema: JsonSchema, path: string): ReadonlyArray<string> => {
    const differ = (what: string) => [`${path}: ${what}: ${JSON.stringify(shape)} against ${JSON.stringify(schema)}`]
    const expectType = (type: string) => (schema.type === type ? [] : differ("type"))
    switch (shape._tag) {
      case "Any":
        return isEmpty(schema) ? [] : differ("any")
      case "Void":
        return schema.const === null ? [] : differ("void")
      case "Boolean":
        return expectType("boolean")
      case "Literal":
        return schema.const === shape.value && "const" in schema ? [] : differ("literal")
      case "String": {
        if (schema.type !== "string") return differ("type")
        const minimum = shape.minLength
        const lengths: ReadonlyArray<unknown> = minimum === undefined ? [undefined] : [minimum, Math.ceil(minimum / 2)]
        return [
          ...(lengths.includes(schema.minLength) ? [] : differ("minLength")),
          ...(shape.maxLength === schema.maxLength ? [] : differ("maxLength")),
          ...(schema.pattern === undefined || schema.pattern === shape.pattern ? [] : differ("pattern")),
          ...(shape.format === schema.format || (shape.format === "date-time" && schema.format === undefined)
            ? []
            : differ("format"))
        ]
      }
      case "Number": {
        const integer = shape.integer === true
        const bound = (name: "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum", implied?: number) =>
          schema[name] === undefined || schema[name] === implied || schema[name] === shape[name] ? [] : differ(name)
        return [
          ...(schema.type === (integer ? "integer" : "number") ? [] : differ("type")),
          ...bound("minimum", -SAFE),
          ...bound("maximum", SAFE),
          ...bound("exclusiveMinimum"),
          ...bound("exclusiveMaximum")
        ]
      }
      case "Array":
        return schema.type === "array" && schema.prefixItems === undefined
          ? compare(shape.items, (schema.items as JsonSchema | undefined) ?? {}, `${path}[]`)
          : differ("type")
      case "Tuple": {
        const prefix = (schema.prefixItems as ReadonlyArray<JsonSchema> | undefined) ?? []
        // Effect says with one schema what a shape says with one tuple a length.
        if (schema.type !== "array" || prefix.length < shape.items.length) return differ("tuple")
        if (shape.items.length < Number(schema.minItems ?? 0)) return differ("minItems")
        return [
          ...shape.items.flatMap((item, index) => compare(item, prefix[index] as JsonSchema, `${path}[${index}]`)),
          ...(shape.rest === undefined ? [] : compare(shape.rest, (schema.items as JsonSchema) ?? {}, `${path}[…]`))
        ]
      }
      case "Record":
        return schema.type === "object" && schema.properties === undefined
          ? compare(
              shape.values,
              typeof schema.additionalProperties === "object" && schema.additionalProperties !== null
                ? (schema.additionalProperties as JsonSchema)
                : {},
              `${path}{}`
            )
          : differ("record")
      case "Object": {
        const properties = (schema.properties as Readonly<Record<string, JsonSchema>> | undefined) ?? {}
        const required = new Set((schema.required as ReadonlyArray<string> | undefined) ?? [])
        if (schema.type !== "object") return differ("type")
        const names = new Set([...shape.fields.map((field) => field.name), ...Object.keys(properties)])
        return Array.from(names).flatMap((name) => {
          const field = shape.fields.find((candidate) => candidate.name === name)
          const property = properties[name]
          if (field === undefined || property === undefined) return [`${path}.${name}: only one side has it`]
          return [
            ...(field.optional === required.has(name) ? [`${path}.${name}: optional ${field.optional}`] : []),
            ...compare(field.shape, property, `${path}.${name}`)
          ]
        })
      }
      default:
        return differ("tag")
    }
  }

  return compare(root, document.schema, "$")
}
