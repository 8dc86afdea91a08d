/** Which paths a manifest may name: relative, below the top folder, the same on every machine. */
import { LIMITS } from "./limits.ts"

const CONTROL = /\p{Cc}/u
const SEGMENTS = /^(?!\.{1,2}(\/|$))[^/\\]+(\/(?!\.{1,2}(\/|$))[^/\\]+)*$/

/** Why a path may not be named, as a clause; `undefined` when it may. */
export const pathProblem = (path: string): string | undefined => {
  if (path === "") return "an empty path"
  if (path.startsWith("/")) return "an absolute path"
  if (CONTROL.test(path)) return "a path with a control character"
  if (!SEGMENTS.test(path)) return "a path with an empty segment, . or .. or a backslash"
  if (!path.isWellFormed() || path.includes("\uFFFD")) return "a path that is not UTF-8"
  if (path.length > LIMITS.pathBytes || new TextEncoder().encode(path).length > LIMITS.pathBytes) {
    return `a path longer than ${LIMITS.pathBytes} bytes`
  }
  return undefined
}
