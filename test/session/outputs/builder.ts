/**
 * A process that writes outputs, for tests of what happens between processes. Arguments: mode, the project's folder, a number
 * and, optionally, the user that it becomes before it touches the folder.
 *
 * - `once N`: commits version N and prints what it did, or the tag and the message of the failure.
 * - `forever N`: commits version N, N + 1, … until it is killed; prints `ready` before the first one.
 * - `hold`: takes custody, prints `held` and keeps it until standard input ends.
 * - `contend`: takes custody once and proves to be alone in it; prints `alone`, `busy` or `together`.
 */
import { open, rm } from "node:fs/promises"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit } from "effect"
// The module itself, not its package: this process must start fast.
import { takeCustody } from "../../../src/session/outputs/custody.ts"
import { settingsFor, version } from "./versions.ts"

const [mode, folder = "", number = "0", user] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)

if (user !== undefined) {
  process.setgid?.(Number(user))
  process.setuid?.(Number(user))
}

const program = Effect.gen(function* () {
  const { commit } = yield* takeCustody(settingsFor(folder))
  switch (mode) {
    case "once":
      return say(JSON.stringify(yield* commit(version(Number(number)), { overwrite: false })))
    case "forever": {
      say("ready")
      for (let n = Number(number); n < Number.MAX_SAFE_INTEGER; n++) yield* commit(version(n), { overwrite: false })
      return
    }
    case "hold":
      say("held")
      yield* Effect.promise(() => new Promise((resolve) => process.stdin.on("end", resolve).resume()))
      return
    default: {
      const inside = `${folder}/inside`
      yield* Effect.promise(async () => {
        const handle = await open(inside, "wx").catch(() => undefined)
        say(handle === undefined ? "together" : "alone")
        await handle?.close()
        await rm(inside, { force: true })
      })
      return
    }
  }
}).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const exit = await Effect.runPromiseExit(program)
if (Exit.isFailure(exit)) {
  const error = Cause.squash(exit.cause) as { readonly _tag?: string; readonly message: string }
  say(mode === "contend" && error._tag === "OutputBusy" ? "busy" : `${error._tag}: ${error.message}`)
  process.exit(1)
}
process.exit(0)
