/** Where effx writes, by every name under which a route can meet it. */
import type { Path } from "effect"
import { realPath } from "../host.ts"
import { isInside } from "../inside.ts"
import type { Selection } from "../selection.ts"
import { STATE_FOLDER } from "../state-folder.ts"
import type { Covered } from "./ledger.ts"
import { CoverageProblem } from "./problem.ts"

/** A path as it is and with the links of what exists of it resolved. */
const aliases = (path: Path.Path, file: string): ReadonlyArray<string> => {
  const canonical = (at: string): string =>
    realPath(at) ?? (at === path.dirname(at) ? at : path.join(canonical(path.dirname(at)), path.basename(at)))
  return Array.from(new Set([file, canonical(file)]))
}

/** @param outDir where generated code goes; absent while it is not known */
export const ownedFolders = (
  path: Path.Path,
  selection: Pick<Selection, "folder">,
  outDir: string | undefined
): ReadonlyArray<string> => [
  ...aliases(path, path.join(selection.folder, STATE_FOLDER)),
  ...(outDir === undefined ? [] : aliases(path, outDir))
]

/** The first route that leads into an owned folder; one that leads to a folder around it only leaves it out. */
export const overlapOf = (
  path: Path.Path,
  covered: ReadonlyArray<Covered>,
  owned: ReadonlyArray<string>
): CoverageProblem | undefined => {
  for (const { route, trail } of covered) {
    const met = [route.path, ...trail].find((file) => owned.some((folder) => isInside(path, folder, file)))
    if (met === undefined) continue
    const reason = "lies where effx writes its outputs; choose another outDir, or declare what is not generated"
    return new CoverageProblem({ route, reason, ...(met !== route.path && { path: met }) })
  }
  return undefined
}
