/**
 * The flake on this machine: a commit of its own of the repository's present files, with a store, a state and a configuration below one
 * temporary folder, so that no test needs or changes the machine's. nixpkgs is nix/host.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

const root = join(import.meta.dirname, "../..")

const TOOLS = ["nix", "git", "npm", "gcc", "patchelf", "xz"] as const

const isInstalled = (tool: string): boolean =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, tool)))

/** What these tests need and this machine lacks. */
export const missing: ReadonlyArray<string> = TOOLS.filter((tool) => !isInstalled(tool))

/** For the names of tests that are skipped for want of a tool. */
export const need = missing.length === 0 ? "" : ` (skipped: this machine lacks ${missing.join(", ")})`

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Workbench {
  /** The repository's copy. */
  readonly clone: string
  /** A folder for whatever a test makes. */
  readonly scratch: string
  /** `command` is what follows `nix`, such as `flake check`. */
  readonly nix: (command: string, ...args: ReadonlyArray<string>) => Ended
  /** The output path of one built installable; a failed build throws what Nix says. */
  readonly build: (installable: string) => string
  readonly run: (command: string, args: ReadonlyArray<string>, cwd?: string) => Ended
  /** The environment of all of these. */
  readonly environment: NodeJS.ProcessEnv
  readonly remove: () => void
}

const CONFIGURATION = (folder: string): string => `sandbox = false
build-users-group =
substituters =
experimental-features = nix-command flakes
flake-registry = ${folder}/registry.json
warn-dirty = false
`

/** Flags that put nix/host in the place of nixpkgs. */
export const HOST = ["--override-input", "nixpkgs", "path:./nix/host", "--no-write-lock-file"] as const

/** The output path in what `nix build --json` prints. */
export const builtPath = (json: string): string => JSON.parse(json)[0].outputs.out

/** No variable of the caller's Nix or git reaches the tests. */
const surroundings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NIX_(?!SSL)|GIT_(?!SSL)|XDG_)/.test(name)))

export const workbench = (): Workbench => {
  const folder = mkdtempSync(join(tmpdir(), "effx-nix-"))
  const clone = join(folder, "repository")
  const scratch = join(folder, "scratch")
  const configuration = join(folder, "configuration")
  for (const path of [clone, scratch, configuration]) mkdirSync(path)
  writeFileSync(join(configuration, "nix.conf"), CONFIGURATION(configuration))
  writeFileSync(join(configuration, "registry.json"), JSON.stringify({ version: 2, flakes: [] }))

  const environment: NodeJS.ProcessEnv = {
    ...surroundings(),
    HOME: scratch,
    GIT_AUTHOR_DATE: "2026-01-02T03:04:05Z",
    GIT_COMMITTER_DATE: "2026-01-02T03:04:05Z",
    NIX_CONF_DIR: configuration,
    NIX_LOG_DIR: join(folder, "log"),
    NIX_REMOTE: "local",
    NIX_STATE_DIR: join(folder, "state"),
    NIX_STORE_DIR: join(folder, "store"),
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_CONFIG_HOME: join(folder, "xdg")
  }

  const run = (command: string, args: ReadonlyArray<string>, cwd = clone): Ended =>
    spawnSync(command, args, { cwd, encoding: "utf8", env: environment, maxBuffer: 64 * 1024 * 1024 })

  const must = (command: string, args: ReadonlyArray<string>, cwd = clone): string => {
    const ended = run(command, args, cwd)
    if (ended.status === 0) return ended.stdout
    throw new Error(`${command} ${args.join(" ")} ended with ${ended.status}\n${ended.stdout}${ended.stderr}`)
  }

  const remove = (): void => {
    // What is in a store is read-only.
    spawnSync("chmod", ["-R", "u+w", folder])
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    must(
      "bash",
      [
        "-c",
        `git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read | tar -x -C "$0"`,
        clone
      ],
      root
    )
    must("git", ["init", "-q"])
    must("git", ["add", "-A"])
    must("git", ["-c", "user.name=effx", "-c", "user.email=effx@localhost", "commit", "-q", "-m", "What is tested"])
  } catch (cause) {
    remove()
    throw cause
  }

  return {
    clone,
    scratch,
    environment,
    run,
    nix: (command, ...args) => run("nix", [...command.split(" "), ...HOST, ...args]),
    build: (installable) =>
      builtPath(must("nix", ["build", ...HOST, "--no-link", "--json", "--print-build-logs", installable])),
    remove
  }
}
