/** `effx explain CODE`: the catalogue's entry of a code as Markdown, offline. */
import { CORE_ENTRIES, explain as explainEntry, makeRegistry, nearCodes } from "@effx/diagnostics"
import { extensionsOf, loadConfig, Misuse } from "@effx/session"
import { Effect, FileSystem, Path } from "effect"
import { Argument, Command } from "effect/cli"
import { ExitCode } from "../exit-code.ts"
import { selectionFlags } from "../flags.ts"
import { textArgument } from "../given.ts"
import { toHandler } from "../handler.ts"
import { Output } from "../output.ts"
import { visible } from "../reporters/style.ts"
import { didYouMean } from "../suggestion.ts"
import { workingDirectory } from "../working-directory.ts"

interface Input {
  readonly code: string
  readonly config: string | undefined
}

/** The entries that the extensions of a config bring. */
const entriesOf = Effect.fnUntraced(function* (config: string) {
  const path = yield* Path.Path
  const file = path.resolve(yield* workingDirectory, config)
  const fs = yield* FileSystem.FileSystem
  if (!(yield* Effect.orElseSucceed(fs.exists(file), () => false))) {
    return yield* new Misuse({ message: `${visible(config)} does not exist` })
  }
  const extensions = yield* loadConfig(file, path.dirname(file)).pipe(
    Effect.flatMap(extensionsOf),
    Effect.catchTag("InvalidProject", ({ diagnostics: [{ message }] }) => Effect.fail(new Misuse({ message })))
  )
  return extensions.flatMap(({ diagnostics }) => diagnostics)
})

const run = Effect.fnUntraced(function* ({ code, config }: Input) {
  const output = yield* Output
  const foreign = config === undefined ? [] : yield* entriesOf(config)
  const registry = makeRegistry([...CORE_ENTRIES, ...foreign])
  const entry = registry.lookup(code.toUpperCase()) ?? registry.lookup(code)
  if (entry !== undefined) {
    yield* output.out(explainEntry(entry))
    return ExitCode.Done
  }
  const near = nearCodes(registry, code)
  const foreignForm = near.length === 0 && config === undefined && code.includes("[")
  const hint = foreignForm ? "; codes of extensions need --config PATH" : didYouMean(near)
  yield* output.err(`effx: there is no code ${visible(code)}${hint}`)
  return ExitCode.Findings
})

export const explain = Command.make(
  "explain",
  {
    code: textArgument("code", "a code such as EFFX2201").pipe(Argument.withDescription("A code such as EFFX2201")),
    config: selectionFlags.config
  },
  toHandler(run)
).pipe(
  Command.withDescription("Explain a diagnostic code: what it means, why it is a mistake, what to do"),
  Command.withExamples([{ command: "effx explain EFFX2201" }])
)
