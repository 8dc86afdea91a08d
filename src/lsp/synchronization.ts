/**
 * What notifications about documents do: the one place where the set of open documents changes (LSP 3.17, Text Document
 * Synchronization; Spec 0018 §4, §5).
 *
 * Guarantees: each accepted edit makes what is not yet told about older texts void before anything else happens; what is refused
 * is logged and changes nothing; only what the session cannot hold ends it.
 */
import { Effect, Result, Schema } from "effect"
import { identityOf } from "./aliases.ts"
import {
  change,
  close,
  type Documents,
  NO_DOCUMENTS,
  open,
  type Refusal,
  reconciled,
  refusalText
} from "./documents.ts"
import { pathOfUri } from "./file-uri.ts"
import type { Log } from "./log.ts"
import type { Project } from "./project.ts"
import { DidChangeParams, DidCloseParams, DidOpenParams, MessageType } from "./protocol.ts"
import type { Publication } from "./publication.ts"

export interface SynchronizationOptions {
  readonly log: Log
  readonly project: Pick<Project, "follow">
  readonly publication: Pick<Publication, "become" | "closed" | "opened">
}

const decodeOpen = Schema.decodeUnknownResult(DidOpenParams)
const decodeChange = Schema.decodeUnknownResult(DidChangeParams)
const decodeClose = Schema.decodeUnknownResult(DidCloseParams)

/** The first line of what is wrong with parameters. */
export const problemText = (error: { readonly message: string }): string =>
  error.message.replace(/\s+/g, " ").slice(0, 500)

export const makeSynchronization = ({ log, project, publication }: SynchronizationOptions) => {
  let current: Documents = NO_DOCUMENTS

  const become = Effect.fnUntraced(function* (method: string, next: Result.Result<Documents, Refusal>) {
    if (Result.isFailure(next)) {
      const message = refusalText(next.failure, method)
      if (next.failure._tag === "TooMany") return yield* Effect.fail(message)
      log.say(MessageType.warning, message)
      return false
    }
    current = next.success
    publication.become(current)
    return true
  })

  /** Files that did not exist may do so now, as another one's other name. */
  const reconcile = Effect.gen(function* () {
    const unborn = Array.from(current.values()).filter(({ exists, path }) => path !== undefined && exists === false)
    if (unborn.length === 0) return
    const found = yield* Effect.forEach(unborn, ({ path = "", uri }) =>
      Effect.map(identityOf(path), (identity) => [uri, identity] as const)
    )
    current = reconciled(current, new Map(found))
  })

  const didOpen = Effect.fnUntraced(function* ({ textDocument: { text, uri, version } }: typeof DidOpenParams.Type) {
    const path = pathOfUri(uri)
    if (path === undefined) log.note(`${uri} is no file of this machine, and is not analysed`)
    if (current.has(uri)) log.note(`${uri} is open already, and begins anew`)
    yield* reconcile
    const file = path === undefined ? {} : { path, ...(yield* identityOf(path)) }
    if (!(yield* become("didOpen", open(current, { uri, version, text, ...file })))) return
    publication.opened(uri)
    yield* project.follow(current)
  })

  const didChange = Effect.fnUntraced(function* ({
    contentChanges,
    textDocument: { uri, version }
  }: typeof DidChangeParams.Type) {
    if (yield* become("didChange", change(current, uri, version, contentChanges))) yield* project.follow(current)
  })

  const didClose = Effect.fnUntraced(function* ({ textDocument: { uri } }: typeof DidCloseParams.Type) {
    if (!(yield* become("didClose", close(current, uri)))) return
    publication.closed(uri)
    yield* project.follow(current)
  })

  const decoded = <A, B, E, R>(
    method: string,
    params: Result.Result<A, { readonly message: string }>,
    handle: (params: A) => Effect.Effect<B, E, R>
  ) =>
    Result.isSuccess(params)
      ? Effect.asVoid(handle(params.success))
      : Effect.sync(() => log.say(MessageType.warning, `${method} is ignored: ${problemText(params.failure)}`))

  return {
    /**
     * Handles a notification; an unknown one is ignored.
     *
     * @returns fails with a reason when the session cannot go on
     */
    notify: (method: string, params: unknown) => {
      switch (method) {
        case "textDocument/didOpen":
          return decoded("didOpen", decodeOpen(params), didOpen)
        case "textDocument/didChange":
          return decoded("didChange", decodeChange(params), didChange)
        case "textDocument/didClose":
          return decoded("didClose", decodeClose(params), didClose)
        default:
          return Effect.void
      }
    }
  }
}
