/** Which paths a manifest may name: relative, below the top folder, the same on every machine. */
import { LIMITS } from "./limits.ts"

/** Nearly every path is of this form, and one match settles it. */
const PLAIN = /^(?:[\w@+-][\w.@+-]*\/)*[\w@+-][\w.@+-]*$/
const PORTABLE = /^(?!\.{1,2}(?:\/|$))[^/\\"]+(?:\/(?!\.{1,2}(?:\/|$))[^/\\"]+)*$/

/** Why a path may not be named, as a clause; `undefined` when it may. */
export const pathProblem = (path: string): string | undefined => {
  if (path.length <= LIMITS.pathBytes && PLAIN.test(path)) return undefined
  if (path === "") return "an empty path"
  if (path.startsWith("/")) return "an absolute path"
  if (/\p{Cc}/u.test(path)) return "a path with a control character"
  if (!PORTABLE.test(path)) return "a path with an empty segment, . or .., a quote or a backslash"
  if (!path.isWellFormed() || path.includes("\uFFFD")) return "a path that is not UTF-8"
  const bytes = new TextEncoder().encode(path).length
  return bytes > LIMITS.pathBytes ? `a path longer than ${LIMITS.pathBytes} bytes` : undefined
}
