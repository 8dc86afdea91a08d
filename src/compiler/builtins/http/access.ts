/** `@Http.Access`: who may call the HTTP exposure and how, as the fact `http/access` of the operation. */
import { EFFX2503 } from "@effx/diagnostics"
import { argumentSite, listOf, recordOf, symbolOf } from "../../argument.ts"
import type { Interpreter } from "../../extension.ts"
import { extensionFact } from "../../extension-fact.ts"
import { subjectName } from "../../subject.ts"
import { schemaContribution } from "../core/schemas.ts"
import { malformed, unexpected } from "../invalid-argument.ts"
import { onRoute } from "./route-only.ts"

export const access: Interpreter = {
  annotation: "Http.Access",
  interpret: onRoute(({ annotation, collected, declaration, subject }) => {
    const operation = subjectName(declaration)
    const siteOf = (...steps: ReadonlyArray<string | number>) => argumentSite(annotation, 0, ...steps)
    const options = recordOf(annotation.args[0])
    const exposure = options?.exposure
    if (exposure !== "public" && exposure !== "protected") {
      const expected = 'an exposure that is "public" or "protected"'
      return {
        diagnostics: [
          options === undefined
            ? unexpected(annotation, expected, annotation.args[0], 0)
            : unexpected(annotation, expected, exposure, 0, "exposure")
        ]
      }
    }
    const given = options?.middleware === undefined ? [] : listOf(options.middleware)
    if (given === undefined) {
      return {
        diagnostics: [unexpected(annotation, "a list of middleware classes", options?.middleware, 0, "middleware")]
      }
    }
    if (exposure === "public" && given.length > 0) {
      return { diagnostics: [malformed(annotation, "says public, but names a middleware", 0, "middleware")] }
    }
    const symbols = given.map(symbolOf)
    const invalid = given.flatMap((arg, index) =>
      symbols[index] === undefined ? unexpected(annotation, "middleware classes", arg, 0, "middleware", index) : []
    )
    if (invalid.length > 0) return { diagnostics: invalid }
    const middleware = symbols.flatMap((symbol) => (symbol === undefined ? [] : [symbol]))
    const { edge, node } = extensionFact("http", "access", subject, {
      exposure,
      middleware: middleware.map(({ guard = {}, ref }) => ({
        ...ref,
        ...(guard.schemes && { schemes: guard.schemes.map(({ key, scheme }) => ({ key, scheme: { ...scheme } })) }),
        ...(guard.errors && { errors: guard.errors.map(({ symbolId }) => symbolId) })
      }))
    })
    const refusals = schemaContribution(
      collected.schemas,
      middleware.flatMap(({ guard }, index) =>
        (guard?.errors ?? []).map((ref) => ({ ref, site: siteOf("middleware", index) }))
      )
    )
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
      nodes: [node, ...refusals.nodes],
      edges: [edge, ...refusals.edges],
      diagnostics: [...unguarded, ...insecure],
      sites: { ...refusals.sites, [node.id]: annotation.site }
    }
  })
}
