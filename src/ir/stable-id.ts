/**
 * Stable identities: `kind ":" name` (Spec 0002, "StableIds").
 *
 * Guarantees: an id never depends on an absolute path, an output directory, a file suffix or the syntax that an author
 * chose. Two ids are equal exactly when their strings are.
 */
import { Schema } from "effect"

/** The closed list of kinds, in the order in which they are documented. */
export const KINDS = ["schema", "model", "service", "operation", "capability", "focus", "exposure", "ext"] as const

export type Kind = (typeof KINDS)[number]

const PATTERN = /^[a-z][a-z0-9-]*:(?:[\p{L}\p{N}_$@]|%[0-9A-F]{2})(?:[\p{L}\p{N}_$./:@-]|%[0-9A-F]{2})*$/u

/** The ids that the derived arbitrary gives: few and short, so that generated graphs have duplicates and edges that meet. */
const GENERATED = { source: `^(?:${KINDS.join("|")}):(?:[ABé漢_$@]|%2F)(?:[ab./:-]|%20)?$`, flags: "u" }

export const StableId = Schema.String.check(
  Schema.makeFilter((text: string) => PATTERN.test(text) && text === text.normalize("NFC"), {
    identifier: "StableId",
    expected: "a stable id (kind, colon, percent-encoded name in NFC)",
    arbitraryConstraint: { patterns: [GENERATED] }
  })
).pipe(Schema.brand("StableId"))

export type StableId = typeof StableId.Type

const FIRST = /[\p{L}\p{N}_$@]/u
const REST = /[\p{L}\p{N}_$./:@-]/u
/** What the encoding leaves as it is, and what nearly every name consists of. */
const PLAIN = /^[A-Za-z0-9_$@][A-Za-z0-9_$./:@-]*$/
const bytes = new TextEncoder()

const percent = (text: string): string =>
  Array.from(bytes.encode(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("")

/**
 * Encodes a name: NFC first, then every character outside the alphabet as the `%XX` of its UTF-8 bytes. An empty name
 * becomes `_`, so that the result always matches the pattern. Apart from that, two names have one encoding exactly when
 * they are canonically equivalent.
 */
export const encodeName = (name: string): string => {
  if (PLAIN.test(name)) return name
  const encoded = Array.from(name.toWellFormed().normalize("NFC"), (char, index) =>
    (index === 0 ? FIRST : REST).test(char) ? char : percent(char)
  ).join("")
  return encoded === "" ? "_" : encoded
}

/** Makes the id of `name` in `kind`; the name is encoded, so any text is accepted. */
export const stableId = (kind: Kind, name: string): StableId => `${kind}:${encodeName(name)}` as StableId

/** The kind of an id, as written before its first colon. */
export const kindOf = (id: StableId): string => id.slice(0, id.indexOf(":"))

/** The encoded name of an id, as written behind its first colon. */
export const nameOf = (id: StableId): string => id.slice(id.indexOf(":") + 1)
