/** `effx init [DIR]`: writes a small working project and says how to go on. Never touches a file that exists. */
import { Data, Effect, FileSystem, Option, Path } from "effect"
import { Argument, Command } from "effect/cli"
import { ExitCode } from "../exit-code.ts"
import { textArgument } from "../given.ts"
import { toHandler } from "../handler.ts"
import * as host from "../host.ts"
import { npmArchives } from "../installation.ts"
import { Output } from "../output.ts"
import { template } from "../template/index.ts"
import { workingDirectory } from "../working-directory.ts"

interface Input {
  readonly dir: Option.Option<string>
}

class Refusal extends Data.TaggedError("Refusal")<{ readonly message: string }> {}

/** A name that npm accepts, from the folder's. */
const packageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, "-")
    .replace(/^[._~-]+|-+$/g, "") || "app"

const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** How the reader calls this program: `effx` where PATH leads to it, else its path. */
const programName = (): string => {
  const launcher = host.environment("EFFX_LAUNCHER")
  if (launcher === undefined || host.executableOnPath("effx") === launcher) return "effx"
  return quoted(launcher)
}

const write = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const source = yield* npmArchives
  const archives = (yield* fs.readDirectory(source)).filter((name) => name.endsWith(".tgz")).sort()
  const files = template(packageName(path.basename(folder)), archives).map(({ path: file, text }) => ({
    file,
    bytes: Effect.succeed(new TextEncoder().encode(text))
  }))
  const vendored = archives.map((name) => ({ file: `vendor/${name}`, bytes: fs.readFile(path.join(source, name)) }))
  const all = [...files, ...vendored]
  const folders = new Set([folder, ...all.map(({ file }) => path.dirname(path.join(folder, file)))])
  for (const wanted of folders) {
    const info = Option.getOrUndefined(yield* Effect.option(fs.stat(wanted)))
    if (info !== undefined && info.type !== "Directory") {
      return yield* new Refusal({ message: `init needs a folder, and ${wanted} is none` })
    }
  }
  const existing = yield* Effect.filter(all, ({ file }) =>
    Effect.map(Effect.option(fs.readLink(path.join(folder, file))), Option.isSome).pipe(
      Effect.flatMap((link) => (link ? Effect.succeed(true) : fs.exists(path.join(folder, file))))
    )
  )
  if (existing.length > 0) {
    const names = existing.map(({ file }) => file).join(", ")
    return yield* new Refusal({ message: `init overwrites nothing, and ${folder} already has ${names}` })
  }
  for (const { bytes, file } of all) {
    const target = path.join(folder, file)
    yield* fs.makeDirectory(path.dirname(target), { recursive: true })
    yield* fs.writeFile(target, yield* bytes, { flag: "wx" })
  }
  return all.map(({ file }) => file)
})

const run = Effect.fnUntraced(function* (input: Input) {
  const output = yield* Output
  const path = yield* Path.Path
  const cwd = yield* workingDirectory
  const dir = Option.getOrElse(input.dir, () => ".")
  const folder = path.resolve(cwd, dir)
  return yield* write(folder).pipe(
    Effect.flatMap((files) => {
      const effx = programName()
      const steps = [
        ...(folder === cwd ? [] : [`cd ${quoted(dir)}`]),
        "npm install",
        `${effx} check`,
        `${effx} build`,
        "npm start"
      ]
      return output.out(
        [
          `Wrote to ${dir}:`,
          ...files.map((file) => `  ${file}`),
          "",
          "Next (Effect and TypeScript come from your npm registry; npm start serves http://localhost:3000/notes):",
          ...steps.map((step) => `  ${step}`),
          ""
        ].join("\n")
      )
    }),
    Effect.as(ExitCode.Done),
    Effect.catchTag("Refusal", ({ message }) => Effect.as(output.err(`effx: ${message}`), ExitCode.Findings)),
    Effect.catchTag("PlatformError", (error) =>
      Effect.as(output.err(`effx: cannot write the project to ${folder}: ${error.reason._tag}`), ExitCode.Fault)
    )
  )
})

export const init = Command.make(
  "init",
  {
    dir: textArgument("dir", "a folder").pipe(
      Argument.withDescription("The folder to write to; the working directory unless given"),
      Argument.optional
    )
  },
  toHandler(run)
).pipe(
  Command.withDescription("Write a small working project; existing files are never overwritten"),
  Command.withExamples([{ command: "effx init demo" }])
)
