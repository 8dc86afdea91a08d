/** `@PersistentModel`: a schema that is kept in a table, with named views and the focus of its key. */
import { EFFX1102 } from "@effx/diagnostics"
import type { Edge, ModelNode } from "@effx/ir"
import { argumentSite, describe, recordOf, schemaOf, textOf } from "../../argument.ts"
import type { Interpreter } from "../../extension.ts"
import { once } from "../placement.ts"
import { focusNode, focusPath } from "./authorize.ts"
import { schemaContribution } from "./schemas.ts"

export const persistentModel: Interpreter = {
  annotation: "PersistentModel",
  interpret: once(["PersistentModel"], ({ annotation, collected, declaration, subject }) => {
    const unexpected = (expected: string, actual: string, ...steps: ReadonlyArray<string | number>) => ({
      diagnostics: [
        EFFX1102.make(
          { annotation: "PersistentModel", _tag: "Unexpected", expected, actual },
          { site: argumentSite(annotation, 0, ...steps) }
        )
      ]
    })
    const options = recordOf(annotation.args[0])
    const schema = schemaOf(options?.schema)
    if (options === undefined || schema === undefined) {
      return unexpected("a schema class", describe(options === undefined ? annotation.args[0] : options.schema))
    }
    const table = textOf(options.table)
    if (table === undefined || table === "") return unexpected("the name of a table", describe(options.table), "table")
    const given = options.views === undefined ? {} : recordOf(options.views)
    if (given === undefined) return unexpected("an object of schemas", describe(options.views), "views")
    const views = Object.entries(given).map(([name, arg]) => ({ name, arg, schema: schemaOf(arg) }))
    const invalid = views.find((view) => view.schema === undefined)
    if (invalid !== undefined) return unexpected("schemas as views", describe(invalid.arg), "views", invalid.name)
    const named = views.flatMap(({ name, schema: view }) => (view === undefined ? [] : { name, schema: view }))
    const path = focusPath(options.focus)
    if (options.focus !== undefined && path === undefined) {
      return unexpected("a focus that is a path of keys", describe(options.focus), "focus")
    }
    const model: ModelNode = { _tag: "Model", id: subject, name: schema.export, schema, table, views: named }
    const focus = path === undefined ? undefined : focusNode(schema.export, path)
    const schemas = schemaContribution(collected.schemas, [
      { ref: schema, site: declaration.site },
      ...named.map(({ name, schema: ref }) => ({ ref, site: argumentSite(annotation, 0, "views", name) }))
    ])
    const edges: ReadonlyArray<Edge> = [
      { kind: "PersistsAs", from: subject, to: schema.symbolId, qualifier: table },
      ...named.map(
        ({ name, schema: view }): Edge => ({ kind: "ViewOf", from: view.symbolId, to: subject, qualifier: name })
      ),
      ...schemas.edges
    ]
    return {
      nodes: [model, ...schemas.nodes, ...(focus === undefined ? [] : [focus])],
      edges,
      sites: {
        ...schemas.sites,
        [subject]: declaration.site,
        ...(focus !== undefined && { [focus.id]: argumentSite(annotation, 0, "focus") })
      }
    }
  })
}
