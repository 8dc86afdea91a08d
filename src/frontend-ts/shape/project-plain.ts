/** The shape of an ordinary type, from its collected forms. A type that contains itself is `Any` where it does. */
import type { Shape } from "@effx/ir"
import type { Type } from "../checker.ts"
import type { PlainForm } from "./form.ts"
import { nested, tupleOf, unionOf } from "./union.ts"

export const projectPlain = (forms: ReadonlyMap<Type, PlainForm>, root: Type): Shape => {
  const open = new Set<Type>()
  const shapeOf = (type: Type): Shape => {
    const form = forms.get(type)
    if (form === undefined || open.has(type)) return { _tag: "Any" }
    open.add(type)
    const shape = shapeOfForm(form)
    open.delete(type)
    return shape
  }
  const at = (type: Type): Shape => nested(shapeOf(type))
  const shapeOfForm = (form: PlainForm): Shape => {
    switch (form._tag) {
      case "Known":
        return form.shape
      case "Object":
        return {
          _tag: "Object",
          fields: form.fields.map(({ name, type, optional }) => ({ name, shape: at(type), optional }))
        }
      case "Array":
        return { _tag: "Array", items: at(form.items) }
      case "Tuple":
        return tupleOf(form.items.map(at), form.required, form.rest === undefined ? undefined : at(form.rest))
      case "Union":
        return booleans(unionOf(form.members.map(shapeOf)))
      case "Record":
        return { _tag: "Record", values: at(form.values) }
    }
  }
  return shapeOf(root)
}

/** `true | false` is how the checker writes `boolean` inside a union. */
const booleans = (shape: Shape): Shape => {
  if (shape._tag !== "Union") return shape
  const isBoolean = (member: Shape) => member._tag === "Literal" && typeof member.value === "boolean"
  return shape.members.filter(isBoolean).length < 2
    ? shape
    : unionOf([...shape.members.filter((member) => !isBoolean(member)), { _tag: "Boolean" }])
}
