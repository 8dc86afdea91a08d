/** `effx diff OLD [NEW]`: what changed in the public surface, and what of it breaks callers. */
import { diff as compare, isBreaking, renderDiffJson, renderDiffPlain, renderDiffPretty } from "@effx/compiler"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { readOperand } from "../diff-operand.ts"
import { ExitCode } from "../exit-code.ts"
import { type SelectionFlags, selectionFlags } from "../flags.ts"
import { textArgument } from "../given.ts"
import { toHandler } from "../handler.ts"
import { Output } from "../output.ts"
import { style } from "../reporting.ts"

interface Input extends SelectionFlags {
  readonly old: string
  readonly new: Option.Option<string>
  readonly format: "pretty" | "plain" | "json" | undefined
}

const run = Effect.fnUntraced(function* ({ format, new: current, old, ...flags }: Input) {
  const output = yield* Output
  const changes = compare(yield* readOperand(old, flags), yield* readOperand(Option.getOrUndefined(current), flags))
  const { error, faint, good, strong } = yield* style
  switch (format ?? (output.isTerminal ? "pretty" : "plain")) {
    case "json":
      yield* output.out(renderDiffJson(changes))
      break
    case "plain":
      yield* output.out(renderDiffPlain(changes))
      break
    case "pretty":
      yield* output.out(renderDiffPretty(changes, { breaking: error, compatible: good, subject: strong, faint }))
  }
  return isBreaking(changes) ? ExitCode.Findings : ExitCode.Done
})

export const diff = Command.make(
  "diff",
  {
    old: textArgument("old", "an ir.json, a folder or a Git revision").pipe(
      Argument.withDescription("An ir.json, a folder or a Git revision")
    ),
    new: textArgument("new", "an ir.json, a folder or a Git revision").pipe(
      Argument.withDescription("The same; the selected project unless given"),
      Argument.optional
    ),
    format: Flag.Literals("format", ["pretty", "plain", "json"]).pipe(
      Flag.withDescription("The form of the output: pretty on a terminal, else plain"),
      Flag.optional,
      Flag.map(Option.getOrUndefined)
    ),
    ...selectionFlags
  },
  toHandler(run)
).pipe(
  Command.withDescription("Show what changed in the public surface and what of it breaks callers"),
  Command.withExamples([
    { command: "effx diff main", description: "this project against the branch main" },
    { command: "effx diff released/ir.json .effx/ir.json" }
  ])
)
