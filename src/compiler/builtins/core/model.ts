/** `@PersistentModel`: a schema that is kept in a table, with named views and the focus of its key. */
import type { Edge, ModelNode } from "@effx/ir"
import { argumentSite, recordOf, schemaOf, textOf } from "../../argument.ts"
import type { AnnotationArg } from "../../collected.ts"
import type { Interpreter } from "../../extension.ts"
import { unexpected } from "../invalid-argument.ts"
import { once } from "../placement.ts"
import { focusNode, focusPath } from "./authorize.ts"
import { schemaContribution } from "./schemas.ts"

export const persistentModel: Interpreter = {
  annotation: "PersistentModel",
  interpret: once(["PersistentModel"], ({ annotation, collected, declaration, subject }) => {
    const refuse = (expected: string, actual: AnnotationArg | undefined, ...steps: ReadonlyArray<string>) => ({
      diagnostics: [unexpected(annotation, expected, actual, 0, ...steps)]
    })
    const options = recordOf(annotation.args[0])
    const schema = schemaOf(options?.schema)
    if (options === undefined || schema === undefined) {
      return refuse("a schema class", options === undefined ? annotation.args[0] : options.schema)
    }
    const table = textOf(options.table)
    if (table === undefined || table === "") return refuse("the name of a table", options.table, "table")
    const given = options.views === undefined ? {} : recordOf(options.views)
    if (given === undefined) return refuse("an object of schemas", options.views, "views")
    const views = Object.entries(given).map(([name, arg]) => ({ name, arg, schema: schemaOf(arg) }))
    const invalid = views.find((view) => view.schema === undefined)
    if (invalid !== undefined) return refuse("schemas as views", invalid.arg, "views", invalid.name)
    const named = views.flatMap(({ name, schema: view }) => (view === undefined ? [] : { name, schema: view }))
    const path = focusPath(options.focus)
    if (options.focus !== undefined && path === undefined) {
      return refuse("a focus that is a path of keys", options.focus, "focus")
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
