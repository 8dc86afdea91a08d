/**
 * Follows a logical path as the kernel does, one component after another, so that each link on the way is an observation of its
 * own: where it lies, where it points as written, and what comes of that. A path that leads nowhere ends at its first missing
 * component, whose folder is the nearest that exists.
 */
import type { Fact } from "./fact.ts"

export interface Expansion {
  /** The last observed component: what the path leads to, or the first of it that is missing. */
  readonly end: Fact
  /** What of the path lies beyond a missing end; empty when it leads somewhere. */
  readonly rest: ReadonlyArray<string>
  /** The links on the way, as physical paths. */
  readonly links: ReadonlyArray<string>
}

interface Limits {
  readonly links: number
  /** In bytes. */
  readonly path: number
}

const bytes = (text: string): number => Buffer.byteLength(text)

const parts = (path: string): ReadonlyArray<string> => path.split("/").filter((part) => part !== "" && part !== ".")

const parent = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

/**
 * Expands a path.
 *
 * @param path absolute
 * @param look observes what is at a physical path
 * @returns a clause that says what is wrong, when the path cannot be followed
 */
export const expand = (path: string, look: (path: string) => Fact, limits: Limits): Expansion | string => {
  const tooLong = `is a path of more than ${limits.path.toLocaleString("en")} bytes`
  if (bytes(path) > limits.path) return tooLong
  const links: Array<string> = []
  const seen = new Set<string>()
  let pending = [...parts(path)]
  let at = ""
  let end = look("/")
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === "..") {
      at = parent(at)
      end = look(at || "/")
      continue
    }
    end = look(`${at}/${name}`)
    if (end.kind === "link" && end.content !== undefined) {
      const state = `${end.path}\0${pending.join("/")}`
      if (seen.has(state)) return "is part of a symbolic link loop"
      seen.add(state)
      links.push(end.path)
      if (links.length > limits.links) return `leads through more than ${limits.links} symbolic links`
      if (end.content.startsWith("/")) at = ""
      pending = [...parts(end.content), ...pending]
      if (bytes([at, ...pending].join("/")) > limits.path) return tooLong
      end = look(at || "/")
    } else if (end.kind === "folder") {
      at = end.path
    } else {
      return { end, rest: pending, links }
    }
  }
  return { end, rest: [], links }
}
