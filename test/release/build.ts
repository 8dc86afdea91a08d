/** Builds releases from copies of the repository's source, as another person on another machine would. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { releaseName, root } from "../../release/root.ts"

/** What every build here is told of its commit; the copies have no repository. */
export const COMMIT = {
  EFFX_COMMIT: "0123456789abcdef0123456789abcdef01234567",
  EFFX_TREE: "89abcdef0123456789abcdef0123456789abcdef",
  EFFX_MODIFIED: "0",
  SOURCE_DATE_EPOCH: "1796000000"
} as const

const succeed = (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = process.env): string => {
  const ended = spawnSync(command, args, { cwd: root, env, encoding: "utf8", maxBuffer: 1 << 26 })
  if (ended.status !== 0) throw new Error(`${command} ${args.join(" ")}\n${ended.stdout}${ended.stderr}`)
  return ended.stdout
}

/** The files of the work tree that belong to the repository. */
const repositoryFiles = (): ReadonlyArray<string> =>
  succeed("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    .split("\0")
    .filter((path) => path !== "" && lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined)
    .filter((path) => !/^(test|fixtures)\//.test(path))

export interface Source {
  readonly folder: string
  /** Of every file. */
  readonly paths: ReadonlyArray<string>
}

/** A copy of a source, with the dependencies of the repository, made in the order of its paths. */
export const copySource = ({ folder, paths }: Source, to: string): Source => {
  for (const path of paths) {
    const [from, target] = [join(folder, path), join(to, path)]
    mkdirSync(dirname(target), { recursive: true })
    if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), target)
    else cpSync(from, target)
  }
  succeed("bash", [join(to, "release/link-node-modules.sh"), root, to])
  symlinkSync(join(root, "tools/bun/node_modules"), join(to, "tools/bun/node_modules"))
  return { folder: to, paths }
}

/** The work tree as it is now. */
export const workTree = (): Source => ({ folder: root, paths: repositoryFiles().toSorted() })

export interface Built {
  readonly tree: string
  readonly tar: string
  readonly sha256: string
}

export interface BuildOptions {
  /** A line of shell before the build, such as `umask 077`. */
  readonly before?: string
  /** A command that runs the build, such as `taskset -c 0`. */
  readonly through?: string
  /** `undefined` takes a variable out. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Assembles and packs a copy; what comes out is below `out`. */
export const build = ({ folder: copy }: Source, out: string, options: BuildOptions = {}): Built => {
  const tree = join(out, releaseName)
  const line = [
    options.before ?? ":",
    'cd "$copy"',
    `${options.through ?? ""} "$bun" --no-env-file release/assemble.ts "$tree"`,
    `${options.through ?? ""} "$bun" --no-env-file release/pack.ts "$tree" "$out" --tar`
  ].join(" && ")
  const given = { ...process.env, ...COMMIT, ...options.env, bun: process.execPath, copy, tree, out }
  const env = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  succeed("/bin/sh", ["-c", line], env)
  const tar = `${tree}.tar`
  return { tree, tar, sha256: createHash("sha256").update(readFileSync(tar)).digest("hex") }
}

const factsOf = (tree: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(tree, { recursive: true, encoding: "utf8" })
      .sort()
      .map((path) => {
        const status = statSync(join(tree, path))
        if (status.isDirectory()) return [path, "a folder"]
        const hash = createHash("sha256")
          .update(readFileSync(join(tree, path)))
          .digest("hex")
        return [path, `mode ${(status.mode & 0o777).toString(8)}, ${status.size} bytes, SHA-256 ${hash.slice(0, 16)}`]
      })
  )

/** What differs between two builds, a line for each entry; empty when their archives are equal. */
export const differences = (one: Built, other: Built): ReadonlyArray<string> => {
  if (one.sha256 === other.sha256) return []
  const [a, b] = [factsOf(one.tree), factsOf(other.tree)]
  const paths = Array.from(new Set([...a.keys(), ...b.keys()])).sort()
  const lines = paths
    .filter((path) => a.get(path) !== b.get(path))
    .map((path) => `${path}: ${a.get(path) ?? "missing"} and ${b.get(path) ?? "missing"}`)
  return lines.length > 0 ? lines : ["the headers of the archives' entries"]
}
