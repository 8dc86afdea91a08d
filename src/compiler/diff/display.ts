/** Shapes as short text for readers. */
import { nameOf, type Shape } from "@effx/ir"

const MAX_LENGTH = 60

const bounds = (shape: Extract<Shape, { readonly _tag: "String" | "Number" }>): string => {
  const parts =
    shape._tag === "String"
      ? [
          shape.format,
          shape.pattern === undefined ? undefined : `matching ${shape.pattern}`,
          shape.minLength === undefined ? undefined : `at least ${shape.minLength} long`,
          shape.maxLength === undefined ? undefined : `at most ${shape.maxLength} long`
        ]
      : [
          shape.minimum === undefined ? undefined : `from ${shape.minimum}`,
          shape.exclusiveMinimum === undefined ? undefined : `above ${shape.exclusiveMinimum}`,
          shape.maximum === undefined ? undefined : `to ${shape.maximum}`,
          shape.exclusiveMaximum === undefined ? undefined : `below ${shape.exclusiveMaximum}`
        ]
  const stated = parts.filter((part) => part !== undefined)
  return stated.length === 0 ? "" : ` (${stated.join(", ")})`
}

const full = (shape: Shape): string => {
  switch (shape._tag) {
    case "Any":
      return "any value"
    case "Never":
      return "no value"
    case "Void":
      return "nothing"
    case "Boolean":
      return "boolean"
    case "String":
      return `string${bounds(shape)}`
    case "Number":
      return `${shape.integer === true ? "integer" : "number"}${bounds(shape)}`
    case "Literal":
      return JSON.stringify(shape.value)
    case "Array":
      return `array of ${full(shape.items)}`
    case "Tuple":
      return `[${[...shape.items.map(full), ...(shape.rest ? [`...${full(shape.rest)}`] : [])].join(", ")}]`
    case "Record":
      return `record of ${full(shape.values)}`
    case "Object":
      return `{ ${shape.fields.map(({ name, optional }) => `${name}${optional ? "?" : ""}`).join(", ")} }`
    case "Union":
      return shape.members.map(full).join(" | ")
    case "Ref": {
      const name = nameOf(shape.id)
      return name.slice(name.lastIndexOf("/") + 1)
    }
  }
}

/** One line, at most 60 UTF-16 units. */
export const displayShape = (shape: Shape): string => {
  const text = full(shape)
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`
}
