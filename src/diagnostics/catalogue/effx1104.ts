import { defineDiagnostic } from "../define.ts"

/** The form that was found; `name` is the declaration's name, as far as it has one. */
export type UnsupportedForm =
  | { readonly _tag: "InstanceMethod"; readonly name: string }
  | { readonly _tag: "PrivateMethod"; readonly name: string }
  | { readonly _tag: "Field"; readonly name: string }
  | { readonly _tag: "Accessor"; readonly name: string }
  /** A chain that does not end with `.handler(fn)`. */
  | { readonly _tag: "UnfinishedChain"; readonly name: string }
  /** Generated code has to import the declaration. */
  | { readonly _tag: "NotExported"; readonly name: string }
  | { readonly _tag: "ComputedName"; readonly name: string }
  /** Anything else; `problem` is a clause whose subject is the declaration: `is declared twice by @Query`. */
  | { readonly _tag: "Other"; readonly name: string; readonly problem: string }

const form = (params: UnsupportedForm): string => {
  switch (params._tag) {
    case "InstanceMethod":
      return "is an instance method, but only a static method can be an operation"
    case "PrivateMethod":
      return "is private, but generated code has to call it"
    case "Field":
      return "is a field, but only a static method can be an operation"
    case "Accessor":
      return "is an accessor, but only a static method can be an operation"
    case "UnfinishedChain":
      return "is a chain that does not end with .handler"
    case "NotExported":
      return "is not exported, but generated code has to import it"
    case "ComputedName":
      return "has a computed name, which is not known without running the program"
    case "Other":
      return params.problem
  }
}

const source = (modifier: string) => `import { Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String

export class Greetings {
  @Query({ name: "Greeting.Show", success: Text })
  ${modifier}show() {
    return Effect.succeed("hello")
  }
}
`

/** What to do about each form. */
const FIXES: Readonly<Record<UnsupportedForm["_tag"], string>> = {
  InstanceMethod: "make the method static",
  PrivateMethod: "make the method public",
  Field: "make it a static method, or use the builder",
  Accessor: "make it a static method",
  UnfinishedChain: "end the chain with .handler(...)",
  NotExported: "export it, so that generated code can import it",
  ComputedName: "give the method a plain name",
  Other: "write the declaration in one of the documented forms"
}

export const EFFX1104 = defineDiagnostic<UnsupportedForm>({
  code: "EFFX1104",
  title: "Unsupported form of declaration",
  severity: "error",
  explanation: `An operation is a static method with decorators in an exported class, or an exported constant whose builder chain ends with
\`.handler(fn)\`. A model is an exported class with \`@PersistentModel\`, or an exported constant made with
\`Model.persistent\`. This declaration has another form and is skipped.

Generated code has to import and call what you declare. It can do that with exactly these forms.

Make the method static and public, end the chain with \`.handler(fn)\`, or export the declaration.`,
  examples: [{ title: "An instance method", before: source(""), after: source("static ") }],
  message: (params) => `${params.name} ${form(params)}`,
  fix: (params) => FIXES[params._tag]
})
