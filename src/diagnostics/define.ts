/**
 * The typed factory of diagnostics: an entry declares code, severity, explanation and examples once, and is the only thing
 * that can make a diagnostic of its code.
 */
import type { Diagnostic, DiagnosticData, Note, Related, Severity } from "./diagnostic.ts"
import type { Site } from "./site.ts"

/** Source that a finding is about, and the same source without the finding. */
export interface Example {
  readonly title: string
  /** The project-relative file that both texts are; `src/operations.ts` unless given. */
  readonly file?: string
  /** Further project-relative files that both texts need. */
  readonly beside?: Readonly<Record<string, string>>
  readonly before: string
  readonly after: string
}

/** Which severities an entry may take. `when` is a sentence for readers that says when a non-default one applies. */
export type SeverityPolicy =
  | { readonly _tag: "Fixed" }
  | { readonly _tag: "Varies"; readonly allowed: ReadonlyArray<Severity>; readonly when: string }

/** What an occurrence adds to its entry. */
export interface Occurrence {
  /** Absent only where no source place exists. */
  readonly site?: Site | undefined
  /** A severity other than the default, which the entry's policy must allow. */
  readonly severity?: Severity
  readonly related?: ReadonlyArray<Related>
  readonly notes?: ReadonlyArray<Note>
}

/** What a catalogue shows of an entry. */
export interface EntryInfo {
  readonly code: string
  /** `effx`, or the npm package of an extension. */
  readonly owner: string
  readonly title: string
  readonly severity: Severity
  readonly policy: SeverityPolicy
  /** Markdown: what the code means, why it is a mistake, what to do. */
  readonly explanation: string
  readonly examples: readonly [Example, ...ReadonlyArray<Example>]
}

export interface Entry<P> extends EntryInfo {
  /**
   * Makes the diagnostic of one occurrence.
   *
   * @throws RangeError when `severity` is one that the policy does not allow: a mistake in the compiler, never of a user.
   */
  readonly make: (params: P, occurrence?: Occurrence) => Diagnostic
}

export interface EntryDefinition<P> extends Omit<EntryInfo, "owner" | "policy"> {
  readonly policy?: SeverityPolicy
  /** Renders the message: one sentence, no final full stop, no internals. */
  readonly message: (params: P) => string
  /** What to do, as an instruction; it becomes the note `fix` unless an occurrence brings its own. */
  readonly fix?: (params: P) => string
}

/** Whether an entry may be emitted with this severity. */
export const allows = (entry: Pick<EntryInfo, "severity" | "policy">, severity: Severity): boolean =>
  severity === entry.severity || (entry.policy._tag === "Varies" && entry.policy.allowed.includes(severity))

const define = <P>(owner: string, definition: EntryDefinition<P>): Entry<P> => {
  const { fix, message, policy = { _tag: "Fixed" }, ...info } = definition
  return {
    ...info,
    owner,
    policy,
    make: (params, occurrence = {}) => {
      const { site, severity = info.severity, related = [], notes = [] } = occurrence
      if (!allows({ severity: info.severity, policy }, severity)) {
        throw new RangeError(`${info.code} may not be emitted as ${severity}`)
      }
      const data: typeof DiagnosticData.Type = {
        code: info.code,
        severity,
        message: message(params),
        ...(site && { location: site.location, span: site.span }),
        related,
        notes:
          fix === undefined || notes.some(({ label }) => label === "fix")
            ? notes
            : [...notes, { label: "fix", text: fix(params) }]
      }
      return data as Diagnostic
    }
  }
}

/** Declares a core entry; `code` is `EFFX` and four digits. */
export const defineDiagnostic = <P>(definition: EntryDefinition<P> & { readonly code: `EFFX${number}` }): Entry<P> =>
  define("effx", definition)

/**
 * Declares an entry of an extension.
 *
 * @param packageName the npm package that owns the code
 * @param definition as for core entries, with `code` as four digits; the full code is `EFFX[<package>]/<digits>`
 */
export const definePackageDiagnostic = <P>(packageName: string, definition: EntryDefinition<P>): Entry<P> =>
  define(packageName, { ...definition, code: `EFFX[${packageName}]/${definition.code}` })
