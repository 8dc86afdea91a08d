/**
 * `effx verify [DIR]`: whether an unpacked release, this one or another copy, is what was released. It runs on a damaged installation
 * too, since it is what says which files are damaged.
 */
import { type Problem, problemLine, type Verification, verifyInstallation } from "@effx/integrity"
import { Misuse } from "@effx/session"
import { Effect, Option, Path } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ExitCode, toHandlerAnywhere } from "../exit-code.ts"
import { textArgument } from "../given.ts"
import { Installed } from "../installed.ts"
import { Output } from "../output.ts"
import { visible } from "../reporters/style.ts"
import { workingDirectory } from "../working-directory.ts"

interface Input {
  readonly folder: string | undefined
  readonly format: "text" | "json"
}

/** The folder to verify: the given one, else the installation that runs. */
const target = Effect.fnUntraced(function* (folder: string | undefined) {
  if (folder !== undefined) return (yield* Path.Path).resolve(yield* workingDirectory, folder)
  const { top } = yield* Installed
  return (
    top ??
    (yield* new Misuse({ message: "effx runs from source, which has no manifest; name a folder: effx verify DIR" }))
  )
})

const run = Effect.fnUntraced(function* ({ folder, format }: Input) {
  const output = yield* Output
  const top = yield* target(folder)
  const verification = verifyInstallation(top)
  if (verification === undefined) return yield* new Misuse({ message: `${visible(top)} does not exist` })
  yield* output.out(format === "json" ? json(verification) : text(verification))
  return verification.problems.length === 0 ? ExitCode.Done : ExitCode.Findings
})

const line = (problem: Problem): string => `${visible(problemLine(problem))}\n`

const text = ({ bytes, files, manifest, problems, top }: Verification): string => {
  const of = manifest === undefined ? "" : ` of effx ${manifest.version}, commit ${manifest.source.revision}`
  return problems.length === 0
    ? `${visible(top)}: ${files} files, ${bytes} bytes, all as released${visible(of)}\n`
    : `${problems.map(line).join("")}${visible(top)}: ${counted(problems.length)}${visible(of)}; unpack the release archive again\n`
}

const counted = (count: number): string => (count === 1 ? "1 problem" : `${count} problems`)

const json = ({ bytes, files, manifest, problems, top }: Verification): string =>
  `${JSON.stringify({
    schema: "effx.verify.v1",
    ok: problems.length === 0,
    top,
    ...(manifest !== undefined && { version: manifest.version, revision: manifest.source.revision }),
    files,
    bytes,
    problems
  })}\n`

export const verify = Command.make(
  "verify",
  {
    folder: textArgument("dir", "a folder").pipe(
      Argument.withDescription("An unpacked release; this installation unless given"),
      Argument.optional,
      Argument.map(Option.getOrUndefined)
    ),
    format: Flag.Literals("format", ["text", "json"]).pipe(
      Flag.withDescription("The form of the output"),
      Flag.withDefault("text" as const)
    )
  },
  toHandlerAnywhere(run)
).pipe(
  Command.withDescription("Verify an installation: every file against the manifest of its release"),
  Command.withExamples([
    { command: "effx verify" },
    { command: "effx verify ../other/effx-0.1.0-x86_64-linux-gnu", description: "proves also what runs first there" }
  ])
)
