/**
 * A frontend without an engine, for tests of what the server does around one: each document whose text has `FAULT` has one finding
 * there, and with no fault at all there is one finding without a place.
 */
import { CompilerFault } from "@effx/compiler"
import { type Diagnostic, EFFX0002 } from "@effx/diagnostics"
import { type OpenProject, type Overlays, SourceFrontend, type UpdateOptions } from "@effx/frontend-ts"
import { Effect, Layer } from "effect"

export const FAULT = "FAULT"

/** What a test does to analyses. */
export interface Analyses {
  /** Runs before each one. */
  before: Effect.Effect<void>
  /** Whether each one fails. */
  failing: boolean
  /** How many there were. */
  count: number
}

export const analyses = (): Analyses => ({ before: Effect.void, failing: false, count: 0 })

/** Where a text has a fault: one-based. */
const pointOf = (text: string) => {
  const lines = text.slice(0, text.indexOf(FAULT)).split(/\r\n|\n|\r/)
  return { line: lines.length, col: (lines.at(-1) ?? "").length + 1 }
}

/** What is found in the texts of a project. */
export const findingsOf = (root: string, overlays: Overlays): ReadonlyArray<Diagnostic> => {
  const located = Array.from(overlays).flatMap(([path, text]) =>
    text?.includes(FAULT) === true && path.startsWith(`${root}/`)
      ? [
          EFFX0002.make(
            { file: path.slice(root.length + 1), reason: "it has a fault" },
            { site: { location: { file: path.slice(root.length + 1), ...pointOf(text) }, span: { start: 0, end: 0 } } }
          )
        ]
      : []
  )
  return located.length > 0 ? located : [EFFX0002.make({ file: "nothing", reason: "it has no fault" })]
}

const VERSIONS = { effect: "4.1.0", typescript: "7.1.0" } as never

export const fakeFrontend = (control: Analyses): Layer.Layer<SourceFrontend> =>
  Layer.succeed(
    SourceFrontend,
    SourceFrontend.of({
      open: ({ overlays = new Map(), tsconfigPath }) => {
        const root = tsconfigPath.slice(0, tsconfigPath.lastIndexOf("/"))
        const project = (overlays: Overlays): Effect.Effect<OpenProject, CompilerFault> =>
          Effect.gen(function* () {
            control.count++
            yield* control.before
            if (control.failing) return yield* new CompilerFault({ stage: "collect", message: "it fails" })
            return {
              facts: {
                tsconfigPath,
                root,
                diagnostics: [],
                fileNames: [`${root}/src/a.ts`],
                files: [],
                selectsNothing: false,
                unreadable: [],
                effxBlock: undefined,
                versions: VERSIONS,
                effectCopies: [],
                package: undefined,
                importExtension: ".ts",
                buildOutputs: []
              },
              collect: () =>
                Effect.succeed({
                  declarations: [],
                  diagnostics: findingsOf(root, overlays),
                  schemas: {},
                  services: {},
                  modules: {},
                  spreads: [],
                  versions: VERSIONS
                }),
              hashOf: () => undefined,
              inputs: () => [],
              textOf: (path: string) => overlays.get(path),
              outdated: () => undefined,
              update: ({ overlays }: UpdateOptions) => project(overlays),
              messages: () => 0,
              engineDied: Effect.never,
              enginePid: undefined
            } as unknown as OpenProject
          })
        return project(overlays)
      }
    })
  )
