/**
 * Which open document is told what, and when (Spec 0018 §4, §5).
 *
 * Guarantees:
 * - a result is told only while the documents are as they were analysed, also at the moment when it is sent;
 * - each result replaces what a document was told before; a document of which neither version nor findings changed is left alone;
 * - a document that is closed is cleared at once and never told anything again.
 */
import type * as Lsp from "vscode-languageserver-types"
import { type Documents, NO_DOCUMENTS } from "./documents.ts"
import { LIMITS } from "./limits.ts"
import type { Outbox } from "./outbox.ts"

/** Findings by URI; a document without any is not in it. */
export type Findings = ReadonlyMap<string, ReadonlyArray<Lsp.Diagnostic>>

export interface Publication {
  /** Takes note of the documents that are open now: what is not yet sent about others is void. */
  readonly become: (documents: Documents) => void
  /** Takes note that a document is another instance from now on, whatever was told of the one before. */
  readonly opened: (uri: string) => void
  /** Clears a document that was closed. */
  readonly closed: (uri: string) => void
  /** Tells a result, unless the documents are no longer those that were analysed. */
  readonly tell: (analysed: Documents, findings: Findings) => void
  /** Clears what was told: nothing is known at present. */
  readonly clear: () => void
}

interface Told {
  readonly version: number
  readonly findings: string
}

const NONE: ReadonlyArray<Lsp.Diagnostic> = []

/**
 * @param versions whether the client takes the version that diagnostics belong to
 * @param tooMany is told of a document with more findings than can be sent: it gets none
 */
export const makePublication = (
  outbox: Pick<Outbox, "publish">,
  versions: boolean,
  tooMany: (uri: string, count: number) => void
): Publication => {
  let current: Documents = NO_DOCUMENTS
  const told = new Map<string, Told>()

  const message = (uri: string, diagnostics: ReadonlyArray<Lsp.Diagnostic>, version?: number) => ({
    jsonrpc: "2.0",
    method: "textDocument/publishDiagnostics",
    params: { uri, ...(versions && version !== undefined && { version }), diagnostics }
  })

  /** What tells a document, unless it was told just that; `findings` is what makes the difference. */
  const saying = (
    uri: string,
    version: number,
    diagnostics: ReadonlyArray<Lsp.Diagnostic>,
    findings = JSON.stringify(diagnostics)
  ): object | undefined => {
    const before = told.get(uri)
    if (before?.version === version && before.findings === findings) return undefined
    told.set(uri, { version, findings })
    return message(uri, diagnostics, version)
  }

  const publish = (analysed: Documents, findings: Findings): void => {
    for (const [uri, { version }] of analysed) {
      outbox.publish(uri, () => {
        if (current !== analysed) return undefined
        const all = findings.get(uri) ?? NONE
        const whole = JSON.stringify(all)
        const fits = Buffer.byteLength(whole) <= LIMITS.publicationBytes
        const diagnostics = fits ? all : NONE
        const next = saying(uri, version, diagnostics, whole)
        if (next !== undefined && !fits) tooMany(uri, all.length)
        return next
      })
    }
  }

  return {
    become: (documents) => {
      current = documents
    },
    opened: (uri) => void told.delete(uri),
    closed: (uri) => {
      told.delete(uri)
      outbox.publish(uri, () => message(uri, NONE))
    },
    tell: (analysed, findings) => {
      if (analysed === current) publish(analysed, findings)
    },
    clear: () => {
      for (const uri of current.keys()) {
        // Whatever is typed meanwhile: what was found before is void, and no result may follow.
        outbox.publish(uri, () => {
          const version = current.get(uri)?.version
          return version === undefined ? undefined : saying(uri, version, NONE)
        })
      }
    }
  }
}
