/**
 * The commit that a release is made from. Each fact comes from the environment when it is there (a build without a repository gives
 * all of them), else from git.
 *
 * | Variable | Fact |
 * |---|---|
 * | `EFFX_COMMIT` | the commit's name |
 * | `EFFX_TREE` | the Git tree of the files that are built |
 * | `EFFX_MODIFIED` | `1` when those are not the commit's |
 * | `SOURCE_DATE_EPOCH` | the commit's time in seconds |
 */
import { spawnSync } from "node:child_process"
import { fail } from "./fail.ts"
import { root } from "./root.ts"

export interface Commit {
  readonly revision: string
  readonly tree: string
  /** Whether the files differ from the commit's. */
  readonly modified: boolean
  /** Seconds since 1970. */
  readonly time: number
}

const output = (command: string, args: ReadonlyArray<string>): string | undefined => {
  const ended = spawnSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  return ended.status === 0 ? ended.stdout.trim() : undefined
}

const fact = (variable: string, pattern: RegExp, otherwise: () => string | undefined): string => {
  const value = process.env[variable] || otherwise()
  if (value === undefined) return fail(`there is no Git repository to ask; set ${variable}`)
  return pattern.test(value) ? value : fail(`${variable} must match ${pattern.source}, not ${JSON.stringify(value)}`)
}

const OBJECT = /^([0-9a-f]{40}|[0-9a-f]{64})$/

/** When the commit was made, which is the time of everything that is packed. */
export const commitTime = (): number =>
  Number(fact("SOURCE_DATE_EPOCH", /^\d{1,10}$/, () => output("git", ["log", "-1", "--format=%ct"])))

/** Everything about the commit; asks git only for what is not given. */
export const commit = (): Commit => {
  const revision = fact("EFFX_COMMIT", OBJECT, () => output("git", ["rev-parse", "HEAD"]))
  const tree = fact("EFFX_TREE", OBJECT, () => output("/bin/sh", ["release/source-tree.sh"]))
  const modified = fact("EFFX_MODIFIED", /^[01]$/, () => {
    const committed = output("git", ["rev-parse", `${revision}^{tree}`])
    return committed === undefined || committed === tree ? "0" : "1"
  })
  return { revision, tree, modified: modified === "1", time: commitTime() }
}
