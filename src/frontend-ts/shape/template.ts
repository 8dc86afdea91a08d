/** The regular expression of a template literal schema, where all of its parts are known. */
import type { Type } from "../checker.ts"
import type { Form } from "./form.ts"

const NUMBER = "[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[Ee][+-]?\\d+)?"
const INTEGER = "[+-]?\\d+"

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")

const alternatives = (sources: ReadonlyArray<string>): string => `(?:${sources.join("|")})`

/**
 * @param formOf the form of a part without its wrappers
 * @returns `undefined` when a part cannot be written as a regular expression
 */
export const templatePattern = (
  parts: ReadonlyArray<string | Type>,
  formOf: (type: Type) => Form
): string | undefined => {
  const source = (part: string | Type): string | undefined => {
    if (typeof part === "string") return escape(part)
    const form = formOf(part)
    switch (form._tag) {
      case "Wire": {
        const { shape } = form
        if (shape._tag === "String")
          return shape.pattern === undefined && shape.format === undefined && shape.minLength === undefined
            ? "[\\s\\S]*?"
            : shape.pattern?.replace(/^\^|\$$/g, "")
        if (shape._tag === "Number") return shape.integer === true ? INTEGER : NUMBER
        return shape._tag === "Union" ? alternatives([NUMBER, "Infinity", "-Infinity", "NaN"]) : undefined
      }
      case "Literals":
        return alternatives(form.values.map((value) => escape(String(value))))
      case "Union": {
        const members = form.members.map(source)
        return members.every((member) => member !== undefined) ? alternatives(members) : undefined
      }
      case "Template": {
        const inner = form.parts.map(source)
        return inner.every((part) => part !== undefined) ? inner.join("") : undefined
      }
      default:
        return undefined
    }
  }
  const sources = parts.map(source)
  return sources.every((part) => part !== undefined) ? `^${sources.join("")}$` : undefined
}
