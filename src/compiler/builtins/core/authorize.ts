/**
 * `@Authorize`: the capability that a caller needs, as a declared fact. It enforces nothing by itself. An operation may
 * name several capabilities.
 */
import { type CapabilityNode, type Edge, type FocusNode, stableId } from "@effx/ir"
import { argumentSite, listOf, recordOf, schemaOf, textOf } from "../../argument.ts"
import type { AnnotationArg } from "../../collected.ts"
import type { Interpreter } from "../../extension.ts"
import { unexpected } from "../invalid-argument.ts"
import { onOperation } from "../placement.ts"

/** The path of a focus; `undefined` for anything else than a list of names that is not empty. */
export const focusPath = (arg: AnnotationArg | undefined): ReadonlyArray<string> | undefined => {
  const path = listOf(arg)?.map(textOf)
  return path?.length !== 0 && path?.every((step) => step !== undefined && step !== "")
    ? (path as ReadonlyArray<string>)
    : undefined
}

/** The focus `path` of the model of the schema `root`. */
export const focusNode = (root: string, path: ReadonlyArray<string>): FocusNode => ({
  _tag: "Focus",
  id: stableId("focus", `${root}/${path.join(".")}`),
  root: stableId("model", root),
  path
})

export const authorize: Interpreter = {
  annotation: "Authorize",
  interpret: onOperation(({ annotation, subject }) => {
    const refuse = (expected: string, actual: AnnotationArg | undefined, ...steps: ReadonlyArray<string>) => ({
      diagnostics: [unexpected(annotation, expected, actual, 0, ...steps)]
    })
    const capability = recordOf(annotation.args[0])
    const name = textOf(capability?.name)
    if (capability === undefined || name === undefined || name === "") {
      return refuse("a capability made with Capability.make", annotation.args[0])
    }
    const resource = schemaOf(capability.resource)?.export ?? textOf(capability.resource)
    if (resource === undefined || resource === "") {
      return refuse("a capability whose resource is a model", capability.resource, "resource")
    }
    const path = focusPath(capability.focus)
    if (capability.focus !== undefined && path === undefined) {
      return refuse("a focus that is a path of keys", capability.focus, "focus")
    }
    const focus = path === undefined ? undefined : focusNode(resource, path)
    const node: CapabilityNode = {
      _tag: "Capability",
      id: stableId("capability", name),
      name,
      resource: stableId("model", resource),
      ...(focus !== undefined && { focus: focus.id })
    }
    const authorized: Edge = { kind: "AuthorizedBy", from: subject, to: node.id }
    const site = argumentSite(annotation, 0)
    return {
      nodes: focus === undefined ? [node] : [node, focus],
      edges: focus === undefined ? [authorized] : [authorized, { kind: "Focuses", from: node.id, to: focus.id }],
      sites: { [node.id]: site, ...(focus !== undefined && { [focus.id]: site, [`${focus.id}#authorize`]: site }) }
    }
  })
}
