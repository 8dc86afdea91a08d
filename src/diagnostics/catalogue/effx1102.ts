import { defineDiagnostic } from "../define.ts"

/** What is wrong with an argument. */
export type ArgumentProblem =
  /** The value cannot be read without running the program. `expression` is source text on one line, shortened. */
  | { readonly _tag: "NotStatic"; readonly expression: string }
  /** The value is read, but it is not what the annotation takes; both are noun phrases. */
  | { readonly _tag: "Unexpected"; readonly expected: string; readonly actual: string }
  /** Any other rule of the annotation; `problem` is a verb phrase: `lists the code not-found twice`. */
  | { readonly _tag: "Malformed"; readonly problem: string }

/** `Schema.Array(User)`, `User.pipe(…)`: something built on the spot from an exported name. */
const isConstruction = (params: { readonly annotation: string } & ArgumentProblem): boolean =>
  params._tag === "NotStatic" &&
  ["Query", "Command", "Errors"].includes(params.annotation) &&
  /^(\w+\.)*[A-Z]\w*(\.\w+)+\(/.test(params.expression)

const source = (path: string) => `import { Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String
const PATH = ${path}

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  @Http.Get(PATH)
  @Http.Access({ exposure: "public" })
  static show() {
    return Effect.succeed("hello")
  }
}
`

export const EFFX1102 = defineDiagnostic<{ readonly annotation: string } & ArgumentProblem>({
  code: "EFFX1102",
  title: "Annotation argument that cannot be used",
  severity: "error",
  explanation: `An argument of an annotation is malformed, or its value cannot be read from source. effx never runs your program, so every
argument must be one of these: a literal, an object or array of them, a constant that is initialised with one, an exported
schema, an exported service, or a capability made with \`Capability.make\`. They may be imported, renamed, re-exported or
qualified by a namespace.

A value that exists only at run time cannot take part in a contract that is checked before.

Write the value where it can be read: a literal, a \`const\` with a literal, or an exported schema or service.`,
  examples: [
    {
      title: "A path that is computed",
      before: source('["", "greetings"].join("/")'),
      after: source('"/greetings"')
    }
  ],
  message: (params) => {
    switch (params._tag) {
      case "NotStatic":
        if (isConstruction(params)) {
          return `@${params.annotation} cannot use ${params.expression} in place, because generated code imports it by name`
        }
        return `@${params.annotation} cannot use ${params.expression}, because its value is not known without running the program`
      case "Unexpected":
        return `@${params.annotation} expects ${params.expected}, but it is given ${params.actual}`
      case "Malformed":
        return `@${params.annotation} ${params.problem}`
    }
  },
  fix: (params) => {
    if (isConstruction(params)) return "make it an exported const, and give the name of that const here"
    return params._tag === "NotStatic"
      ? "use a literal, an exported const or an exported class"
      : "correct the argument"
  }
})
