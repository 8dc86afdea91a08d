/** `effx graph [NAME]`: the application as a picture, or what one name reaches plus one step back. */
import { graphView, nameOfNode, narrow, renderDot, renderGraphJson, renderHtml, renderMermaid } from "@effx/compiler"
import { type GraphIndex, indexOf, type StableId } from "@effx/ir"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { compiledProject } from "../compiling.ts"
import { ExitCode } from "../exit-code.ts"
import { type SelectionFlags, selectionFlags } from "../flags.ts"
import { textArgument } from "../given.ts"
import { toHandler } from "../handler.ts"
import { Output } from "../output.ts"
import { visible } from "../reporters/style.ts"
import { didYouMean, nearNames } from "../suggestion.ts"

const FORMS = ["mermaid", "dot", "json", "html"] as const

interface Input extends SelectionFlags {
  readonly name: Option.Option<string>
  readonly as: (typeof FORMS)[number]
}

const run = Effect.fnUntraced(function* ({ as, name, ...flags }: Input) {
  const output = yield* Output
  const project = yield* compiledProject(flags)
  if (project === undefined) return ExitCode.Findings
  const { compiled, result } = project
  const whole = indexOf(compiled.ir)
  const part = Option.match(name, { onNone: () => Option.some(whole), onSome: (wanted) => narrow(whole, wanted) })
  if (Option.isNone(part)) {
    const wanted = Option.getOrElse(name, () => "")
    const names = whole.ir.nodes.filter(({ _tag }) => _tag !== "Extension").map(({ id }) => nameOfNode(whole, id))
    yield* output.err(
      `effx: nothing is named ${visible(wanted)}${didYouMean(nearNames(wanted, Array.from(new Set(names))))}`
    )
    return ExitCode.Findings
  }
  // Positions are relative to the project, so that the page does not depend on the working directory.
  const placeOf = (id: StableId) => {
    const location = compiled.sites[id]?.location
    return location && `${location.file}:${location.line}:${location.col}`
  }
  const render: Readonly<Record<Input["as"], (index: GraphIndex) => string>> = {
    mermaid: (index) => renderMermaid(graphView(index)),
    dot: (index) => renderDot(graphView(index)),
    json: (index) => renderGraphJson(graphView(index)),
    html: (index) => renderHtml(index, { title: result.settings?.api.title ?? "API", placeOf })
  }
  yield* output.out(render[as](part.value))
  return ExitCode.Done
})

export const graph = Command.make(
  "graph",
  {
    name: textArgument("name", "what to narrow to").pipe(
      Argument.withDescription("An operation, schema, service, … to narrow to what it reaches"),
      Argument.optional
    ),
    as: Flag.Literals("as", FORMS).pipe(
      Flag.withDescription("The form of the picture"),
      Flag.withDefault("mermaid" as const)
    ),
    ...selectionFlags
  },
  toHandler(run)
).pipe(
  Command.withDescription("Draw operations, schemas, services and exposures and how they hang together"),
  Command.withExamples([
    { command: "effx graph User.Get" },
    { command: "effx graph --as html > graph.html", description: "one self-contained, interactive page" }
  ])
)
