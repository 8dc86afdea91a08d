/** `effx check`: diagnoses the selected project and writes nothing. */

import { Effect } from "effect"
import { Command } from "effect/cli"
import { compileProject, findingsOf } from "../compiling.ts"
import { reportingFlags, type SelectionFlags, selectionFlags } from "../flags.ts"
import { toHandler } from "../handler.ts"
import { type ReportingFlags, report } from "../reporting.ts"

const run = Effect.fnUntraced(function* (flags: SelectionFlags & ReportingFlags) {
  return yield* report(findingsOf(yield* compileProject(flags, { generate: false })), flags)
})

export const check = Command.make("check", { ...selectionFlags, ...reportingFlags }, toHandler(run)).pipe(
  Command.withDescription("Check every declaration against its handler; write nothing"),
  Command.withExamples([
    { command: "effx check" },
    { command: "effx check --project packages/api --deny-warnings" },
    { command: "effx check --format sarif > effx.sarif", description: "for code scanning" }
  ])
)
