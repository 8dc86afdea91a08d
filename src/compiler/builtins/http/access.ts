/** `@Http.Access`: who may call the HTTP exposure, as the fact `http/access` of the operation. */
import { type Diagnostic, EFFX1102, EFFX2503 } from "@effx/diagnostics"
import { argumentSite, describe, listOf, recordOf, symbolOf } from "../../argument.ts"
import type { Interpreter } from "../../extension.ts"
import { extensionFact } from "../../extension-fact.ts"
import { subjectName } from "../../subject.ts"
import { onRoute } from "./route-only.ts"

const NAME = "Http.Access"

export const access: Interpreter = {
  annotation: NAME,
  interpret: onRoute(({ annotation, declaration, subject }) => {
    const operation = subjectName(declaration)
    const siteOf = (...steps: ReadonlyArray<string | number>) => argumentSite(annotation, 0, ...steps)
    const unexpected = (expected: string, actual: string, ...steps: ReadonlyArray<string | number>): Diagnostic =>
      EFFX1102.make({ annotation: NAME, _tag: "Unexpected", expected, actual }, { site: siteOf(...steps) })

    const options = recordOf(annotation.args[0])
    const exposure = options?.exposure
    if (exposure !== "public" && exposure !== "protected") {
      const [actual, ...steps] = options === undefined ? [annotation.args[0]] : [exposure, "exposure"]
      return { diagnostics: [unexpected('an exposure that is "public" or "protected"', describe(actual), ...steps)] }
    }
    const given = options?.middleware === undefined ? [] : listOf(options.middleware)
    if (given === undefined) {
      return { diagnostics: [unexpected("a list of middleware classes", describe(options?.middleware), "middleware")] }
    }
    if (exposure === "public" && given.length > 0) {
      const problem = "says public, but names a middleware"
      return {
        diagnostics: [EFFX1102.make({ annotation: NAME, _tag: "Malformed", problem }, { site: siteOf("middleware") })]
      }
    }
    const symbols = given.map(symbolOf)
    const invalid = given.flatMap((arg, index) =>
      symbols[index] === undefined ? unexpected("middleware classes", describe(arg), "middleware", index) : []
    )
    if (invalid.length > 0) return { diagnostics: invalid }
    const middleware = symbols.flatMap((symbol) => (symbol === undefined ? [] : [symbol]))
    const { edge, node } = extensionFact("http", "access", subject, {
      exposure,
      middleware: middleware.map(({ ref }) => ({ ...ref }))
    })
    const unguarded =
      exposure === "protected" && middleware.length === 0
        ? [EFFX2503.make({ operation }, { site: siteOf("middleware") })]
        : []
    // One security middleware guards; the others may serve another purpose.
    const insecure = middleware.every(({ security }) => security === false)
      ? middleware.map(({ ref }, index) =>
          EFFX2503.make({ operation, middleware: ref.export }, { site: siteOf("middleware", index) })
        )
      : []
    return {
      nodes: [node],
      edges: [edge],
      diagnostics: [...unguarded, ...insecure],
      sites: { [node.id]: annotation.site }
    }
  })
}
