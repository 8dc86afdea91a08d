/**
 * What changed between two versions of the public surface, and what of it breaks callers. Pure: two IRs in, changes out.
 *
 * Callers are those over HTTP, RPC and the command line, and programs that use the generated client. The order of
 * declarations and the place of files are not part of the surface.
 */
import { type ApplicationIR, compareStrings, type SchemaRef } from "@effx/ir"
import type { Change, Place } from "./change.ts"
import { type Comparison, errorChanges, factChanges, movedChange } from "./error-changes.ts"
import { accessChanges, exposureChanges } from "./exposure-changes.ts"
import { pairOperations, shapeOf } from "./pairing.ts"
import { shapeChanges } from "./shape-changes.ts"
import { type PublicOperation, surfaceOf } from "./surface.ts"
import { typeChange } from "./type-change.ts"

const NOWHERE = { routes: [], rpcs: [], commands: [] }

const isExposed = ({ commands, routes, rpcs }: PublicOperation): boolean =>
  routes.length + rpcs.length + commands.length > 0

const wholeOperation = (
  operation: PublicOperation,
  kind: "operation-added" | "operation-removed"
): ReadonlyArray<Change> => {
  const subject = operation.node.name
  const removed = kind === "operation-removed"
  const exposed = isExposed(operation)
  const reason = removed
    ? exposed
      ? "callers find nothing there"
      : "it is not exposed, so nobody outside calls it"
    : "nobody calls it yet"
  return [
    {
      kind,
      subject,
      breaking: removed && exposed,
      reason,
      detail: operation.node.kind === "Query" ? "query" : "command"
    },
    ...(removed ? exposureChanges(subject, operation, NOWHERE) : exposureChanges(subject, NOWHERE, operation))
  ]
}

const nameChanges = (subject: string, old: PublicOperation): ReadonlyArray<Change> => {
  if (old.node.name === subject) return []
  const breaking = old.routes.length > 0
  const reason = breaking
    ? "programs call it by its name in the generated client and in the API description"
    : "callers do not see the operation's own name"
  return [{ kind: "operation-renamed", subject, breaking, reason, detail: `${old.node.name} → ${subject}` }]
}

const kindChanges = (subject: string, old: PublicOperation, current: PublicOperation): ReadonlyArray<Change> => {
  if (old.node.kind === current.node.kind) return []
  const breaking = current.node.kind === "Command"
  const reason = breaking ? "callers may no longer repeat it freely" : "callers may repeat it freely now"
  const detail = breaking ? "query → command" : "command → query"
  return [{ kind: "operation-kind-changed", subject, breaking, reason, detail }]
}

const schemaChanges = (
  comparison: Comparison,
  subject: string,
  place: Place,
  old: SchemaRef | undefined,
  current: SchemaRef | undefined
): ReadonlyArray<Change> => {
  const changes = comparison
    .changes(shapeOf(old), shapeOf(current))
    .map((change) => typeChange(subject, place, current?.export ?? old?.export ?? "", change))
  if (old === undefined || current === undefined) return changes
  return [
    ...movedChange(comparison, subject, old.symbolId, current.symbolId),
    ...factChanges(comparison, subject, old.symbolId, current.symbolId),
    ...changes
  ]
}

const quietChanges = (subject: string, old: PublicOperation, current: PublicOperation): ReadonlyArray<Change> => {
  const show = ({ export: name, member, module }: PublicOperation["node"]["handler"]): string =>
    `${member === undefined ? name : `${name}.${member}`} in ${module}`
  const [from, to] = [show(old.node.handler), show(current.node.handler)]
  const texts = (["summary", "description"] as const).filter((key) => old.docs[key] !== current.docs[key])
  return [
    ...(from === to
      ? []
      : [
          {
            kind: "handler-moved" as const,
            subject,
            breaking: false,
            reason: "callers do not see the handler",
            detail: `${from} → ${to}`
          }
        ]),
    ...texts.map(
      (text): Change => ({
        kind: "documentation-changed",
        subject,
        breaking: false,
        reason: "only the documentation differs",
        detail: text
      })
    )
  ]
}

/** Subjects in order; of one subject, what breaks first, then the order in which it was found. */
const inOrder = (a: Change, b: Change): number =>
  compareStrings(a.subject, b.subject) || Number(b.breaking) - Number(a.breaking)

/** Compares the public surfaces of two IRs. An empty list means that callers cannot see any difference. */
export const diff = (oldIR: ApplicationIR, newIR: ApplicationIR): ReadonlyArray<Change> => {
  const [before, after] = [surfaceOf(oldIR), surfaceOf(newIR)]
  const comparison: Comparison = { before, after, changes: shapeChanges(before.factsOf, after.factsOf) }
  const { added, pairs, removed } = pairOperations(before, after)
  return [
    ...removed.flatMap((operation) => wholeOperation(operation, "operation-removed")),
    ...added.flatMap((operation) => wholeOperation(operation, "operation-added")),
    ...pairs.flatMap(([old, current]) => {
      const subject = current.node.name
      return [
        ...nameChanges(subject, old),
        ...kindChanges(subject, old, current),
        ...exposureChanges(subject, old, current),
        ...accessChanges(subject, old, current),
        ...schemaChanges(comparison, subject, "input", old.node.input, current.node.input),
        ...schemaChanges(comparison, subject, "output", old.node.success, current.node.success),
        ...errorChanges(comparison, subject, old, current),
        ...quietChanges(subject, old, current)
      ]
    })
  ].sort(inOrder)
}

/** Whether any change breaks callers. */
export const isBreaking = (changes: ReadonlyArray<Change>): boolean => changes.some(({ breaking }) => breaking)
