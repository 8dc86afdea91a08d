/**
 * Messages name annotations as decorators write them (`@Http.Get`). For a declaration that is a chain, this says the same in the
 * words of its author (`.http.get`).
 *
 * Only findings of core entries are reworded: they write the names in that one form, and nothing else looks like it.
 */
import type { Diagnostic } from "./diagnostic.ts"
import { ownerOf } from "./registry.ts"

const WORDS: Readonly<Record<string, string>> = {
  Query: "Operation.query",
  Command: "Operation.command",
  PersistentModel: "Model.persistent"
}

const ANNOTATION =
  /@(Http\.(?:Get|Post|Put|Patch|Delete|Problems|Access)|Errors|Requirements|Authorize|Rpc|Cli|Annotate|Query|Command|PersistentModel)\b/g

const inChain = (name: string): string => WORDS[name] ?? `.${name.toLowerCase()}`

const reworded = (text: string): string => text.replaceAll(ANNOTATION, (_, name: string) => inChain(name))

/** The same finding in the words of the builder syntax. */
export const inBuilderWords = (diagnostic: Diagnostic): Diagnostic =>
  ownerOf(diagnostic.code) !== "effx"
    ? diagnostic
    : {
        ...diagnostic,
        message: reworded(diagnostic.message),
        related: diagnostic.related.map((other) => ({ ...other, message: reworded(other.message) })),
        notes: diagnostic.notes.map(({ label, text }) => ({ label, text: reworded(text) }))
      }
