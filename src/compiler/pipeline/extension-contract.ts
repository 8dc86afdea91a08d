/**
 * What the pipeline demands of an extension before and while it runs (EFFX0010, EFFX0011).
 *
 * Guarantees: nothing that an extension returns enters the pipeline undecoded; a throw is a finding that names the
 * extension and its callback, never a crash.
 */
import {
  admit,
  type Diagnostic,
  EFFX0010,
  EFFX0011,
  entryProblems,
  makeRegistry,
  type Registry,
  type Site
} from "@effx/diagnostics"
import { Result } from "effect"
import type { Extension } from "../extension.ts"

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** The message of whatever was thrown, on one line. */
export const problemOf = (cause: unknown): string =>
  oneLine(cause instanceof Error ? cause.message || cause.name : String(cause)) || "no message"

/** Checks an extension's own entries, before anything of it runs. */
const checkEntries = (extension: Extension, isBuiltin: boolean): ReadonlyArray<Diagnostic> => {
  const { name, package: owner } = extension
  if (owner === undefined && !isBuiltin) return [EFFX0010.make({ extension: name, _tag: "NoPackage" })]
  if (isBuiltin) return []
  return extension.diagnostics.flatMap((entry): ReadonlyArray<Diagnostic> => {
    if (entry.owner !== owner) {
      return [EFFX0010.make({ extension: name, _tag: "ForeignCode", code: entry.code, owner: entry.owner })]
    }
    return entryProblems(entry).map((problem) =>
      EFFX0010.make({ extension: name, _tag: "InvalidEntry", code: entry.code, problem })
    )
  })
}

/** Package codes that two extensions register, or one extension registers twice. */
const checkDuplicates = (extensions: ReadonlyArray<Extension>): ReadonlyArray<Diagnostic> => {
  const claims = extensions
    .filter((extension) => extension.package !== undefined)
    .flatMap((extension) => extension.diagnostics.map(({ code }) => ({ code, extension })))
  return Array.from(Map.groupBy(claims, ({ code }) => code)).flatMap(([code, [first, ...others]]) =>
    others.map(({ extension }) =>
      EFFX0010.make({
        extension: extension.name,
        _tag: "DuplicateCode",
        code,
        other: first?.extension.name === extension.name ? "it" : `the extension ${first?.extension.name}`
      })
    )
  )
}

/** Everything about the configured extensions that can be judged without running them. */
export const checkExtensions = (
  extensions: ReadonlyArray<Extension>,
  builtins: ReadonlyArray<Extension>
): ReadonlyArray<Diagnostic> => [
  ...extensions.flatMap((extension) => checkEntries(extension, builtins.includes(extension))),
  ...checkDuplicates(extensions)
]

/** Runs the callbacks of one extension. */
export interface Supervisor {
  readonly extension: Extension
  /** Whether the extension is a part of effx. */
  readonly isBuiltin: boolean
  /**
   * Runs a callback.
   *
   * @param callback how messages name it: `the interpreter of audit`
   * @param site where a finding about a throw points
   */
  readonly run: <A>(
    callback: string,
    site: Site | undefined,
    body: () => A
  ) => Result.Result<A, ReadonlyArray<Diagnostic>>
  /** A finding about what the callback returned. */
  readonly invalid: (callback: string, problem: string, site?: Site | undefined) => Diagnostic
  /** Admits what the extension reports; what it may not report becomes a finding about the extension. */
  readonly admit: (callback: string, values: unknown, site?: Site | undefined) => ReadonlyArray<Diagnostic>
}

export const supervise = (extension: Extension, isBuiltin: boolean): Supervisor => {
  const registry: Registry = makeRegistry(extension.diagnostics)
  // Nobody owns the codes of an extension without a package, so it may report none.
  const owner = isBuiltin ? "effx" : (extension.package ?? "")
  const { name } = extension
  const failed = (callback: string, outcome: "threw" | "returned", problem: string, site: Site | undefined) =>
    EFFX0011.make({ extension: name, callback, outcome, problem }, { site })
  const invalid: Supervisor["invalid"] = (callback, problem, site) => failed(callback, "returned", problem, site)
  return {
    extension,
    isBuiltin,
    invalid,
    run: (callback, site, body) =>
      Result.try({ try: body, catch: (cause) => [failed(callback, "threw", problemOf(cause), site)] }),
    admit: (callback, values, site) => {
      if (values === undefined) return []
      if (!Array.isArray(values)) return [invalid(callback, "its diagnostics are not a list", site)]
      return values.map((value) =>
        Result.match(admit(registry, owner, value), {
          onSuccess: (diagnostic) => diagnostic,
          onFailure: (refusal) =>
            refusal._tag === "NotADiagnostic"
              ? invalid(callback, refusal.problem, site)
              : EFFX0010.make({ extension: name, ...refusal }, { site })
        })
      )
    }
  }
}
