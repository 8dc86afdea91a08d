/**
 * Overlays under every name by which the engine asks for a file: its real path, or the path through which it came to it, while a document
 * is named by the client. Which links there are shows when the engine asks where a path really leads.
 */
import { disk, paths } from "./host.ts"
import type { Overlays } from "./snapshot.ts"

/**
 * The overlays, each also under its real path and under the paths that lead to it through a link. A link counts for as long as it leads
 * there; a name that has an overlay of its own keeps it.
 */
export const aliased = (overlays: Overlays, links: ReadonlyMap<string, string>): Overlays => {
  const all = new Map(Array.from(overlays, ([path, text]) => [paths.resolve(path), text]))
  for (const [path, text] of [...all]) {
    const real = disk.realpath(path)
    if (real !== undefined && !all.has(real)) all.set(real, text)
  }
  const named = [...all]
  for (const [link, target] of links) {
    for (const [path, text] of named) {
      if (path !== target && !path.startsWith(`${target}/`)) continue
      const alias = `${link}${path.slice(target.length)}`
      if (!all.has(alias) && disk.realpath(link) === target) all.set(alias, text)
    }
  }
  return all
}
