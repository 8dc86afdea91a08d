/**
 * Small projects that exist only as overlays, collected by one engine.
 *
 * Sources may mark spans: `/*<*\/` begins one and `/*>*\/` ends it. The marks are comments and stay in the text.
 */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Annotation, Collected, CompilerFault, Declaration } from "@effx/compiler"
import type { Diagnostic, Site } from "@effx/diagnostics"
import { type OpenProject, SourceFrontend } from "@effx/frontend-ts"
import { Context, Effect, Layer, Ref, Semaphore } from "effect"
import { sourceText } from "../../src/frontend-ts/text.ts"

/** A folder that is not on disk, in a workspace whose packages resolve. */
export const ROOT = fileURLToPath(new URL("./virtual", import.meta.url)).replace(/\/$/, "")

export const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    lib: ["esnext"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true
  },
  include: ["src"]
}

/** Texts by path relative to the project; `undefined` stands for a file that is not there. */
export type Files = Readonly<Record<string, string>>

/** What most tests need: schemas, errors and services. */
export const DOMAIN = `import { Context, type Effect, Schema } from "effect"
export class User extends Schema.Class<User>("User")({ id: Schema.String }) {
  static readonly Public = Schema.Struct({ id: Schema.String })
}
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { id: Schema.String }, { httpApiStatus: 404 }) {}
export class Taken extends Schema.TaggedError<Taken>()("Taken", {}) {}
export class Users extends Context.Service<Users, {
  readonly get: (id: string) => Effect.Effect<User, NotFound>
  readonly put: (user: User) => Effect.Effect<void, Taken>
}>()("virtual/Users") {}
export class Clock extends Context.Service<Clock, { readonly now: Effect.Effect<number> }>()("virtual/Clock") {}
export const Get = Schema.Struct({ id: Schema.String })
export const Text = Schema.String
`

export interface Run {
  readonly collected: Collected
  readonly project: OpenProject
  /** The marked spans of a file, in the order in which they begin. */
  readonly marks: (file: string) => ReadonlyArray<Site>
  readonly declaration: (id: string) => Declaration
  readonly annotation: (id: string, name: string) => Annotation
  /** Code and message of each finding, without EFFX0001 and EFFX0003. */
  readonly findings: ReadonlyArray<Diagnostic>
}

export class Workbench extends Context.Service<
  Workbench,
  { readonly run: (files: Files, options?: { readonly outDir?: string }) => Effect.Effect<Run, CompilerFault> }
>()("test/Workbench") {
  static readonly layer = Layer.effect(
    Workbench,
    Effect.gen(function* () {
      const frontend = yield* SourceFrontend
      const project = yield* frontend.open({ tsconfigPath: `${ROOT}/tsconfig.json`, overlays: overlaysOf({}) })
      const current = yield* Ref.make(project)
      const one = yield* Semaphore.make(1)
      const run = Effect.fnUntraced(function* (files: Files, options: { readonly outDir?: string } = {}) {
        const before = yield* Ref.get(current)
        const after = yield* before.update({ overlays: overlaysOf(files) })
        yield* Ref.set(current, after)
        const collected = yield* after.collect({ outDir: `${ROOT}/${options.outDir ?? ".effx/generated"}` })
        return runOf(files, collected, after)
      })
      return Workbench.of({ run: (files, options) => one.withPermits(1)(run(files, options)) })
    })
  ).pipe(Layer.provide(SourceFrontend.layer))
}

/** The whole project as overlays: `files`, and a tsconfig, manifest and domain where they name none. */
export const overlaysOf = (files: Files): ReadonlyMap<string, string> => {
  const all: Files = {
    "tsconfig.json": JSON.stringify(TSCONFIG),
    "package.json": JSON.stringify({ name: "virtual", version: "1.2.3", type: "module" }),
    "src/domain.ts": DOMAIN,
    ...files
  }
  return new Map(Object.entries(all).map(([file, text]) => [join(ROOT, file), text]))
}

export const runOf = (files: Files, collected: Collected, project: OpenProject): Run => {
  const declaration = (id: string): Declaration => {
    const found = collected.declarations.find((each) => each.id === id)
    if (found === undefined) throw new Error(`no declaration ${id} among ${collected.declarations.map((d) => d.id)}`)
    return found
  }
  return {
    collected,
    project,
    marks: (file) => marksOf(file, files[file] ?? ""),
    declaration,
    annotation: (id, name) => {
      const found = declaration(id).annotations.find((each) => each.name === name)
      if (found === undefined) throw new Error(`no annotation ${name} on ${id}`)
      return found
    },
    findings: collected.diagnostics.filter(({ code }) => code !== "EFFX0001" && code !== "EFFX0003")
  }
}

/** The spans that `/*<*\/` and `/*>*\/` enclose. */
export const marksOf = (file: string, text: string): ReadonlyArray<Site> => {
  const source = sourceText(file, text.replace(/^\uFEFF/, ""), text.startsWith("\uFEFF"))
  const open: Array<number> = []
  const found: Array<Site> = []
  for (const match of source.text.matchAll(/\/\*([<>])\*\//g)) {
    if (match[1] === "<") open.push(match.index + match[0].length)
    else {
      const start = open.pop()
      if (start !== undefined) found.push(source.site(start, match.index))
    }
  }
  return found.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end)
}

/** Where a finding is, for comparison with marks. */
export const siteOf = (diagnostic: Diagnostic): Site | undefined =>
  diagnostic.location && diagnostic.span && { location: diagnostic.location, span: diagnostic.span }

export const withImports = (
  source: string
): string => `import { Annotate, Authorize, Capability, Cli, Command, Errors, Focus, Http, Model, Operation, PersistentModel, Query, Requirements, Rpc } from "@effx/runtime"
import { Effect, Schema } from "effect"
import { Clock, Get, NotFound, Taken, Text, User, Users } from "./domain.ts"
${source}`
