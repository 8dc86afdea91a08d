/** What `effx --version` says: the program, the commit that it was made from, and what it consists of. */
export { EFFX_VERSION as VERSION } from "@effx/session"

import { ENGINE_VERSION } from "@effx/frontend-ts"
import { Effect } from "effect"
import effect from "effect/package.json" with { type: "json" }
import { git } from "./git.ts"
import * as host from "./host.ts"

/** Both are written into the packed program; from source nobody defines them. */
declare const EFFX_COMMIT: string | undefined
declare const EFFX_MODIFIED: boolean | undefined

interface Source {
  readonly commit: string
  /** Whether the files differ from the commit's. */
  readonly modified: boolean
}

const fromRepository = Effect.gen(function* () {
  const top = host.topFolder
  const head = yield* git(top, ["rev-parse", "--verify", "--quiet", "HEAD"])
  const changes = yield* git(top, ["diff", "--quiet", "HEAD"])
  return head.code === 0 ? { commit: head.stdout.trim(), modified: changes.code !== 0 } : undefined
}).pipe(Effect.catchTag("Misuse", () => Effect.succeed(undefined)))

const source =
  typeof EFFX_COMMIT === "undefined"
    ? fromRepository
    : Effect.succeed<Source>({ commit: EFFX_COMMIT, modified: EFFX_MODIFIED === true })

/** A name and a version on each line after the program's own version, without a line break at the end. */
export const components = Effect.map(source, (made) =>
  [
    `commit ${made === undefined ? "unknown" : `${made.commit}${made.modified ? " (modified)" : ""}`}`,
    `bun ${host.runtimeVersion}`,
    `typescript ${ENGINE_VERSION}`,
    `effect ${effect.version}`
  ].join("\n")
)
