import { readdirSync, readFileSync } from "node:fs"

/** The processes whose parent is `pid`, whichever of its threads has started them; none of one that is gone. */
export const childrenOf = (pid: number): ReadonlyArray<number> => {
  const folder = `/proc/${pid}/task`
  try {
    return readdirSync(folder).flatMap((thread) => {
      try {
        return readFileSync(`${folder}/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number)
      } catch {
        return []
      }
    })
  } catch {
    return []
  }
}
