/**
 * The interpretations of one collection after another. What was interpreted before is given again, the very object, for as long as
 * the frontend goes on with the same declaration: in a session that is every declaration that an edit did not affect.
 *
 * Guarantees: an interpretation is given again only where everything that was read of the collection is the same object still.
 * effx's own interpreters are pure, so that is all they depend on; those of others are always asked.
 */
import type { Collected, Declaration } from "../collected.ts"
import type { Supervisor } from "./extension-contract.ts"
import { type Interpretation, interpret, isOwn, routesOf } from "./interpret.ts"

type Tables = Pick<Collected, "schemas" | "services">

const TABLES = ["schemas", "services"] as const

/** The keys of the tables that were looked at. Stable ids differ from table to table. */
interface Known {
  readonly interpretation: Interpretation
  readonly looks: ReadonlySet<string>
  /** Whether only interpreters of effx itself were asked. */
  readonly isOwn: boolean
}

/** Stands for a whole table among the keys; no stable id is empty. */
const WHOLE = ""

/** A table whose every look is written down; reading it as a whole depends on all of it. */
const observed = <A>(table: Readonly<Record<string, A>>, looks: Set<string>): Readonly<Record<string, A>> =>
  new Proxy(table, {
    get: (target, key) => {
      if (typeof key === "string") looks.add(key)
      return Reflect.get(target, key)
    },
    has: (target, key) => {
      if (typeof key === "string") looks.add(key)
      return Reflect.has(target, key)
    },
    ownKeys: (target) => {
      looks.add(WHOLE)
      return Reflect.ownKeys(target)
    }
  })

/** The keys at which the tables differ. */
const differences = (before: Tables, now: Tables): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const table of TABLES) {
    if (before[table] === now[table]) continue
    for (const key in before[table]) if (before[table][key] !== now[table][key]) found.add(key)
    for (const key in now[table]) if (before[table][key] !== now[table][key]) found.add(key)
  }
  if (found.size > 0) found.add(WHOLE)
  return found
}

/** Interprets collections one after another. */
export type Interpretations = (collected: Pick<Collected, "declarations"> & Tables) => ReadonlySet<Interpretation>

export const makeInterpretations = (supervisors: ReadonlyArray<Supervisor>): Interpretations => {
  const routes = routesOf(supervisors)
  let known = new Map<Declaration, Known>()
  let tables: Tables = { schemas: {}, services: {} }
  return (collected) => {
    const changed = differences(tables, collected)
    const isAffected = ({ looks }: Known): boolean => changed.size > 0 && looks.values().some((key) => changed.has(key))
    const interpreted = (declaration: Declaration): Known => {
      const before = known.get(declaration)
      if (before !== undefined && !isAffected(before)) return before
      const looks = new Set<string>()
      const interpretation = interpret(routes, declaration, {
        schemas: observed(collected.schemas, looks),
        services: observed(collected.services, looks)
      })
      return { interpretation, looks, isOwn: isOwn(routes, declaration) }
    }
    const now = new Map<Declaration, Known>()
    const interpretations = new Set<Interpretation>()
    for (const declaration of collected.declarations) {
      const found = now.get(declaration) ?? interpreted(declaration)
      interpretations.add(found.interpretation)
      if (found.isOwn) now.set(declaration, found)
    }
    known = now
    tables = { schemas: collected.schemas, services: collected.services }
    return interpretations
  }
}
