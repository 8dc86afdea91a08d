import { defineDiagnostic } from "../define.ts"

const source = (name: string) => `import { Query, Rpc } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  @Rpc("greet")
  static show() {
    return Effect.succeed("hello")
  }

  @Query({ name: "Greeting.Shout", success: Text })
  @Rpc("${name}")
  static shout() {
    return Effect.succeed("HELLO")
  }
}
`

export const EFFX2501 = defineDiagnostic<{
  readonly transport: "rpc" | "cli"
  /** The RPC name, or the command's words with spaces. */
  readonly name: string
  readonly operation: string
  readonly other: string
}>({
  code: "EFFX2501",
  title: "Two exposures claim one name",
  severity: "error",
  explanation: `Two operations are exposed under one RPC name or under one CLI command. A command is also taken when it is the beginning of
another one: \`users\` cannot both run and lead to \`users get\`.

A call could not be told apart from the other.

Rename one of the two exposures.`,
  examples: [{ title: "Two remote procedures of one name", before: source("greet"), after: source("shout") }],
  message: ({ name, operation, other, transport }) =>
    `${operation} and ${other} both claim the ${transport === "rpc" ? "RPC name" : "command"} ${name}`,
  fix: ({ transport }) => `give one of them another ${transport === "rpc" ? "RPC name" : "command"}`
})
