/**
 * `effx verify [PATH]`: whether an unpacked release, this one or another copy, is what was released; with `--provenance` and `--sbom`
 * also whether a release, packed or not, is the one that they speak of. It runs on a damaged installation too, since it is what says
 * which files are damaged.
 */
import {
  type Problem,
  problemLine,
  type ReleaseVerification,
  type Verification,
  verifyInstallation,
  verifyRelease
} from "@effx/integrity"
import { Misuse } from "@effx/session"
import { Effect, FileSystem, Option, Path } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ExitCode } from "../exit-code.ts"
import { textArgument, textFlag } from "../given.ts"
import { toHandlerAnywhere } from "../handler.ts"
import { Installed } from "../installed.ts"
import { Output } from "../output.ts"
import { visible } from "../reporters/style.ts"
import { workingDirectory } from "../working-directory.ts"

interface Input {
  readonly path: string | undefined
  readonly provenance: string | undefined
  readonly sbom: string | undefined
  readonly key: string | undefined
  readonly unsigned: boolean
  readonly format: "text" | "json"
}

const resolved = Effect.fnUntraced(function* (path: string) {
  return (yield* Path.Path).resolve(yield* workingDirectory, path)
})

/** What to verify: the given path, else the installation that runs. */
const target = Effect.fnUntraced(function* (path: string | undefined) {
  if (path !== undefined) return yield* resolved(path)
  const { top } = yield* Installed
  return (
    top ??
    (yield* new Misuse({ message: "effx runs from source, which has no manifest; name a folder: effx verify DIR" }))
  )
})

const misuse = (message: string) => new Misuse({ message })

const run = Effect.fnUntraced(function* (input: Input) {
  const { format, key, provenance, sbom, unsigned } = input
  const output = yield* Output
  const fileSystem = yield* FileSystem.FileSystem
  const path = yield* target(input.path)
  if (key !== undefined && unsigned) return yield* misuse("--key and --unsigned exclude each other")
  if (provenance === undefined || sbom === undefined) {
    if (provenance !== undefined || sbom !== undefined || key !== undefined || unsigned) {
      return yield* misuse("a release is proved by --provenance FILE and --sbom FILE together")
    }
    const isFile = yield* Effect.match(fileSystem.stat(path), {
      onFailure: () => false,
      onSuccess: ({ type }) => type !== "Directory"
    })
    if (isFile) {
      return yield* misuse(
        `${visible(path)} is no folder; an archive is proved by the files beside it: effx verify ARCHIVE --provenance FILE --sbom FILE [--key PUBKEY | --unsigned]`
      )
    }
    const verification = verifyInstallation(path)
    if (verification === undefined) return yield* misuse(`${visible(path)} does not exist`)
    yield* output.out(format === "json" ? json(verification) : text(verification))
    return verification.problems.length === 0 ? ExitCode.Done : ExitCode.Findings
  }
  const verification = yield* verifyRelease({
    release: path,
    provenance: yield* resolved(provenance),
    sbom: yield* resolved(sbom),
    trust: unsigned ? "unsigned" : key === undefined ? "none" : { key: yield* resolved(key) }
  })
  yield* output.out(format === "json" ? releaseJson(path, verification) : releaseText(path, verification))
  return verification.refusals.length === 0 ? ExitCode.Done : ExitCode.Findings
})

const line = (problem: Problem): string => `${visible(problemLine(problem))}\n`

const named = (manifest: Verification["manifest"]): string =>
  manifest === undefined ? "" : ` of effx ${manifest.version}, commit ${manifest.source.revision}`

const text = ({ bytes, files, manifest, problems, top }: Verification): string =>
  problems.length === 0
    ? `${visible(top)}: ${files} files, ${bytes} bytes, all as released${visible(named(manifest))}\n`
    : `${problems.map(line).join("")}${visible(top)}: ${counted(problems.length)}${visible(named(manifest))}; unpack the release archive again\n`

const counted = (count: number): string => (count === 1 ? "1 problem" : `${count} problems`)

const releaseText = (path: string, { bytes, files, keyId, manifest, refusals }: ReleaseVerification): string => {
  if (refusals.length > 0) {
    return `${refusals.map((refusal) => `${refusal.cause}  ${line(refusal)}`).join("")}${visible(path)}: refused, ${counted(refusals.length)}${visible(named(manifest))}\n`
  }
  const by =
    keyId === undefined
      ? "not signed: this proves that the files belong together, not who made them"
      : `signed by the key ${keyId}`
  return `${visible(path)}: ${files} files, ${bytes} bytes, all as released${visible(named(manifest))}\n${by}\n`
}

const identity = (manifest: Verification["manifest"]) =>
  manifest === undefined ? {} : { version: manifest.version, revision: manifest.source.revision }

const json = ({ bytes, files, manifest, problems, top }: Verification): string =>
  `${JSON.stringify({
    schema: "effx.verify.v1",
    ok: problems.length === 0,
    top,
    ...identity(manifest),
    files,
    bytes,
    problems
  })}\n`

const releaseJson = (path: string, { builder, bytes, files, keyId, manifest, refusals }: ReleaseVerification): string =>
  `${JSON.stringify({
    schema: "effx.verify.v1",
    ok: refusals.length === 0,
    top: path,
    ...identity(manifest),
    files,
    bytes,
    problems: refusals,
    provenance: { signed: keyId !== undefined, keyId, builder }
  })}\n`

const evidence = (name: string, metavar: string, description: string): Flag.Flag<string | undefined> =>
  textFlag(name, metavar).pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))

export const verify = Command.make(
  "verify",
  {
    path: textArgument("path", "a folder or an archive").pipe(
      Argument.withDescription("An unpacked release, or the archive of one; this installation unless given"),
      Argument.optional,
      Argument.map(Option.getOrUndefined)
    ),
    provenance: evidence("provenance", "FILE", "The release's provenance"),
    sbom: evidence("sbom", "FILE", "The release's SBOM"),
    key: evidence("key", "PUBKEY", "The releaser's Ed25519 public key as PEM, which must have signed the provenance"),
    unsigned: Flag.Boolean("unsigned").pipe(
      Flag.withDescription("Accept a provenance that nobody signed"),
      Flag.withDefault(false)
    ),
    format: Flag.Literals("format", ["text", "json"]).pipe(
      Flag.withDescription("The form of the output"),
      Flag.withDefault("text" as const)
    )
  },
  toHandlerAnywhere(run)
).pipe(
  Command.withDescription("Verify a release: every file against its manifest, and both against provenance and SBOM"),
  Command.withExamples([
    { command: "effx verify" },
    { command: "effx verify ../other/effx-0.1.0-x86_64-linux-gnu", description: "proves also what runs first there" },
    {
      command:
        "effx verify effx-0.1.0-x86_64-linux-gnu.tar.xz --provenance effx-0.1.0-x86_64-linux-gnu.provenance.json --sbom effx-0.1.0-x86_64-linux-gnu.cdx.json --key releaser.pem",
      description: "proves an archive before it is unpacked"
    }
  ])
)
