/**
 * Which operation of the new surface is which of the old one: first by name, then, for renamed ones, by a shared exposure
 * or by an equal contract that no other operation has.
 */
import { canonicalJson, type SchemaRef, type Shape } from "@effx/ir"
import { resolve } from "./resolve.ts"
import { shapeChanges } from "./shape-changes.ts"
import type { PublicOperation, Surface } from "./surface.ts"

export interface Pairing {
  readonly pairs: ReadonlyArray<readonly [before: PublicOperation, after: PublicOperation]>
  readonly removed: ReadonlyArray<PublicOperation>
  readonly added: ReadonlyArray<PublicOperation>
}

/** A route without the names of its parameters, which callers do not see. */
export const routeKey = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path.replace(/:[^/]+/g, ":")}`

const exposureKeys = (operation: PublicOperation): ReadonlyArray<string> => [
  ...operation.routes.map(routeKey),
  ...operation.rpcs.map(({ name }) => `rpc ${name}`),
  ...operation.commands.map((words) => `cli ${words}`)
]

const VOID: Shape = { _tag: "Void" }

/** The shape behind a reference; a schema without facts stands for itself. */
export const shapeOf = (ref: SchemaRef | undefined): Shape =>
  ref === undefined ? VOID : { _tag: "Ref", id: ref.symbolId }

/** Pairs the operations of two surfaces. */
export const pairOperations = (before: Surface, after: Surface): Pairing => {
  const changes = shapeChanges(before.factsOf, after.factsOf)
  const pairs: Array<readonly [PublicOperation, PublicOperation]> = []
  const removed = new Set<PublicOperation>()
  const added = new Set(Array.from(after.operations).flatMap(([name, op]) => (before.operations.has(name) ? [] : [op])))
  for (const [name, operation] of before.operations) {
    const twin = after.operations.get(name)
    if (twin === undefined) removed.add(operation)
    else pairs.push([operation, twin])
  }

  const pairUnique = (same: (a: PublicOperation, b: PublicOperation) => boolean): void => {
    for (const operation of Array.from(removed)) {
      const candidates = Array.from(added).filter((candidate) => same(operation, candidate))
      const [candidate] = candidates
      if (candidate === undefined || candidates.length > 1) continue
      if (Array.from(removed).filter((other) => same(other, candidate)).length > 1) continue
      removed.delete(operation)
      added.delete(candidate)
      pairs.push([operation, candidate])
    }
  }

  const exposed = (a: PublicOperation, b: PublicOperation): boolean => {
    const keys = new Set(exposureKeys(a))
    return exposureKeys(b).some((key) => keys.has(key))
  }
  const sameShape = (a: SchemaRef | undefined, b: SchemaRef | undefined): boolean =>
    changes(shapeOf(a), shapeOf(b)).every(({ kind }) => kind === "documentation")
  const errorShapes = (operation: PublicOperation, surface: Surface): string =>
    operation.errors
      .map((id) => canonicalJson(resolve({ _tag: "Ref", id }, surface.factsOf)))
      .sort()
      .join()
  const contract = (a: PublicOperation, b: PublicOperation): boolean =>
    a.node.kind === b.node.kind &&
    sameShape(a.node.input, b.node.input) &&
    sameShape(a.node.success, b.node.success) &&
    errorShapes(a, before) === errorShapes(b, after)

  pairUnique(exposed)
  pairUnique(contract)
  return { pairs, removed: Array.from(removed), added: Array.from(added) }
}
