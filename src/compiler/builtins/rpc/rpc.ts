/** `@Rpc`: exposure as a remote procedure, with the middleware that guards it as the fact `rpc/middleware`. */
import { type ExposureNode, stableId } from "@effx/ir"
import { argumentSite, listOf, recordOf, symbolOf, textOf } from "../../argument.ts"
import type { Interpreter } from "../../extension.ts"
import { extensionFact } from "../../extension-fact.ts"
import { subjectName } from "../../subject.ts"
import { unexpected } from "../invalid-argument.ts"
import { once, onOperation } from "../placement.ts"

export const rpc: Interpreter = {
  annotation: "Rpc",
  interpret: onOperation(
    once(["Rpc"], ({ annotation, declaration, subject }) => {
      const [first, second] = annotation.args
      const name = textOf(first)
      if (name === undefined || name === "") {
        return { diagnostics: [unexpected(annotation, "a name that is not empty", first, 0)] }
      }
      const options = second === undefined ? {} : recordOf(second)
      if (options === undefined) return { diagnostics: [unexpected(annotation, "an object of options", second, 1)] }
      const given = options.middleware === undefined ? [] : listOf(options.middleware)
      if (given === undefined) {
        return {
          diagnostics: [unexpected(annotation, "a list of middleware classes", options.middleware, 1, "middleware")]
        }
      }
      const middleware = given.map(symbolOf)
      const invalid = given.flatMap((arg, index) =>
        middleware[index] === undefined ? unexpected(annotation, "middleware classes", arg, 1, "middleware", index) : []
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
