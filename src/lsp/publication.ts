/**
 * Which open document is told what, and when (Spec 0018 §4, §5).
 *
 * Guarantees:
 * - a result is told only while the documents are as they were analysed, also at the moment when it is sent;
 * - each result replaces what a document was told before; a document of which neither version nor findings changed is left alone;
 * - a document that is closed is cleared at once and never told anything again;
 * - a burst of edits is answered once it pauses, and at the latest after `LIMITS.patience`.
 */
import { Clock, Duration, Effect, FiberHandle } from "effect"
import type * as Lsp from "vscode-languageserver-types"
import { type Documents, NO_DOCUMENTS } from "./documents.ts"
import { LIMITS } from "./limits.ts"
import type { Outbox } from "./outbox.ts"

/** Findings by URI; a document without any is not in it. */
export type Findings = ReadonlyMap<string, ReadonlyArray<Lsp.Diagnostic>>

export interface Publication {
  /** Takes note of the documents that are open now: what is not yet sent about others is void. */
  readonly become: (documents: Documents, by: "edit" | "opening" | "closing") => Effect.Effect<void>
  /** Takes note that a document is another instance from now on, whatever was told of the one before. */
  readonly opened: (uri: string) => void
  /** Clears a document that was closed. */
  readonly closed: (uri: string) => void
  /** Tells a result, unless the documents are no longer those that were analysed. */
  readonly tell: (analysed: Documents, findings: Findings) => Effect.Effect<void>
  /** Clears what was told: nothing is known at present. */
  readonly clear: Effect.Effect<void>
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
export const makePublication = Effect.fnUntraced(function* (
  outbox: Pick<Outbox, "publish">,
  versions: boolean,
  tooMany: (uri: string, count: number) => void
) {
  let current: Documents = NO_DOCUMENTS
  let toldAt = 0
  let editedAt = 0
  let isBurst = false
  const told = new Map<string, Told>()
  const later = yield* FiberHandle.make<void>()

  const message = (uri: string, diagnostics: ReadonlyArray<Lsp.Diagnostic>, version?: number) => ({
    jsonrpc: "2.0",
    method: "textDocument/publishDiagnostics",
    params: { uri, ...(versions && version !== undefined && { version }), diagnostics }
  })

  const publish = (analysed: Documents, findings: Findings): void => {
    for (const [uri, { version }] of analysed) {
      outbox.publish(uri, () => {
        if (current !== analysed) return undefined
        const all = findings.get(uri) ?? NONE
        const whole = JSON.stringify(all)
        const fits = Buffer.byteLength(whole) <= LIMITS.publicationBytes
        const diagnostics = fits ? all : NONE
        const next: Told = { version, findings: whole }
        const before = told.get(uri)
        if (before?.version === next.version && before.findings === next.findings) return undefined
        told.set(uri, next)
        if (!fits) tooMany(uri, all.length)
        return message(uri, diagnostics, version)
      })
    }
  }

  const tell = Effect.fnUntraced(function* (analysed: Documents, findings: Findings) {
    if (analysed !== current) return
    const now = yield* Clock.currentTimeMillis
    const pause = editedAt + Duration.toMillis(LIMITS.burst) - now
    if (isBurst && pause > 0 && now - toldAt < Duration.toMillis(LIMITS.patience)) {
      const waiting = Effect.andThen(
        Effect.sleep(pause),
        Effect.suspend(() => tellNow(analysed, findings))
      )
      yield* FiberHandle.run(later, waiting)
      return
    }
    yield* tellNow(analysed, findings)
  })
  const tellNow = Effect.fnUntraced(function* (analysed: Documents, findings: Findings) {
    if (analysed !== current) return
    toldAt = yield* Clock.currentTimeMillis
    publish(analysed, findings)
  })

  const publication: Publication = {
    become: Effect.fnUntraced(function* (documents, by) {
      current = documents
      if (by !== "edit") return
      const now = yield* Clock.currentTimeMillis
      isBurst = now - editedAt < Duration.toMillis(LIMITS.burst)
      editedAt = now
    }),
    opened: (uri) => void told.delete(uri),
    closed: (uri) => {
      told.delete(uri)
      outbox.publish(uri, () => message(uri, NONE))
    },
    tell,
    clear: Effect.suspend(() => tellNow(current, new Map()))
  }
  return publication
})
