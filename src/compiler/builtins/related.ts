/** The other place of a finding. */
import type { Related, Site } from "@effx/diagnostics"

/** One related occurrence; none where the other place is not known. */
export const relatedAt = (message: string, site: Site | undefined): ReadonlyArray<Related> =>
  site === undefined ? [] : [{ message, ...site }]
