/**
 * Gives every annotation of a declaration to its interpreters and collects what they contribute.
 *
 * Guarantees: an annotation that nothing interprets is EFFX1101; contributions stay in the order of annotations. It
 * neither merges nor judges nodes: that is left to `merged.ts` and `graph-findings.ts`.
 */
import { type Diagnostic, EFFX1101, type Site } from "@effx/diagnostics"
import type { Edge, Node, StableId } from "@effx/ir"
import { Result } from "effect"
import { argumentSite, textOf } from "../argument.ts"
import type { Annotation, Collected, Declaration } from "../collected.ts"
import type { Interpreter } from "../extension.ts"
import { subjectId, subjectName } from "../subject.ts"
import { decodeContribution } from "./decode-contribution.ts"
import type { Supervisor } from "./extension-contract.ts"

/** Something contributed, with the place that it comes from. */
export interface Sourced<A> {
  readonly value: A
  readonly site: Site
}

/** What one declaration contributes. */
export interface Interpretation {
  /** The id that the declaration stands for, also where an invalid annotation kept the node from being made. */
  readonly subject: StableId
  readonly nodes: ReadonlyArray<Sourced<Node>>
  readonly edges: ReadonlyArray<Sourced<Edge>>
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** Where nodes and their facets come from, by `id` or `id#facet`; a key may be there more than once. */
  readonly sites: ReadonlyArray<readonly [key: string, site: Site]>
}

/** What source writes for annotations that effx knows; a custom annotation cannot pass for one of them. */
const CUSTOM = "Annotate"

interface Route {
  readonly supervisor: Supervisor
  readonly interpreter: Interpreter
}

/** The interpreters of each annotation, by the name that selects them. */
export type Routes = ReadonlyMap<string, ReadonlyArray<Route>>

export const routesOf = (supervisors: ReadonlyArray<Supervisor>): Routes =>
  Map.groupBy(
    supervisors.flatMap((supervisor) =>
      supervisor.extension.interpreters.map((interpreter): Route => ({ supervisor, interpreter }))
    ),
    ({ interpreter }) => interpreter.annotation
  )

/** The name that selects an interpreter, and where source writes it. */
const selector = (annotation: Annotation): { readonly name: string; readonly site: Site } =>
  annotation.name === CUSTOM
    ? { name: textOf(annotation.args[0]) ?? CUSTOM, site: argumentSite(annotation, 0) }
    : { name: annotation.name, site: annotation.site }

const routesTo = (routes: Routes, annotation: Annotation): ReadonlyArray<Route> => {
  const found = routes.get(selector(annotation).name) ?? []
  return annotation.name === CUSTOM ? found.filter(({ supervisor }) => !supervisor.isBuiltin) : found
}

/** Whether only interpreters of effx itself are asked about a declaration: they are pure. */
export const isOwn = (routes: Routes, { annotations }: Declaration): boolean =>
  annotations.every((annotation) => routesTo(routes, annotation).every(({ supervisor }) => supervisor.isBuiltin))

export const interpret = (
  routes: Routes,
  declaration: Declaration,
  collected: Pick<Collected, "schemas" | "services">
): Interpretation => {
  const subject = subjectId(declaration)
  const nodes: Array<Sourced<Node>> = []
  const edges: Array<Sourced<Edge>> = []
  const diagnostics: Array<Diagnostic> = []
  const sites: Array<readonly [key: string, site: Site]> = []
  for (const annotation of declaration.annotations) {
    const { name, site: nameSite } = selector(annotation)
    const candidates = routesTo(routes, annotation)
    if (candidates.length === 0) {
      diagnostics.push(EFFX1101.make({ annotation: name, subject: subjectName(declaration) }, { site: nameSite }))
    }
    for (const { interpreter, supervisor } of candidates) {
      const { site } = annotation
      const callback = `the interpreter of ${name}`
      const returned = supervisor.run(callback, site, () =>
        interpreter.interpret({ annotation, declaration, subject, collected })
      )
      if (Result.isFailure(returned)) {
        diagnostics.push(...returned.failure)
        continue
      }
      const decoded = decodeContribution(supervisor, callback, site, returned.success)
      diagnostics.push(...decoded.diagnostics)
      for (const node of decoded.nodes) {
        const own = decoded.sites[node.id]
        nodes.push({ value: node, site: own ?? site })
        if (own === undefined) sites.push([node.id, site])
      }
      for (const edge of decoded.edges) edges.push({ value: edge, site })
      sites.push(...Object.entries(decoded.sites))
    }
  }
  return { subject, nodes, edges, diagnostics, sites }
}
