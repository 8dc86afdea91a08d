/**
 * What is wrong with the merged graph, whatever its nodes mean: one id for two things (EFFX1001), references to nothing
 * (EFFX1002), facts without an owner (EFFX1003).
 *
 * The first is found about ids, the others about interpretations. They depend on the places and contents of the id, on the
 * interpretation, and on what is said of the ids that it mentions; so a step takes time by what it changed.
 */
import { type Diagnostic, EFFX1001, EFFX1002, EFFX1003, type Site } from "@effx/diagnostics"
import { kindOf, type Node, nameOf, type StableId } from "@effx/ir"
import type { Interpretation } from "./interpret.ts"
import { fieldReferences, type Merged, nameOfNode, type Said, type Step } from "./merged.ts"

const NOUN: Record<Node["_tag"], string> = {
  Schema: "schema",
  Model: "model",
  Service: "service",
  Operation: "operation",
  Capability: "capability",
  Focus: "focus",
  Exposure: "exposure",
  Extension: "fact"
}

const nounOf = (id: StableId): string => (kindOf(id) === "ext" ? "fact" : kindOf(id))

const duplicates = (merged: Merged, id: StableId): ReadonlyArray<Diagnostic> => {
  const vertex = merged.vertex(id)
  if (!vertex?.said.isDuplicate) return []
  // Facts about a duplicate differ because their owners do; the owner is the finding.
  const owners = Array.from(vertex.edges).flatMap(({ value }) => (value.kind === "ExtensionOf" ? value.to : []))
  if (owners.some((owner) => merged.vertex(owner)?.said.isDuplicate)) return []
  const [first, ...others] = merged.contents(id)
  if (first === undefined) return []
  const params = { kind: NOUN[first.value._tag], name: nameOfNode(first.value) }
  const related = [{ message: `The first declaration of ${params.name}`, ...first.site }]
  return others.map(({ site }) => EFFX1001.make(params, { site, related }))
}

const looseEnds = (merged: Merged, { edges, nodes }: Interpretation): ReadonlyArray<Diagnostic> => {
  const said = (id: StableId): Said | undefined => merged.vertex(id)?.said
  const phrase = (id: StableId): string => `the ${nounOf(id)} ${said(id)?.name ?? nameOf(id)}`
  const missing = (owner: StableId, target: StableId, site: Site): Diagnostic =>
    EFFX1002.make({ owner: phrase(owner), missing: phrase(target) }, { site })
  const found: Array<Diagnostic> = []
  for (const { site, value: edge } of edges) {
    if (!said(edge.to)?.exists) found.push(missing(edge.from, edge.to, site))
    else if (!said(edge.from)?.exists) found.push(missing(edge.to, edge.from, site))
  }
  for (const { site, value: node } of nodes) {
    // A focus of a model that does not exist follows from the capability that names both.
    if (said(node.id)?.isFocus) continue
    for (const target of fieldReferences(node)) if (!said(target)?.exists) found.push(missing(node.id, target, site))
    if (node._tag === "Extension" && !said(node.id)?.isOwned) {
      found.push(EFFX1003.make({ extension: node.extension, tag: node.tag }, { site }))
    }
  }
  return found
}

/** Findings about many things, of which only those with findings are kept. */
const makeFindings = <K>(find: (about: K) => ReadonlyArray<Diagnostic>) => {
  const known = new Map<K, ReadonlyArray<Diagnostic>>()
  return {
    forget: (about: K): void => void known.delete(about),
    find: (about: K): void => {
      const found = find(about)
      if (found.length > 0) known.set(about, found)
      else known.delete(about)
    },
    all: (): ReadonlyArray<Diagnostic> => Array.from(known.values()).flat()
  }
}

/** The findings of a graph after each of its steps. */
export const makeGraphFindings = (merged: Merged): ((step: Step) => ReadonlyArray<Diagnostic>) => {
  const ofIds = makeFindings((id: StableId) => duplicates(merged, id))
  const ofInterpretations = makeFindings((one: Interpretation) => looseEnds(merged, one))
  return ({ come, gone, said, touched }) => {
    const ids = new Set(touched)
    const interpretations = new Set(come)
    for (const id of said) {
      for (const mention of merged.vertex(id)?.mentions ?? []) {
        interpretations.add(mention)
        // Facts are no duplicates where their owner is one.
        for (const { value } of mention.nodes) ids.add(value.id)
      }
    }
    for (const one of gone) ofInterpretations.forget(one)
    for (const one of interpretations) ofInterpretations.find(one)
    for (const id of ids) ofIds.find(id)
    return [...ofIds.all(), ...ofInterpretations.all()]
  }
}
