import { defineDiagnostic } from "../define.ts"

const source = (imports: string, annotation: string) => `import { ${imports} } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
${annotation}  static show() {
    return Effect.succeed("hello")
  }
}
`

export const EFFX1101 = defineDiagnostic<{
  /** The annotation's name; for a custom one, the name that it gives. */
  readonly annotation: string
  /** The operation or model that carries it. */
  readonly subject: string
}>({
  code: "EFFX1101",
  title: "Annotation that nothing interprets",
  severity: "error",
  explanation: `A declaration carries an annotation for which no configured extension has an interpreter. Its name may be misspelt, or the
extension that understands it is missing from the configuration.

An annotation is a contract. One that nothing reads would be a promise that nobody keeps, so effx does not drop it
silently.

Correct the name, add the extension to \`extensions\` in \`effx.config.ts\`, or remove the annotation.`,
  examples: [
    {
      title: "A custom annotation without its extension",
      before: source("Annotate, Query", '  @Annotate("audit", "law")\n'),
      after: source("Query", "")
    }
  ],
  message: ({ annotation, subject }) =>
    `${subject} carries the annotation ${annotation}, which no extension interprets`,
  fix: ({ annotation }) => `configure the extension that interprets ${annotation}, or remove the annotation`
})
