import { defineDiagnostic } from "../define.ts"

/** How HTTP declarations contradict each other. */
export type HttpContradiction =
  /** Two operations answer one method and path, where the names of path parameters do not count. */
  | {
      readonly _tag: "SameRoute"
      readonly operation: string
      readonly other: string
      readonly method: string
      readonly path: string
    }
  /** A path parameter that the input schema does not have. */
  | {
      readonly _tag: "MissingParameter"
      readonly operation: string
      readonly parameter: string
      /** The input's export name; absent when the operation takes no input. */
      readonly input?: string
    }
  /** A path parameter that the input schema makes optional. */
  | { readonly _tag: "OptionalParameter"; readonly operation: string; readonly parameter: string }
  /** An annotation that may be given once only. */
  | { readonly _tag: "Repeated"; readonly operation: string; readonly annotation: string }
  /** An operation that answers on a second method or path; routes are a method and a path. */
  | { readonly _tag: "SecondRoute"; readonly operation: string; readonly route: string; readonly first: string }
  /** An HTTP annotation that needs an HTTP exposure. */
  | { readonly _tag: "NoRoute"; readonly operation: string; readonly annotation: string }
  /** A path that is not well formed; `problem` is a clause: `it does not begin with a slash`. */
  | { readonly _tag: "InvalidPath"; readonly operation: string; readonly path: string; readonly problem: string }
  /** The input cannot be split into path, query and payload; `problem` is a clause. */
  | { readonly _tag: "Input"; readonly operation: string; readonly problem: string }

const source = (path: string) => `import { Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Text = Schema.String
export const ShowGreeting = Schema.Struct({ language: Schema.String })

export class Greetings {
  @Query({ name: "Greeting.Show", input: ShowGreeting, success: Text })
  @Http.Get("${path}")
  @Http.Access({ exposure: "public" })
  static show(input: typeof ShowGreeting.Type) {
    return Effect.succeed(input.language === "fr" ? "salut" : "hello")
  }
}
`

/** What to do about each contradiction. */
const FIXES: Readonly<Record<HttpContradiction["_tag"], string>> = {
  SameRoute: "give one of them another method or path",
  MissingParameter: "name a field of the input in the path, or add the field to the input",
  OptionalParameter: "make the field required",
  Repeated: "keep one",
  SecondRoute: "keep one route, or declare a second operation",
  NoRoute: "add a route such as @Http.Get, or remove the annotation",
  InvalidPath: "write segments of plain text or one :name each, separated by slashes",
  Input: "make the input a struct or a class with fields"
}

export const EFFX2402 = defineDiagnostic<HttpContradiction>({
  code: "EFFX2402",
  title: "Contradictory HTTP declaration",
  severity: "error",
  explanation: `HTTP declarations contradict each other or the input schema. Two operations answer one method and path; a path parameter is
not a required field of the input; an annotation is given twice, or without a route; or a path is not well formed.

A server could not decide what to answer, or could not build the handler's input.

Change the path or the method, add the field to the input schema, or remove the second annotation. Path parameters are
written \`:name\` and match the input's fields by name. The names of parameters do not make two paths different.`,
  examples: [
    {
      title: "A path parameter with another name than the field",
      before: source("/greetings/:lang"),
      after: source("/greetings/:language")
    }
  ],
  message: (params) => {
    switch (params._tag) {
      case "SameRoute":
        return `${params.operation} and ${params.other} both answer ${params.method} ${params.path}`
      case "MissingParameter":
        return params.input === undefined
          ? `The path of ${params.operation} has the parameter ${params.parameter}, but the operation takes no input`
          : `The path of ${params.operation} has the parameter ${params.parameter}, which its input ${params.input} does not have`
      case "OptionalParameter":
        return `The path of ${params.operation} has the parameter ${params.parameter}, which its input makes optional`
      case "Repeated":
        return `${params.operation} gives @${params.annotation} more than once`
      case "SecondRoute":
        return `${params.operation} is exposed as ${params.route}, but it is already exposed as ${params.first}`
      case "NoRoute":
        return `${params.operation} gives @${params.annotation}, but it is not exposed over HTTP`
      case "InvalidPath":
        return `The path ${params.path} of ${params.operation} is not valid: ${params.problem}`
      case "Input":
        return `The input of ${params.operation} cannot be taken from an HTTP request: ${params.problem}`
    }
  },
  fix: (params) => FIXES[params._tag]
})
