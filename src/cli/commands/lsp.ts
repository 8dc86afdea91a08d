/** `effx lsp`: the findings of `effx check` in an editor, on every keystroke, over standard input and output; writes nothing. */
import { exitCodeOf, type ServerOptions, serve } from "@effx/lsp"
import { Misuse } from "@effx/session"
import { Stdio, type StdioError } from "@effx/stdio"
import { Effect, Path } from "effect"
import { Command, Flag } from "effect/cli"
import { ExitCode } from "../exit-code.ts"
import { type CoverageFlags, coverageFlags, type SelectionFlags, selectionFlags } from "../flags.ts"
import { toHandler } from "../handler.ts"
import * as host from "../host.ts"
import { Installed } from "../installed.ts"
import { nativeStdio } from "../native-stdio.ts"
import { Output } from "../output.ts"
import { visible } from "../reporters/style.ts"
import { VERSION } from "../version.ts"
import { workingDirectory } from "../working-directory.ts"

interface Input extends SelectionFlags, CoverageFlags {
  readonly stdio: boolean
  readonly trustConfig: boolean
}

/** The catalogue's page: in an installation as HTML, from source as Markdown. */
const catalogue = Effect.gen(function* () {
  const path = yield* Path.Path
  const { top } = yield* Installed
  return top === undefined
    ? path.join(host.topFolder, "docs/diagnostics.md")
    : path.join(top, "share/doc/effx/docs/diagnostics.html")
})

/** For whoever calls it by hand. */
const TYPED =
  "this is a language server, which an editor starts; it waits for messages of the protocol on standard input"

/** What a start can say about descriptors that no server can use: how it was called is wrong. */
const UNSUPPORTED: ReadonlySet<string> = new Set(["UnsupportedInput", "UnsupportedOutput"])

const run = Effect.fnUntraced(function* ({ execDir, execFile, stdio: _, trustConfig, ...flags }: Input) {
  const output = yield* Output
  const cwd = yield* workingDirectory
  const options: ServerOptions = {
    flags,
    cwd,
    coverage: { files: execFile, folders: execDir },
    trustConfig,
    startThread: host.startAside,
    catalogue: yield* catalogue,
    version: VERSION,
    report: (line) => Effect.runSync(output.err(`effx: ${line.split("\n").map(visible).join("\neffx: ")}`))
  }
  const ending = yield* Effect.flatMap(Stdio, (stdio) => {
    if (stdio.inputKind === "terminal") options.report(TYPED)
    return serve(stdio, options)
  }).pipe(
    Effect.provide(Stdio.layer({ ...(yield* nativeStdio), startThread: host.startAside })),
    Effect.catchTag(
      "StdioError",
      (error): Effect.Effect<never, Misuse | StdioError> =>
        UNSUPPORTED.has(error.reason._tag) ? Effect.fail(new Misuse({ message: error.message })) : Effect.fail(error)
    )
  )
  return exitCodeOf(ending) === 0 ? ExitCode.Done : ExitCode.Findings
}, Effect.scoped)

export const lsp = Command.make(
  "lsp",
  {
    ...selectionFlags,
    ...coverageFlags,
    trustConfig: Flag.Boolean("trust-config").pipe(
      Flag.withDescription(
        "Run the effx.config file beside the tsconfig, which is code; without this only --config names one"
      ),
      Flag.withDefault(false)
    ),
    stdio: Flag.Boolean("stdio").pipe(
      Flag.withDescription("Standard input and output, which is the only way; for clients that always pass it"),
      Flag.withDefault(true)
    )
  },
  toHandler(run)
).pipe(
  Command.withDescription("Serve an editor: findings of unsaved documents, over standard input and output"),
  Command.withExamples([
    { command: "effx lsp" },
    { command: "effx lsp --trust-config", description: "runs the project's effx.config" },
    { command: "effx lsp --project packages/api", description: "where the editor opens several folders" }
  ])
)
