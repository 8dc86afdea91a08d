/** `effx inspect NAME`: one operation as it was understood. */
import { operationCard } from "@effx/compiler"
import { indexOf } from "@effx/ir"
import { displayPath } from "@effx/session"
import { Effect, Path } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { compiledProject } from "../compiling.ts"
import { ExitCode } from "../exit-code.ts"
import { type SelectionFlags, selectionFlags } from "../flags.ts"
import { textArgument } from "../given.ts"
import { toHandler } from "../handler.ts"
import { renderCard } from "../operation-card.ts"
import { Output } from "../output.ts"
import { visible } from "../reporters/style.ts"
import { style } from "../reporting.ts"
import { didYouMean, nearNames } from "../suggestion.ts"
import { workingDirectory } from "../working-directory.ts"

interface Input extends SelectionFlags {
  readonly name: string
  readonly format: "text" | "json"
}

const run = Effect.fnUntraced(function* ({ format, name, ...flags }: Input) {
  const output = yield* Output
  const path = yield* Path.Path
  const project = yield* compiledProject(flags)
  if (project === undefined) return ExitCode.Findings
  const { ir, sites } = project.compiled
  const index = indexOf(ir)
  const operations = index.tagged("Operation")
  const operation = operations.find((node) => node.name === name)
  if (operation === undefined) {
    const near = nearNames(
      name,
      operations.map((node) => node.name)
    )
    yield* output.err(`effx: there is no operation ${visible(name)}${didYouMean(near)}`)
    return ExitCode.Findings
  }
  const card = operationCard(index, operation)
  const location = sites[operation.id]?.location
  if (format === "json") {
    yield* output.out(`${JSON.stringify({ schema: "effx.inspect.v1", ...card, ...location })}\n`)
    return ExitCode.Done
  }
  const cwd = yield* workingDirectory
  const place =
    location &&
    `${displayPath(path, cwd, path.join(project.result.root, location.file))}:${location.line}:${location.col}`
  yield* output.out(renderCard(card, place, yield* style))
  return ExitCode.Done
})

export const inspect = Command.make(
  "inspect",
  {
    name: textArgument("name", "an operation, such as User.Get").pipe(
      Argument.withDescription("An operation, such as User.Get")
    ),
    format: Flag.Literals("format", ["text", "json"]).pipe(
      Flag.withDescription("The form of the output"),
      Flag.withDefault("text" as const)
    ),
    ...selectionFlags
  },
  toHandler(run)
).pipe(
  Command.withDescription("Show one operation: kind, contract, errors, requirements, authority and exposures"),
  Command.withExamples([{ command: "effx inspect User.Get" }])
)
