/** `@Rpc`: exposure as a remote procedure, with the middleware that guards it as the fact `rpc/middleware`. */
import { type Diagnostic, EFFX1102 } from "@effx/diagnostics"
import { type ExposureNode, stableId } from "@effx/ir"
import { argumentSite, describe, listOf, recordOf, symbolOf, textOf } from "../../argument.ts"
import type { Interpreter } from "../../extension.ts"
import { extensionFact } from "../../extension-fact.ts"
import { subjectName } from "../../subject.ts"
import { once, onOperation } from "../placement.ts"

export const rpc: Interpreter = {
  annotation: "Rpc",
  interpret: onOperation(
    once(["Rpc"], ({ annotation, declaration, subject }) => {
      const unexpected = (expected: string, actual: string, ...steps: ReadonlyArray<string | number>): Diagnostic =>
        EFFX1102.make(
          { annotation: "Rpc", _tag: "Unexpected", expected, actual },
          { site: argumentSite(annotation, ...steps) }
        )
      const [first, second] = annotation.args
      const name = textOf(first)
      if (name === undefined || name === "") {
        return { diagnostics: [unexpected("a name that is not empty", describe(first), 0)] }
      }
      const options = second === undefined ? {} : recordOf(second)
      if (options === undefined) return { diagnostics: [unexpected("an object of options", describe(second), 1)] }
      const given = options.middleware === undefined ? [] : listOf(options.middleware)
      if (given === undefined) {
        const actual = describe(options.middleware)
        return { diagnostics: [unexpected("a list of middleware classes", actual, 1, "middleware")] }
      }
      const middleware = given.map(symbolOf)
      const invalid = given.flatMap((arg, index) =>
        middleware[index] === undefined ? unexpected("middleware classes", describe(arg), 1, "middleware", index) : []
      )
      if (invalid.length > 0) return { diagnostics: invalid }
      const exposure: ExposureNode = {
        _tag: "Exposure",
        id: stableId("exposure", `${subjectName(declaration)}/rpc/${name}`),
        operation: subject,
        transport: { _tag: "rpc", name }
      }
      const fact =
        middleware.length === 0
          ? undefined
          : extensionFact("rpc", "middleware", exposure.id, {
              middleware: middleware.flatMap((symbol) => (symbol === undefined ? [] : [{ ...symbol.ref }]))
            })
      return {
        nodes: fact === undefined ? [exposure] : [exposure, fact.node],
        edges: [
          { kind: "ExposedAs", from: subject, to: exposure.id, qualifier: "rpc" },
          ...(fact === undefined ? [] : [fact.edge])
        ],
        sites: { [exposure.id]: annotation.site, [`${exposure.id}#name`]: argumentSite(annotation, 0) }
      }
    })
  )
}
