import { defineDiagnostic } from "../define.ts"

const source = (route: string) => `import { Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  ${route}
  @Http.Access({ exposure: "public" })
  static show() {
    return Effect.succeed("hello")
  }
}
`

export const EFFX1107 = defineDiagnostic<{
  /** What TypeScript says, without a final full stop. */
  readonly problem: string
}>({
  code: "EFFX1107",
  title: "Source that is not well-formed",
  severity: "error",
  explanation: `A source file of the project has a syntax error, so what it declares cannot be read with certainty.

effx reports the first syntax error of a file and nothing else about that file, because whatever it would say about the rest
would follow from a guess.

Correct the syntax. \`tsc --noEmit\` lists every syntax error of the project.`,
  examples: [
    {
      title: "A parenthesis is missing",
      before: source('@Http.Get("/greeting"'),
      after: source('@Http.Get("/greeting")')
    }
  ],
  message: ({ problem }) => `This file is not well-formed TypeScript: ${problem}`,
  fix: () => "correct the syntax of the file"
})
