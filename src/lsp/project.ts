/**
 * The one project of a server: a session over it, and what its events mean for the open documents.
 *
 * Guarantees: nothing is evaluated without authority that was given at the launch (Spec 0018 §3); a result is told for the very
 * texts that were analysed; a fault and a restart that is required clear what was told and say so.
 */
import type { Diagnostic, Location } from "@effx/diagnostics"
import type { Overlays } from "@effx/frontend-ts"
import {
  discover,
  displayPath,
  Misuse,
  openSession,
  type RunResult,
  type Session,
  type SessionEvent
} from "@effx/session"
import { Effect, Path } from "effect"
import type * as Lsp from "vscode-languageserver-types"
import { identityOf, namesOf, type ProjectFolder } from "./aliases.ts"
import type { Document, Documents } from "./documents.ts"
import { NO_DOCUMENTS } from "./documents.ts"
import { uriOfPath } from "./file-uri.ts"
import type { Log } from "./log.ts"
import { type Abilities, makeProjection, unseenText } from "./projection.ts"
import { MessageType } from "./protocol.ts"
import type { Publication } from "./publication.ts"
import type { Launch } from "./workspace.ts"

export interface ProjectOptions extends Launch {
  /** Whether a config that is found, and not named, may be evaluated. */
  readonly trustConfig: boolean
  readonly abilities: Abilities
  /** The shipped catalogue page. */
  readonly catalogue: string | undefined
  readonly publication: Publication
  readonly log: Log
  /** Succeeds when there is room for what an event makes; the session waits for it. */
  readonly room: Effect.Effect<void>
  /** Opens the session; another one than the real one is for tests of what lies around it. */
  readonly open?: typeof openSession | undefined
}

export interface Project {
  /** Takes the documents that are open now. */
  readonly follow: (documents: Documents) => Effect.Effect<void>
  readonly run: Session["run"]
}

/** A config that is found and not allowed. */
const untrusted = (config: string): string =>
  `${config} is code that effx lsp may not run yet; start it with --trust-config to allow configs that are found, or name this one with --config`

/** The names of the files of open documents, with their URIs. */
const documentNames = (documents: Documents, folder: ProjectFolder): ReadonlyMap<string, Document> => {
  const names = new Map<string, Document>()
  for (const document of documents.values()) {
    const { identity, path } = document
    if (path === undefined || identity === undefined) continue
    for (const name of namesOf({ identity, path }, folder)) names.set(name, document)
  }
  return names
}

type Checked = Extract<SessionEvent, { _tag: "Checked" }>

const isLocated = (diagnostic: Diagnostic): diagnostic is Diagnostic & { readonly location: Location } =>
  diagnostic.location !== undefined

/**
 * Selects the project and evaluates its config. Fails with a sentence that says what to do.
 */
export const openProject = Effect.fnUntraced(function* (options: ProjectOptions) {
  const {
    abilities,
    catalogue,
    coverage,
    cwd,
    flags,
    log,
    open = openSession,
    publication,
    room,
    startThread,
    trustConfig
  } = options
  const path = yield* Path.Path
  const found = yield* discover(flags, cwd)
  if (found.config !== undefined && !found.config.explicit && !trustConfig) {
    return yield* new Misuse({ message: untrusted(displayPath(path, cwd, found.config.path)) })
  }
  let folder: ProjectFolder = { logical: found.base, real: found.base }
  let current: Documents = NO_DOCUMENTS
  const analysedBy = new WeakMap<Overlays, Documents>()
  const told = { unseen: "", failure: "" }

  /** The findings of open documents, and those that no document shows and that the reader must be told of. */
  const findingsOf = (
    { compiled, diagnostics, root }: RunResult,
    documents: Documents,
    { realpathOf, textOf }: Pick<Checked, "realpathOf" | "textOf">
  ) => {
    const names = documentNames(documents, folder)
    const absolute = (file: string): string => path.resolve(root, file)
    // The project may have come to the file through a link that no name of the document shows.
    const documentOf = (file: string): Document | undefined =>
      names.get(file) ?? (realpathOf && names.get(realpathOf(file)))
    const project = makeProjection({
      abilities,
      catalogue,
      textOf: (file) => textOf?.(absolute(file)),
      uriOf: (file) => documentOf(absolute(file))?.uri ?? uriOfPath(absolute(file))
    })
    const findings = new Map<string, Array<Lsp.Diagnostic>>()
    const unseen: Array<Diagnostic> = []
    for (const diagnostic of diagnostics) {
      const document = isLocated(diagnostic) ? documentOf(absolute(diagnostic.location.file)) : undefined
      if (document === undefined || !isLocated(diagnostic)) {
        // Where it kept the source from being read, a document without findings would look as if all were well.
        if (diagnostic.location === undefined || compiled === undefined) unseen.push(diagnostic)
        continue
      }
      const before = findings.get(document.uri) ?? []
      before.push(project(diagnostic))
      findings.set(document.uri, before)
    }
    return { findings, unseen }
  }

  const checked = ({ overlays, realpathOf, result, textOf }: Checked): void => {
    const documents = overlays && analysedBy.get(overlays)
    if (documents === undefined || documents !== current) return
    const isRead = result.compiled !== undefined
    if (told.failure !== "" && isRead) log.say(MessageType.info, "the project can be analysed again")
    told.failure = isRead ? "" : "no source was read"
    const { findings, unseen } = findingsOf(result, documents, { realpathOf, textOf })
    publication.tell(documents, findings)
    const text = unseenText(unseen, result.selection?.config)
    if (text !== undefined && text.message !== told.unseen) log.say(text.type, text.message)
    told.unseen = text?.message ?? ""
  }

  const unavailable = (type: MessageType, message: string): void => {
    publication.clear()
    if (message !== told.failure) log.say(type, message)
    told.failure = message
  }

  const take = (event: SessionEvent): void => {
    switch (event._tag) {
      case "Started": {
        const { coverage, selection } = event
        log.say(MessageType.info, `serving ${selection.tsconfig}`)
        if (selection.config === undefined && coverage.declared === 0) return
        log.say(
          MessageType.info,
          `a restart is asked for when ${selection.config ?? "the declared paths"}, one of ${coverage.loaded} files that it loaded or of ${coverage.declared} declared paths changes; whether that is complete, only you know (effx lsp --help)`
        )
        break
      }
      case "Checked":
        checked(event)
        break
      case "Failed":
        unavailable(MessageType.error, `analysis is unavailable: ${event.message}; waiting for a change`)
        break
      case "RestartRequired": {
        const [first = "code that was loaded", ...others] = event.paths
        const more = others.length > 0 ? ` and ${others.length} more` : ""
        unavailable(
          MessageType.warning,
          `restart required: ${first}${more} changed, and code of this server depends on it; nothing is analysed until you restart effx lsp`
        )
        break
      }
      case "Notice":
        log.say(MessageType.warning, event.message)
        break
    }
  }

  // What may be run was decided about this very finding.
  const session = yield* open({
    flags,
    cwd,
    found,
    startThread,
    build: false,
    patient: true,
    coverage,
    emit: (event) =>
      Effect.andThen(
        room,
        Effect.sync(() => take(event))
      )
  })
  const logical = session.prepared.selection.folder
  folder = { logical, real: (yield* identityOf(logical)).identity }

  const project: Project = {
    follow: (documents) =>
      Effect.suspend(() => {
        current = documents
        const overlays: Overlays = new Map(
          Array.from(documentNames(documents, folder), ([name, { text }]) => [name, text] as const)
        )
        analysedBy.set(overlays, documents)
        return session.setOverlays(overlays)
      }),
    run: Effect.tapError(session.run, ({ message }) =>
      Effect.sync(() => unavailable(MessageType.error, `analysis has ended: ${message}`))
    )
  }
  yield* project.follow(NO_DOCUMENTS)
  return project
})
