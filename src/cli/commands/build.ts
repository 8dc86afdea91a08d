/** `effx build`: checks, then writes the outputs. Where something fails, nothing is written. */
import {
  type Abandoned,
  commitOutputs,
  compareOutputs,
  displayPath,
  isBuildable,
  isSettled,
  type OutputConflict
} from "@effx/session"
import { Effect, Path } from "effect"
import { Command, Flag } from "effect/cli"
import { compileProject, findingsOf } from "../compiling.ts"
import { ExitCode } from "../exit-code.ts"
import { reportingFlags, type SelectionFlags, selectionFlags } from "../flags.ts"
import { toHandler } from "../handler.ts"
import { Output } from "../output.ts"
import { visible } from "../reporters/style.ts"
import { fails, isForPeople, type ReportingFlags, report } from "../reporting.ts"
import { workingDirectory } from "../working-directory.ts"

interface Input extends SelectionFlags, ReportingFlags {
  readonly check: boolean
  readonly overwrite: boolean
}

/** What happened, or would happen, to the output files. */
interface Changes {
  readonly written: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly unchanged: number
}

const listing = ({ removed, unchanged, written }: Changes, verbs: readonly [write: string, remove: string]): string => {
  const width = Math.max(...verbs.map((verb) => verb.length)) + 2
  const line = (verb: string) => (file: string) => `${verb.padEnd(width)}${visible(file)}\n`
  const rest = unchanged === 0 ? "" : `${unchanged} ${unchanged === 1 ? "file is" : "files are"} unchanged\n`
  return [...written.map(line(verbs[0])), ...removed.map(line(verbs[1])), rest].join("")
}

/** Names every file that is in the way. */
const refusal = Effect.fnUntraced(function* (
  conflicts: OutputConflict["conflicts"] | ReadonlyArray<OutputConflict["conflicts"][number]>,
  display: (file: string) => string
) {
  const output = yield* Output
  for (const { path, reason } of conflicts) yield* output.err(`effx: ${visible(display(path))} ${reason}`)
  return ExitCode.Findings
})

/** A folder outside the project is not ours to clean once the outDir is another one. */
const abandonedLine = ({ files }: Abandoned, folder: string): string =>
  visible(
    `effx: ${folder} was the outDir and lies outside the project, so effx leaves there what it generated: ${files.join(", ")}; delete it by hand`
  )

const run = Effect.fnUntraced(function* (input: Input) {
  const output = yield* Output
  const path = yield* Path.Path
  const cwd = yield* workingDirectory
  const result = yield* compileProject(input, { generate: true })
  const display = (file: string) => displayPath(path, cwd, path.join(result.root, file))
  const findings = findingsOf(result)
  if (!isBuildable(result) || fails(result.diagnostics, input.denyWarnings)) return yield* report(findings, input)
  const list = (changes: Changes, verbs: readonly [string, string]) =>
    isForPeople(input, output) ? output.out(listing(changes, verbs)) : Effect.void

  if (input.check) {
    const plan = yield* compareOutputs(result)
    const written = plan.writes.map((file) => display(file.path))
    yield* list({ written, removed: plan.removals.map(display), unchanged: 0 }, ["would write", "would remove"])
    const code = yield* report(findings, input)
    if (plan.conflicts.length > 0) return yield* refusal(plan.conflicts, display)
    if (isSettled(plan)) return code
    const differences = plan.writes.length + plan.removals.length
    const files = differences === 1 ? "one output file is" : `${differences} output files are`
    yield* output.err(`effx: ${files} not what a build would leave; run effx build`)
    return ExitCode.Findings
  }
  return yield* commitOutputs(result, { overwrite: input.overwrite }).pipe(
    Effect.tap(({ removed, unchanged, written }) =>
      list(
        {
          written: written.map((file) => display(file.path)),
          removed: removed.map(display),
          unchanged: unchanged.length
        },
        ["wrote", "removed"]
      )
    ),
    Effect.tap(({ abandoned }) =>
      abandoned === undefined
        ? Effect.void
        : output.err(abandonedLine(abandoned, displayPath(path, cwd, abandoned.folder)))
    ),
    Effect.andThen(report(findings, input)),
    Effect.catchTags({
      OutputConflict: ({ conflicts }) => refusal(conflicts, display),
      OutputBusy: ({ message }) => Effect.as(output.err(`effx: ${message}`), ExitCode.Findings)
    })
  )
})

export const build = Command.make(
  "build",
  {
    ...selectionFlags,
    ...reportingFlags,
    check: Flag.Boolean("check").pipe(
      Flag.withDescription("Write nothing; fail when the files on disk are not what would be written"),
      Flag.withDefault(false)
    ),
    overwrite: Flag.Boolean("overwrite").pipe(
      Flag.withDescription("Replace generated files that were edited by hand"),
      Flag.withDefault(false)
    )
  },
  toHandler(run)
).pipe(
  Command.withDescription("Check, then generate the HTTP API, RPC group, command line, client and OpenAPI document"),
  Command.withExamples([
    { command: "effx build" },
    { command: "effx build --check", description: "in continuous integration, where generated code is committed" }
  ])
)
