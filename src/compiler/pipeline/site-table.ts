/** Where nodes and their facets come from. A key may have several places; the first in source order is the answer. */
import type { Site } from "@effx/diagnostics"
import { type StableId, sortedBy } from "@effx/ir"
import { compareSites } from "../source-order.ts"

/** Between an id and the name of a facet; no id contains it. */
const FACET = "#"

/** The key of a node's site, or of the site of one of its facets. */
export const facetKey = (id: StableId, facet: string | undefined): string =>
  facet === undefined ? id : `${id}${FACET}${facet}`

/** The sites of nodes, without those of facets, by id. */
export const sitesOfNodes = (sites: Iterable<readonly [key: string, site: Site]>): Readonly<Record<string, Site>> => {
  const first = new Map<string, Site>()
  for (const [key, site] of sites) {
    if (key.includes(FACET)) continue
    const known = first.get(key)
    if (known === undefined || compareSites(site, known) < 0) first.set(key, site)
  }
  return Object.fromEntries(sortedBy(first, ([key]) => key))
}
