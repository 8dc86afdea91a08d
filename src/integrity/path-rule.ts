/** Which paths a manifest may name: relative, below the top folder, the same on every machine. */
import { LIMITS } from "./limits.ts"

/** What a plain path has nowhere: a character that needs a closer look, a segment that is empty or begins with a dot. */
const NOT_PLAIN = /[^\w.@+\n/-]|(?:^|[/\n])(?:[./\n]|$)|\/\n/
const PORTABLE = /^(?!\.{1,2}(?:\/|$))[^/\\"]+(?:\/(?!\.{1,2}(?:\/|$))[^/\\"]+)*$/

/** Whether no path of a list needs a closer look; `false` says nothing. */
export const arePlainPaths = (paths: ReadonlyArray<string>): boolean =>
  !NOT_PLAIN.test(paths.join("\n")) && paths.every((path) => path.length <= LIMITS.pathBytes && !path.includes("\n"))

/** Why a path may not be named, as a clause; `undefined` when it may. */
export const pathProblem = (path: string): string | undefined => {
  if (path === "") return "an empty path"
  if (path.startsWith("/")) return "an absolute path"
  if (/\p{Cc}/u.test(path)) return "a path with a control character"
  if (!PORTABLE.test(path)) return "a path with an empty segment, . or .., a quote or a backslash"
  if (!path.isWellFormed() || path.includes("\uFFFD")) return "a path that is not UTF-8"
  const bytes = new TextEncoder().encode(path).length
  return bytes > LIMITS.pathBytes ? `a path longer than ${LIMITS.pathBytes} bytes` : undefined
}
