/**
 * Overlays under every name by which the engine asks for a file: it keeps the path through which it came to one, and a document is named
 * by the client. Which links there are shows when the engine asks where a path really leads.
 */
import { disk } from "./host.ts"
import type { Overlays } from "./snapshot.ts"

/** The overlays, and each again under the paths that lead to it through a link. A link counts for as long as it leads there. */
export const aliased = (overlays: Overlays, links: ReadonlyMap<string, string>): Overlays => {
  const all = new Map(overlays)
  for (const [link, target] of links) {
    for (const [path, text] of overlays) {
      if (path !== target && !path.startsWith(`${target}/`)) continue
      const alias = `${link}${path.slice(target.length)}`
      if (!all.has(alias) && disk.realpath(link) === target) all.set(alias, text)
    }
  }
  return all
}
