/** A focus has to name fields of its model (EFFX1102). A form that source does not reveal is not judged. */
import { type Diagnostic, EFFX1102 } from "@effx/diagnostics"
import type { Analysis } from "../../extension.ts"
import { fieldsOf, shapeOf } from "../../shapes.ts"

export const focusPaths: Analysis = {
  name: "focus-paths",
  analyze: ({ index, siteOf }) =>
    index.tagged("Focus").flatMap((focus): ReadonlyArray<Diagnostic> => {
      const model = index.node(focus.root)
      if (model._tag === "None" || model.value._tag !== "Model") return []
      let shape = shapeOf(index, model.value.schema.symbolId)
      for (const step of focus.path) {
        const fields = fieldsOf(index, shape)
        if (fields === undefined) return []
        const field = fields.find(({ name }) => name === step)
        if (field === undefined) {
          const problem = `has the focus ${focus.path.join(".")}, but ${model.value.name} has no field ${step}`
          const annotation = siteOf(focus.id, "authorize") === undefined ? "PersistentModel" : "Authorize"
          return [EFFX1102.make({ annotation, _tag: "Malformed", problem }, { site: siteOf(focus.id) })]
        }
        shape = field.shape
      }
      return []
    })
}
