/** What a release has below share/: manual page, completion scripts, documentation, licences. All of it is generated or copied. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { documentationTo } from "./documentation.ts"
import { fail } from "./fail.ts"
import { placeLicenses } from "./licenses.ts"
import { manPage } from "./man-page.ts"
import { root, version } from "./root.ts"

/** Where each shell looks below a prefix. */
const COMPLETIONS = {
  bash: "share/bash-completion/completions/effx",
  zsh: "share/zsh/site-functions/_effx",
  fish: "share/fish/vendor_completions.d/effx.fish"
} as const

/** What the program prints, run from source: an unfinished tree does not start. */
const printed = (...args: ReadonlyArray<string>): string => {
  const ended = spawnSync(
    process.execPath,
    [
      "--no-env-file",
      `--config=${join(root, "src/cli/bin/empty.toml")}`,
      "--no-install",
      join(root, "src/cli/main.ts"),
      ...args
    ],
    { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: { NO_COLOR: "1" } }
  )
  // The help of the language server is on standard error, which is its only one for people.
  if (ended.status === 0) return ended.stdout || ended.stderr
  process.stderr.write(ended.stderr)
  return fail(`effx ${args.join(" ")} failed; the lines above say why`)
}

const put = (tree: string, path: string, text: string): void => {
  const file = join(tree, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The names below SUBCOMMANDS. */
const commandNames = (help: string): ReadonlyArray<string> =>
  Array.from((help.split(/^SUBCOMMANDS$/m)[1] ?? "").matchAll(/^ {2}([a-z]+) {2,}/gm), ([, name = ""]) => name)

/** @param time of the manual page, in seconds since 1970 */
export const placeSharedFiles = (tree: string, time: number): void => {
  for (const [shell, path] of Object.entries(COMPLETIONS)) put(tree, path, printed("--completions", shell))
  const commands = commandNames(printed("--help"))
  if (commands.length === 0) fail("effx --help names no command")
  const page = manPage({
    version,
    time,
    markdown: readFileSync(join(root, "docs/cli.md"), "utf8"),
    commands: commands.map((name) => ({ name, help: printed(name, "--help") }))
  })
  put(tree, "share/man/man1/effx.1", page)
  documentationTo(join(tree, "share/doc/effx"))
  placeLicenses(tree)
}
