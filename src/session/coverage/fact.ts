/**
 * One observed fact about a path: what is there, links not followed, and for files and folders also what they hold.
 *
 * Guarantees: looking again at a fact costs one `lstat` while nothing was written; times are believed only when they are old
 * enough to tell, else bytes and names are read. The same bytes under new times are the same fact.
 */
import { hashOf, type Look, lookAt, namesIn, readLink } from "../host.ts"

/** How much of a path is observed. */
export type Demand = "presence" | "entry" | "content"

export interface Fact {
  /** Absolute. No part of it but the last was a link when it was observed, except with `presence`. */
  readonly path: string
  readonly demand: Demand
  readonly kind: Look["kind"] | "present"
  /** Where a link points as written, the hash of a file, the names in a folder separated by `/`. */
  readonly content?: string
  /** The error's code where something could not be read. */
  readonly denied?: string
  /** In bytes, of a file. */
  readonly size: number
  readonly stamp?: string | undefined
}

/**
 * Observes a path.
 *
 * @param before an earlier observation of it, whose content holds while its stamp does
 */
export const observe = (path: string, demand: Demand, before?: Fact): Fact => {
  const look = lookAt(path)
  const none = { path, demand, size: 0 }
  if (look.kind === "missing") return { ...none, kind: "missing" }
  if (demand === "presence") return { ...none, kind: "present" }
  if (look.kind === "denied") return { ...none, kind: "denied", denied: look.code }
  const { kind, stamp } = look
  const fact = { ...none, kind, ...(kind === "file" && { size: look.size }) }
  if (kind !== "link" && (demand === "entry" || kind === "other")) return fact
  if (before !== undefined && before.stamp !== undefined && before.stamp === stamp && before.demand === demand) {
    return before
  }
  switch (kind) {
    case "link": {
      const target = readLink(path)
      return typeof target === "string" ? { ...fact, content: target, stamp } : { ...fact, denied: target.code }
    }
    case "file": {
      const read = hashOf(path)
      return "code" in read ? { ...fact, denied: read.code } : { ...fact, content: read.hash, stamp: read.stamp }
    }
    default: {
      const names = namesIn(path)
      return "code" in names ? { ...fact, denied: names.code } : { ...fact, content: names.join("/"), stamp }
    }
  }
}

/** The names in a folder that was observed with its content. */
export const namesOf = ({ content }: Fact): ReadonlyArray<string> =>
  content === undefined || content === "" ? [] : content.split("/")
