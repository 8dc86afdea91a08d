/** The notes of a finding that compares a declaration with what inference found. */
import type { Note } from "@effx/diagnostics"
import { nameOf, type StableId, sortedBy } from "@effx/ir"

export interface Member {
  readonly id: StableId
  /** The export name. */
  readonly name: string
}

/**
 * Names for members: the export name, and where two share one, the whole identity behind it.
 *
 * @param members everything that the finding names
 */
export const labels = (members: Iterable<Member>): ((member: Member) => string) => {
  const ids = new Map<string, Set<StableId>>()
  for (const { id, name } of members) ids.set(name, (ids.get(name) ?? new Set()).add(id))
  return ({ id, name }) => ((ids.get(name)?.size ?? 0) > 1 ? `${name} (${nameOf(id)})` : name)
}

const list = (members: ReadonlyArray<Member>, label: (member: Member) => string): string =>
  members.length === 0 ? "nothing" : sortedBy(members.map(label), (name) => name).join(", ")

/** `inferred`, `declared` and `fix`, in this order. */
export const comparisonNotes = (
  inferred: ReadonlyArray<Member>,
  declared: ReadonlyArray<Member>,
  fix: string
): ReadonlyArray<Note> => {
  const label = labels([...inferred, ...declared])
  return [
    { label: "inferred", text: list(inferred, label) },
    { label: "declared", text: list(declared, label) },
    { label: "fix", text: fix }
  ]
}
