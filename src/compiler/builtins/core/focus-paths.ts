/** A focus has to name fields of its model (EFFX1102). A form that source does not reveal is not judged. */
import { EFFX1102 } from "@effx/diagnostics"
import type { NodeAnalysis } from "../../extension.ts"
import { fieldsOf, shapeOf } from "../../shapes.ts"

export const focusPaths: NodeAnalysis<"Focus"> = {
  name: "focus-paths",
  of: "Focus",
  judge: (focus, { index, siteOf }) => {
    const model = index.node(focus.root)
    if (model._tag === "None" || model.value._tag !== "Model") return {}
    let shape = shapeOf(index, model.value.schema.symbolId)
    for (const step of focus.path) {
      const fields = fieldsOf(index, shape)
      if (fields === undefined) return {}
      const field = fields.find(({ name }) => name === step)
      if (field === undefined) {
        const problem = `has the focus ${focus.path.join(".")}, but ${model.value.name} has no field ${step}`
        const annotation = siteOf(focus.id, "authorize") === undefined ? "PersistentModel" : "Authorize"
        const params = { annotation, _tag: "Malformed", problem } as const
        return { diagnostics: [EFFX1102.make(params, { site: siteOf(focus.id) })] }
      }
      shape = field.shape
    }
    return {}
  }
}
