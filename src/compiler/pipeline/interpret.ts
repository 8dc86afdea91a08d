/**
 * Gives every annotation of every declaration to its interpreters and collects what they contribute.
 *
 * Guarantees: an annotation that nothing interprets is EFFX1101; contributions stay in the order of declarations. It
 * neither merges nor judges nodes: that is left to `graph-findings.ts`.
 */
import { type Diagnostic, EFFX1101, type Site } from "@effx/diagnostics"
import type { Edge, Node, StableId } from "@effx/ir"
import { Result } from "effect"
import { argumentSite, textOf } from "../argument.ts"
import type { Annotation, Collected } from "../collected.ts"
import type { Interpreter } from "../extension.ts"
import { subjectId, subjectName } from "../subject.ts"
import { decodeContribution } from "./decode-contribution.ts"
import type { Supervisor } from "./extension-contract.ts"
import { interpretOnce } from "./interpret-once.ts"
import { makeSiteTable, type SiteTable } from "./site-table.ts"

/** Something contributed, with the place that it comes from. */
export interface Sourced<A> {
  readonly value: A
  readonly site: Site
}

export interface Interpretation {
  readonly nodes: ReadonlyArray<Sourced<Node>>
  readonly edges: ReadonlyArray<Sourced<Edge>>
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly sites: SiteTable
  /** The ids that declarations stand for, also where an invalid annotation kept the node from being made. */
  readonly subjects: ReadonlySet<StableId>
}

/** What source writes for annotations that effx knows; a custom annotation cannot pass for one of them. */
const CUSTOM = "Annotate"

interface Route {
  readonly supervisor: Supervisor
  readonly interpreter: Interpreter
}

const routeTable = (supervisors: ReadonlyArray<Supervisor>): ReadonlyMap<string, ReadonlyArray<Route>> =>
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

export const interpret = (collected: Collected, supervisors: ReadonlyArray<Supervisor>): Interpretation => {
  const routes = routeTable(supervisors)
  const nodes: Array<Sourced<Node>> = []
  const edges: Array<Sourced<Edge>> = []
  const diagnostics: Array<Diagnostic> = []
  const sites = makeSiteTable()
  const subjects = new Set<StableId>()
  for (const declaration of collected.declarations) {
    const subject = subjectId(declaration)
    subjects.add(subject)
    for (const annotation of declaration.annotations) {
      const { name, site: nameSite } = selector(annotation)
      const candidates = (routes.get(name) ?? []).filter(
        ({ supervisor }) => annotation.name !== CUSTOM || !supervisor.isBuiltin
      )
      if (candidates.length === 0) {
        diagnostics.push(EFFX1101.make({ annotation: name, subject: subjectName(declaration) }, { site: nameSite }))
      }
      for (const { interpreter, supervisor } of candidates) {
        const { site } = annotation
        const callback = `the interpreter of ${name}`
        const returned = supervisor.run(callback, site, () =>
          supervisor.isBuiltin
            ? interpretOnce(interpreter, { annotation, declaration, subject, collected })
            : interpreter.interpret({ annotation, declaration, subject, collected })
        )
        if (Result.isFailure(returned)) {
          diagnostics.push(...returned.failure)
          continue
        }
        const decoded = decodeContribution(supervisor, callback, site, returned.success)
        diagnostics.push(...decoded.diagnostics)
        for (const node of decoded.nodes) nodes.push({ value: node, site: decoded.sites[node.id] ?? site })
        for (const edge of decoded.edges) edges.push({ value: edge, site })
        for (const node of decoded.nodes) if (decoded.sites[node.id] === undefined) sites.add(node.id, site)
        for (const [key, place] of Object.entries(decoded.sites)) sites.add(key, place)
      }
    }
  }
  return { nodes, edges, diagnostics, sites, subjects }
}
