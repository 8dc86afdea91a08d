/**
 * What of a collection stays true after an edit, so that only the rest is collected again.
 *
 * The unit is the file. What its declarations were lowered and inferred to depends on the file and on what it imports, directly or
 * not; so a file is affected when a changed one lies in that closure. Whatever else could reach further makes everything affected:
 * files that come, go or are not sources, ambient declarations, `<reference>` directives, and modules by which packages are named.
 *
 * Guarantees: a collection with what was kept equals one without (a property test and the session's holds it to that).
 */
import type { Collected, SchemaInfo, ServiceInfo } from "@effx/compiler"
import type { Diagnostic } from "@effx/diagnostics"
import type { StableId } from "@effx/ir"
import type { Changes } from "./engine.ts"
import { type ImportGraph, importersOf } from "./import-graph.ts"
import type { Declared } from "./marks.ts"
import type { Mentioned } from "./mentioned.ts"
import { isPlanted } from "./planted-fault.ts"

/** What one file contributes. */
export interface Part {
  readonly declared: ReadonlyArray<Declared>
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly mentioned: Mentioned
}

/** What is known about a name, and the file whose declaration it is about. */
export interface Known<A> {
  readonly home: string | undefined
  readonly info: A
}

/** One complete collection, in parts. */
export interface Retained {
  readonly parts: ReadonlyMap<string, Part>
  readonly schemas: ReadonlyMap<StableId, Known<SchemaInfo>>
  readonly services: ReadonlyMap<StableId, Known<ServiceInfo>>
  readonly tables: Pick<Collected, "schemas" | "services">
  readonly relativeModules: ReadonlyMap<string, string>
  readonly bareModules: ReadonlySet<string>
  /** By which modules the project names other packages; see `namedBy` of references.ts. */
  readonly naming: string
  readonly graph: ImportGraph
}

/** The last complete collection, and what was edited since. */
export interface Latest {
  readonly retained: Retained
  readonly edits: Edits
}

/** Whether only sources differ from an earlier collection, so that imports still lead where they led. A manifest can be imported. */
export const isFollowed = ({ edits, retained }: Latest): boolean =>
  edits?.values().every((file) => retained.graph.has(file) && !file.endsWith(".json")) ?? false

/** What a collection must do: everything, or what these files declare. */
export type Scope = { readonly _tag: "Everything" } | { readonly _tag: "Files"; readonly affected: ReadonlySet<string> }

export const EVERYTHING: Scope = { _tag: "Everything" }

/** Changes that one edit after another made since a collection, or none that could be followed. */
export type Edits = ReadonlySet<string> | undefined

/** Adds what happened to what had happened before. */
export const following = (edits: Edits, { changed, created, deleted, everything }: Changes): Edits =>
  edits === undefined || everything === true || created.length > 0 || deleted.length > 0
    ? undefined
    : new Set([...edits, ...changed])

/**
 * Which files to collect again.
 *
 * @param packageModules the files of modules by which packages are named: a change there can rename anything
 */
export const scopeOf = (
  before: Retained,
  edits: Edits,
  now: { readonly graph: ImportGraph; readonly naming: string; readonly packageModules: ReadonlySet<string> }
): Scope => {
  if (edits === undefined || now.naming !== before.naming) return EVERYTHING
  for (const file of edits) if (!before.graph.has(file) || !now.graph.has(file)) return EVERYTHING
  const affected = isPlanted("stale-reuse")
    ? new Set(edits)
    : new Set([...importersOf(before.graph, edits), ...importersOf(now.graph, edits)])
  for (const file of now.graph.keys()) if (!before.graph.has(file)) affected.add(file)
  for (const file of affected) {
    if (packageModules(now, file) || before.graph.get(file)?.ambient || now.graph.get(file)?.ambient) return EVERYTHING
  }
  return { _tag: "Files", affected }
}

const packageModules = (now: { readonly packageModules: ReadonlySet<string> }, file: string): boolean =>
  now.packageModules.has(file)
