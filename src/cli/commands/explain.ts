/** `effx explain CODE`: the catalogue's entry of a code as Markdown, offline. */
import { CORE_ENTRIES, explain as explainEntry, makeRegistry, nearCodes } from "@effx/diagnostics"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { ExitCode, toHandler } from "../exit-code.ts"
import { selectionFlags } from "../flags.ts"
import { Output } from "../output.ts"

interface Input {
  readonly code: string
  readonly config: string | undefined
}

const run = Effect.fnUntraced(function* ({ code }: Input) {
  const output = yield* Output
  const registry = makeRegistry(CORE_ENTRIES)
  const entry = registry.lookup(code.toUpperCase()) ?? registry.lookup(code)
  if (entry !== undefined) {
    yield* output.out(explainEntry(entry))
    return ExitCode.Done
  }
  const near = nearCodes(registry, code)
  yield* output.err(`effx: there is no code ${code}${near.length > 0 ? `; did you mean ${near.join(" or ")}?` : ""}`)
  return ExitCode.Findings
})

export const explain = Command.make(
  "explain",
  {
    code: Argument.String("code").pipe(Argument.withDescription("A code such as EFFX2201")),
    config: selectionFlags.config
  },
  toHandler(run)
).pipe(
  Command.withDescription("Explain a diagnostic code: what it means, why it is a mistake, what to do"),
  Command.withExamples([{ command: "effx explain EFFX2201" }])
)
