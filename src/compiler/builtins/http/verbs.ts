/** `@Http.Get` … `@Http.Delete`: the HTTP exposure of an operation. An operation has one. */
import { EFFX2402 } from "@effx/diagnostics"
import { type ExposureNode, type HttpMethod, stableId } from "@effx/ir"
import { argumentSite, textOf } from "../../argument.ts"
import type { Annotation, Declaration } from "../../collected.ts"
import type { Interpreter } from "../../extension.ts"
import { subjectName } from "../../subject.ts"
import { unexpected } from "../invalid-argument.ts"
import { onOperation } from "../placement.ts"
import { relatedAt } from "../related.ts"
import { pathProblem } from "./path.ts"

const METHOD_OF: Readonly<Record<string, HttpMethod>> = {
  "Http.Get": "GET",
  "Http.Post": "POST",
  "Http.Put": "PUT",
  "Http.Patch": "PATCH",
  "Http.Delete": "DELETE"
}

const isVerb = (name: string): boolean => Object.hasOwn(METHOD_OF, name)

const routeOf = ({ args, name }: Annotation): string => `${METHOD_OF[name]} ${textOf(args[0]) ?? ""}`.trimEnd()

/** Whether source exposes the declaration over HTTP, validly or not. */
export const hasVerb = ({ annotations, dropped = [] }: Declaration): boolean =>
  annotations.some(({ name }) => isVerb(name)) || dropped.some(isVerb)

/** Facets of an exposure that say where another annotation of the operation is, also one that was not understood. */
const FACET_OF = { access: "Http.Access", problems: "Http.Problems" } as const

const verb = (name: string, method: HttpMethod): Interpreter => ({
  annotation: name,
  interpret: onOperation(({ annotation, declaration, subject }) => {
    const operation = subjectName(declaration)
    const pathSite = argumentSite(annotation, 0)
    const first = declaration.annotations.find((other) => isVerb(other.name))
    if (first !== undefined && first !== annotation) {
      const params = { _tag: "SecondRoute", operation, route: routeOf(annotation), first: routeOf(first) } as const
      const related = relatedAt(`The first route, ${params.first}`, first.site)
      return { diagnostics: [EFFX2402.make(params, { site: annotation.site, related })] }
    }
    const path = textOf(annotation.args[0])
    if (path === undefined) {
      return { diagnostics: [unexpected(annotation, "a path", annotation.args[0], 0)] }
    }
    const problem = pathProblem(path)
    if (problem !== undefined) {
      return {
        diagnostics: [EFFX2402.make({ _tag: "InvalidPath", operation, path, problem }, { site: pathSite })]
      }
    }
    const exposure: ExposureNode = {
      _tag: "Exposure",
      id: stableId("exposure", `${operation}/http/${method}${path}`),
      operation: subject,
      transport: { _tag: "http", method, path }
    }
    const facets = Object.entries(FACET_OF).flatMap(([facet, other]) => {
      const given = declaration.annotations.find((candidate) => candidate.name === other)
      const site = given?.site ?? (declaration.dropped?.includes(other) === true ? annotation.site : undefined)
      return site === undefined ? [] : [[`${exposure.id}#${facet}`, site] as const]
    })
    return {
      nodes: [exposure],
      edges: [{ kind: "ExposedAs", from: subject, to: exposure.id, qualifier: "http" }],
      sites: { [exposure.id]: annotation.site, [`${exposure.id}#path`]: pathSite, ...Object.fromEntries(facets) }
    }
  })
})

export const verbs: ReadonlyArray<Interpreter> = Object.entries(METHOD_OF).map(([name, method]) => verb(name, method))
