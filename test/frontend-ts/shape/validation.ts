/** Whether JSON data has a shape: what a value of a schema, encoded by Effect, must have. */
import type { Shape, StableId } from "@effx/ir"

/** The places where `data` does not have the shape. */
export const violations = (
  root: Shape,
  shapes: (id: StableId) => Shape | undefined,
  data: unknown
): ReadonlyArray<string> => {
  const check = (shape: Shape, value: unknown, path: string): ReadonlyArray<string> => {
    const wrong = (what: string) => [`${path}: ${what}: ${JSON.stringify(value)} for ${JSON.stringify(shape)}`]
    switch (shape._tag) {
      case "Any":
        return []
      case "Never":
        return wrong("never")
      case "Void":
        return value === null || value === undefined ? [] : wrong("void")
      case "Boolean":
        return typeof value === "boolean" ? [] : wrong("boolean")
      case "Literal":
        return value === shape.value ? [] : wrong("literal")
      case "String": {
        if (typeof value !== "string") return wrong("string")
        const { format, maxLength = Number.POSITIVE_INFINITY, minLength = 0, pattern } = shape
        return [
          ...(value.length < minLength || value.length > maxLength ? wrong("length") : []),
          ...(pattern === undefined || new RegExp(pattern).test(value) ? [] : wrong("pattern")),
          // Effect writes a date that is none as such.
          ...(format !== "date-time" || value === "Invalid Date" || !Number.isNaN(Date.parse(value))
            ? []
            : wrong("format"))
        ]
      }
      case "Number": {
        if (typeof value !== "number") return wrong("number")
        const { exclusiveMaximum, exclusiveMinimum, integer, maximum, minimum } = shape
        return [
          ...(integer === true && !Number.isInteger(value) ? wrong("integer") : []),
          ...(minimum !== undefined && value < minimum ? wrong("minimum") : []),
          ...(maximum !== undefined && value > maximum ? wrong("maximum") : []),
          ...(exclusiveMinimum !== undefined && value <= exclusiveMinimum ? wrong("exclusiveMinimum") : []),
          ...(exclusiveMaximum !== undefined && value >= exclusiveMaximum ? wrong("exclusiveMaximum") : [])
        ]
      }
      case "Array":
        return Array.isArray(value)
          ? value.flatMap((item, index) => check(shape.items, item, `${path}[${index}]`))
          : wrong("array")
      case "Tuple": {
        if (!Array.isArray(value) || value.length < shape.items.length) return wrong("tuple")
        const { items, rest } = shape
        if (rest === undefined && value.length > items.length) return wrong("length")
        return value.flatMap((item, index) => check(items[index] ?? rest ?? { _tag: "Any" }, item, `${path}[${index}]`))
      }
      case "Record":
        return isRecord(value)
          ? Object.entries(value).flatMap(([key, item]) => check(shape.values, item, `${path}.${key}`))
          : wrong("record")
      case "Object":
        return isRecord(value)
          ? shape.fields.flatMap((field) =>
              Object.hasOwn(value, field.name)
                ? check(field.shape, value[field.name], `${path}.${field.name}`)
                : field.optional
                  ? []
                  : wrong(`${field.name} is missing`)
            )
          : wrong("object")
      case "Union":
        return shape.members.some((member) => check(member, value, path).length === 0) ? [] : wrong("union")
      case "Ref": {
        const target = shapes(shape.id)
        return target === undefined ? wrong("dangling reference") : check(target, value, path)
      }
    }
  }
  return check(root, data, "$")
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
