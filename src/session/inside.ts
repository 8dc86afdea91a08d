/** Whether a path lies in a folder, or is it; both absolute, links are not followed. */
import type { Path } from "effect"

export const isInside = (path: Path.Path, folder: string, file: string): boolean => {
  const relative = path.relative(folder, file)
  return relative === "" || (relative !== ".." && !relative.startsWith("../") && !path.isAbsolute(relative))
}
