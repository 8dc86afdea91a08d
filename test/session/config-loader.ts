/** A process of its own that evaluates configs, one after another, and prints what each of them gives. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { loadConfig } from "../../src/session/load-config.ts"

for (const file of process.argv.slice(2)) {
  const root = file.slice(0, file.lastIndexOf("/"))
  const line = await Effect.runPromise(
    loadConfig(file, root).pipe(
      Effect.match({
        onSuccess: ({ value }) => JSON.stringify(value),
        onFailure: ({ diagnostics: [{ location, message }] }) =>
          `${location === undefined ? "" : `${location.line}:${location.col} `}${message}`
      }),
      Effect.provide(NodeServices.layer)
    )
  )
  process.stdout.write(`${line}\n`)
}
