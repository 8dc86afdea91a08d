/** What declarations refer to, read off what they were lowered to: the schemas, services and modules of their references. */
import type { StableId } from "@effx/ir"

export interface Mentioned {
  readonly schemas: ReadonlySet<StableId>
  readonly services: ReadonlySet<StableId>
  readonly modules: ReadonlySet<string>
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Positions hold no reference. */
const POSITIONS = new Set(["site", "sites"])

/** @param value plain data: declarations, annotations, shapes */
export const mentionedIn = (value: unknown): Mentioned => {
  const schemas = new Set<StableId>()
  const services = new Set<StableId>()
  const modules = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item)
      return
    }
    if (!isRecord(value)) return
    if (typeof value.module === "string") modules.add(value.module)
    if (typeof value.symbolId === "string") schemas.add(value.symbolId as StableId)
    if (value._tag === "Ref" && typeof value.id === "string") schemas.add(value.id as StableId)
    if (value._tag === "Service" && typeof value.id === "string") services.add(value.id as StableId)
    if (value._tag === "Symbol" && typeof value.service === "string") services.add(value.service as StableId)
    for (const key in value) if (!POSITIONS.has(key)) visit(value[key])
  }
  visit(value)
  return { schemas, services, modules }
}
