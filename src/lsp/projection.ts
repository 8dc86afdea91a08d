/**
 * What a finding looks like in an editor (Spec 0018 §6). Pure.
 *
 * Guarantees: code, severity and the first line of the message are those of `effx check`; the range is the finding's point and has no
 * length, since no token is invented; every position lies within the text that was analysed; what a client cannot show is left
 * out or said in the message.
 */
import { anchorOf, CORE_ENTRIES, type Diagnostic, type Location, makeRegistry, type Severity } from "@effx/diagnostics"
import type * as Lsp from "vscode-languageserver-types"
import { uriOfPath } from "./file-uri.ts"
import { type LineIndex, lineIndex } from "./line-index.ts"
import type { InitializeParams } from "./protocol.ts"
import { MessageType } from "./protocol.ts"

/** What a client can show. */
export interface Abilities {
  readonly relatedInformation: boolean
  readonly versions: boolean
  readonly codeDescription: boolean
}

export const abilitiesOf = ({ capabilities }: InitializeParams): Abilities => {
  const { codeDescriptionSupport, relatedInformation, versionSupport } =
    capabilities?.textDocument?.publishDiagnostics ?? {}
  return {
    relatedInformation: relatedInformation === true,
    versions: versionSupport === true,
    codeDescription: codeDescriptionSupport === true
  }
}

export interface ProjectionContext {
  readonly abilities: Abilities
  /** The shipped catalogue page, absolute; absent where there is none. */
  readonly catalogue?: string | undefined
  /** The URI of a file of a location: the client's own spelling where it is open. */
  readonly uriOf: (file: string) => string
  /** The text of a file of a location as it was analysed. */
  readonly textOf: (file: string) => string | undefined
}

const SEVERITY: Readonly<Record<Severity, Lsp.DiagnosticSeverity>> = { error: 1, warning: 2, info: 3 }

const bundled = makeRegistry(CORE_ENTRIES)

/** Whether the shipped catalogue explains a code. */
const isBundled = (code: string): boolean => bundled.lookup(code) !== undefined

/** A point as a range without length, within the text. */
const pointIn = (index: LineIndex | undefined, { col, line }: Location): Lsp.Range => {
  const last = index === undefined ? line - 1 : Math.min(line - 1, index.lineCount - 1)
  const point = {
    line: Math.max(0, last),
    character: Math.max(0, Math.min(col - 1, index?.lengthOf(last) ?? (index === undefined ? col - 1 : 0)))
  }
  return { start: point, end: point }
}

const placeText = ({ col, file, line }: Location): string => `${file}:${line}:${col}`

/** How to show findings of one result; texts are indexed once. */
export const makeProjection = ({ abilities, catalogue, textOf, uriOf }: ProjectionContext) => {
  const indexes = new Map<string, LineIndex | undefined>()
  const rangeOf = (location: Location): Lsp.Range => {
    const { file } = location
    if (!indexes.has(file)) {
      const text = textOf(file)
      indexes.set(file, text === undefined ? undefined : lineIndex(text))
    }
    return pointIn(indexes.get(file), location)
  }
  return (diagnostic: Diagnostic & { readonly location: Location }): Lsp.Diagnostic => {
    const { code, location, message, related, severity } = diagnostic
    const shown = related.flatMap((one) =>
      abilities.relatedInformation && one.location !== undefined
        ? [{ location: { uri: uriOf(one.location.file), range: rangeOf(one.location) }, message: one.message }]
        : []
    )
    const said = related.flatMap((one) => {
      if (one.location === undefined) return [one.message]
      return abilities.relatedInformation ? [] : [`${one.message} (${placeText(one.location)})`]
    })
    return {
      range: rangeOf(location),
      severity: SEVERITY[severity],
      code,
      source: "effx",
      message: [message, ...said].join("\n"),
      ...(abilities.codeDescription &&
        catalogue !== undefined &&
        isBundled(code) && {
          codeDescription: { href: `${uriOfPath(catalogue)}#${encodeURIComponent(anchorOf(code))}` }
        }),
      ...(shown.length > 0 && { relatedInformation: shown })
    }
  }
}

const TYPE: Readonly<Record<Severity, MessageType>> = {
  error: MessageType.error,
  warning: MessageType.warning,
  info: MessageType.info
}

/** The command that explains a code. */
const explaining = (code: string, config: string | undefined): string =>
  isBundled(code) || config === undefined ? `effx explain ${code}` : `effx explain '${code}' --config ${config}`

const placed = ({ location }: Diagnostic): string =>
  location === undefined ? "" : ` at ${location.file}:${location.line}:${location.col}`

/**
 * Findings that no document shows, as one message for the log.
 *
 * @returns undefined where there are none
 */
export const unseenText = (
  unseen: ReadonlyArray<Diagnostic>,
  config: string | undefined
): { readonly type: MessageType; readonly message: string } | undefined => {
  if (unseen.length === 0) return undefined
  const types = unseen.map(({ severity }) => TYPE[severity])
  return {
    type: Math.min(...types) as MessageType,
    message: unseen
      .flatMap((diagnostic) => [
        `${diagnostic.severity} ${diagnostic.code}${placed(diagnostic)}: ${diagnostic.message}; ${explaining(diagnostic.code, config)}`,
        ...diagnostic.related.map((one) => `  ${one.message}`)
      ])
      .join("\n")
  }
}
