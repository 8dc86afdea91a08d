import { defineDiagnostic } from "../define.ts"

const source = (query: string) => `import { Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String

export class Greetings {
${query}  @Http.Get("/greetings")
  @Http.Access({ exposure: "public" })
  static show() {
    return Effect.succeed("hello")
  }
}

export class Names {
  @Query({ name: "Names.First", success: Text })
  static first() {
    return Effect.succeed("Ada")
  }
}
`

export const EFFX1103 = defineDiagnostic<{
  /** The annotation that exposes, without the at sign. */
  readonly annotation: string
  /** The declaration that carries it. */
  readonly subject: string
}>({
  code: "EFFX1103",
  title: "Exposure of something that is not an operation",
  severity: "error",
  explanation: `An annotation that exposes an operation (\`@Http.…\`, \`@Rpc\`, \`@Cli\`) is on a declaration that is neither a query nor a
command.

Only an operation has an input, a success and errors, so nothing else can be served.

Add \`@Query\` or \`@Command\` to the declaration, or remove the exposure.`,
  examples: [
    {
      title: "A route on a plain method",
      before: source(""),
      after: source('  @Query({ name: "Greeting.Show", success: Text })\n')
    }
  ],
  message: ({ annotation, subject }) => `@${annotation} is on ${subject}, which is neither a query nor a command`,
  fix: ({ annotation, subject }) => `add @Query or @Command to ${subject}, or remove @${annotation}`
})
