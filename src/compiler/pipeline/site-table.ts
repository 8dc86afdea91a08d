/** Where nodes and their facets come from. A key may have several places; the first in source order is the answer. */
import type { Site } from "@effx/diagnostics"
import { type StableId, sortedBy } from "@effx/ir"
import { compareSites } from "../source-order.ts"

export interface SiteTable {
  readonly add: (key: string, site: Site) => void
  readonly of: (id: StableId, facet?: string) => Site | undefined
  /** The sites of nodes, without those of facets, by id. */
  readonly nodes: () => Readonly<Record<string, Site>>
}

/** Between an id and the name of a facet; no id contains it. */
const FACET = "#"

export const makeSiteTable = (): SiteTable => {
  const sites = new Map<string, Site>()
  return {
    add: (key, site) => {
      const known = sites.get(key)
      if (known === undefined || compareSites(site, known) < 0) sites.set(key, site)
    },
    of: (id, facet) => sites.get(facet === undefined ? id : `${id}${FACET}${facet}`),
    nodes: () =>
      Object.fromEntries(
        sortedBy(
          Array.from(sites).filter(([key]) => !key.includes(FACET)),
          ([key]) => key
        )
      )
  }
}
