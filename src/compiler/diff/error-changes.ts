/** Changes of the errors of an operation: which there are, what they carry, and how HTTP answers them. */
import type { StableId } from "@effx/ir"
import type { Change } from "./change.ts"
import type { ShapeChange, shapeChanges } from "./shape-changes.ts"
import type { PublicOperation, Surface } from "./surface.ts"
import { typeChange } from "./type-change.ts"

export interface Comparison {
  readonly before: Surface
  readonly after: Surface
  readonly changes: ReturnType<typeof shapeChanges>
}

/** The name by which readers know a schema. */
const schemaName = (surface: Surface, id: StableId): string =>
  surface.refOf(id)?.export ?? id.slice(id.lastIndexOf("/") + 1)

/** A schema that is declared somewhere else now, with the name that it has there. */
export const movedChange = (
  { after, before }: Comparison,
  subject: string,
  from: StableId,
  to: StableId
): ReadonlyArray<Change> => {
  if (from === to) return []
  const [old, current] = [before.refOf(from), after.refOf(to)]
  const show = (ref: typeof old, id: StableId): string =>
    ref === undefined ? id : `${ref.export} of ${id.slice(id.indexOf(":") + 1, id.lastIndexOf("/"))}`
  return [
    {
      kind: "schema-moved",
      subject,
      breaking: false,
      reason: "callers see the same values",
      detail: `${show(old, from)} → ${show(current, to)}`
    }
  ]
}

/** Facts of a schema beside its shape. */
export const factChanges = (
  { after, before }: Comparison,
  subject: string,
  from: StableId,
  to: StableId
): ReadonlyArray<Change> => {
  const name = schemaName(after, to)
  const [old, current] = [before.factsOf(from), after.factsOf(to)]
  if (old === undefined || current === undefined) return []
  const changes: Array<Change> = []
  if (old.identifier !== current.identifier) {
    changes.push({
      kind: "identifier-changed",
      subject,
      breaking: false,
      reason: "only API descriptions name the schema; its values are the same",
      detail: `${old.identifier ?? "none"} → ${current.identifier ?? "none"}`
    })
  }
  if (old.description !== current.description) {
    changes.push({
      kind: "documentation-changed",
      subject,
      breaking: false,
      reason: "only the documentation differs",
      detail: `description of ${name}`
    })
  }
  if (old.status !== current.status) {
    changes.push({
      kind: "status-changed",
      subject,
      breaking: true,
      reason: "callers that look at the HTTP status take it for something else",
      detail: `${name}: ${old.status ?? "no status"} → ${current.status ?? "no status"}`
    })
  }
  return changes
}

const pairErrors = ({ after, before, changes }: Comparison, old: PublicOperation, current: PublicOperation) => {
  const pairs: Array<readonly [StableId, StableId]> = []
  const removed = new Set(old.errors)
  const added = new Set(current.errors)
  const pair = (same: (a: StableId, b: StableId) => boolean): void => {
    for (const a of Array.from(removed)) {
      const b = Array.from(added).find((candidate) => same(a, candidate))
      if (b === undefined) continue
      removed.delete(a)
      added.delete(b)
      pairs.push([a, b])
    }
  }
  const isReal = ({ kind }: ShapeChange): boolean => kind !== "documentation"
  pair((a, b) => a === b)
  pair((a, b) => schemaName(before, a) === schemaName(after, b))
  pair((a, b) => !changes({ _tag: "Ref", id: a }, { _tag: "Ref", id: b }).some(isReal))
  return { pairs, removed, added }
}

const problemChanges = (subject: string, old: PublicOperation, current: PublicOperation): ReadonlyArray<Change> => {
  const change = (breaking: boolean, reason: string, detail: string): Change => ({
    kind: "problems-changed",
    subject,
    breaking,
    reason,
    detail
  })
  const [before, after] = [old.problems, current.problems]
  if (before === undefined && after === undefined) return []
  if (before === undefined || after === undefined) {
    const detail = before === undefined ? "errors → problem documents" : "problem documents → errors"
    return [change(true, "errors are answered in another form", detail)]
  }
  const codes = (a: ReadonlyArray<string>, b: ReadonlyArray<string>) => a.filter((code) => !b.includes(code))
  const mapped = Object.entries(before.map).flatMap(([error, code]) => {
    const now = after.map[error]
    return now === undefined || now === code ? [] : [`${error}: ${code} → ${now}`]
  })
  return [
    ...codes(after.codes, before.codes).map((code) =>
      change(true, "callers that handle every problem do not know this one", `new problem ${code}`)
    ),
    ...codes(before.codes, after.codes).map((code) =>
      change(false, "callers no longer meet the problem", `no problem ${code}`)
    ),
    ...mapped.map((detail) => change(true, "callers take the error for another one", detail))
  ]
}

/** Lists what changed about the errors of a paired operation. */
export const errorChanges = (
  comparison: Comparison,
  subject: string,
  old: PublicOperation,
  current: PublicOperation
): ReadonlyArray<Change> => {
  const { added, pairs, removed } = pairErrors(comparison, old, current)
  return [
    ...Array.from(removed, (id): Change => {
      const detail = schemaName(comparison.before, id)
      return { kind: "error-removed", subject, breaking: false, reason: "callers no longer meet the error", detail }
    }),
    ...Array.from(added, (id): Change => {
      const reason = "callers that handle every error do not know this one"
      return { kind: "error-added", subject, breaking: true, reason, detail: schemaName(comparison.after, id) }
    }),
    ...pairs.flatMap(([from, to]) => [
      ...movedChange(comparison, subject, from, to),
      ...factChanges(comparison, subject, from, to),
      ...comparison
        .changes({ _tag: "Ref", id: from }, { _tag: "Ref", id: to })
        .map((change) => typeChange(subject, "error", schemaName(comparison.after, to), change))
    ]),
    ...problemChanges(subject, old, current)
  ]
}
