/**
 * The guards of endpoints as OpenAPI documents them: security schemes, and what an operation demands of them.
 *
 * Guarantees: a scheme is named by the key that its guard gives it, as Effect names it, unless guards give one key to
 * different schemes, when the guard's name is part of each. A guard whose schemes source does not tell is one open scheme by
 * the guard's name; a middleware that asks the caller for nothing has none.
 */
import { canonicalJson, sortedBy } from "@effx/ir"
import type { Guard, NamedScheme, SecurityScheme } from "../security-scheme.ts"
import { componentName, type JsonObject } from "./json-schema.ts"
import { freeName } from "./names.ts"

export interface Security {
  /** All schemes, by name. */
  readonly schemes: JsonObject
  /** Alternatives of what a caller needs for all of `guards`; none when that is nothing. */
  readonly demanded: (guards: ReadonlyArray<Guard>) => ReadonlyArray<JsonObject>
}

/** A guard's scheme that is not read: the document names the guard and leaves the scheme open. */
const open = ({ export: name, module }: Guard): SecurityScheme => ({
  type: "http",
  scheme: "bearer",
  description: `Decided by the middleware ${name} of ${module.replace(/^(\.\.?\/)+/, "")}; the scheme is not read from source`
})

const schemesOf = (guard: Guard): ReadonlyArray<NamedScheme> =>
  guard.schemes ?? [{ key: guard.export, scheme: open(guard) }]

/** What two schemes must have in common to be one. */
const identity = (scheme: SecurityScheme): string =>
  canonicalJson(
    scheme.type === "http"
      ? { ...scheme, scheme: scheme.scheme.toLowerCase() }
      : scheme.in === "header"
        ? { ...scheme, name: scheme.name.toLowerCase() }
        : { ...scheme }
  )

/** Names the schemes of all guards of a document. */
export const makeSecurity = (guards: ReadonlyArray<Guard>): Security => {
  const ambiguous = new Set(
    Array.from(Map.groupBy(guards.flatMap(schemesOf), ({ key }) => key))
      .filter(([, entries]) => new Set(entries.map(({ scheme }) => identity(scheme))).size > 1)
      .map(([key]) => key)
  )
  const names = new Map<string, string>()
  const schemes = new Map<string, SecurityScheme>()
  const nameOf = (guard: Guard, { key, scheme }: NamedScheme): string => {
    const wanted = componentName(ambiguous.has(key) ? `${guard.export}.${key}` : key)
    const id = `${wanted} ${identity(scheme)}`
    const known = names.get(id)
    if (known !== undefined) return known
    const name = freeName(wanted, (candidate) => schemes.has(candidate))
    names.set(id, name)
    schemes.set(name, scheme)
    return name
  }
  for (const guard of sortedBy(guards, ({ export: name, module }) => `${module} ${name}`)) {
    for (const named of schemesOf(guard)) nameOf(guard, named)
  }
  return {
    schemes: Object.fromEntries(
      sortedBy(schemes, ([name]) => name).map(([name, scheme]): [string, JsonObject] => [name, { ...scheme }])
    ),
    // Guards must all let pass, each in one of its ways.
    demanded: (guards) =>
      guards
        .filter((guard) => schemesOf(guard).length > 0)
        .reduce<ReadonlyArray<JsonObject>>(
          (demands, guard) =>
            (demands.length === 0 ? [{}] : demands).flatMap((demand) =>
              schemesOf(guard).map((named) => ({ ...demand, [nameOf(guard, named)]: [] }))
            ),
          []
        )
  }
}
