/** The working directory, from which every path of the command line resolves. */
import { Misuse } from "@effx/session"
import { Effect } from "effect"
import * as host from "./host.ts"

export const workingDirectory = Effect.suspend(() => {
  const cwd = host.workingDirectory()
  return cwd === undefined
    ? Effect.fail(new Misuse({ message: "the working directory no longer exists or cannot be entered" }))
    : Effect.succeed(cwd)
})
