/**
 * `@Http.Problems`: RFC 9457 problem responses, as the fact `http/problems` of the operation. Every error of the operation
 * is answered with one of the listed codes.
 */
import { type Diagnostic, EFFX2205, EFFX2206 } from "@effx/diagnostics"
import { argumentSite, listOf, recordOf, symbolOf } from "../../argument.ts"
import type { AnnotationArg } from "../../collected.ts"
import type { Interpreter } from "../../extension.ts"
import { extensionFact } from "../../extension-fact.ts"
import { subjectName } from "../../subject.ts"
import { errorChannel } from "../core/error-channel.ts"
import { malformed, unexpected } from "../invalid-argument.ts"
import { onRoute } from "./route-only.ts"

const isCode = (arg: AnnotationArg): arg is string => typeof arg === "string" && arg !== ""

/** The names by which `map` may call an error: its export name, a static member also by its own name. */
const namesOf = (exported: string): ReadonlyArray<string> => [exported, exported.slice(exported.lastIndexOf(".") + 1)]

export const problems: Interpreter = {
  annotation: "Http.Problems",
  interpret: onRoute(({ annotation, collected, declaration, subject }) => {
    const operation = subjectName(declaration)
    const siteOf = (...steps: ReadonlyArray<string | number>) => argumentSite(annotation, 0, ...steps)
    const options = recordOf(annotation.args[0])
    if (options === undefined) return { diagnostics: [unexpected(annotation, "an object", annotation.args[0], 0)] }
    const registry = symbolOf(options.registry)
    if (registry === undefined) {
      return {
        diagnostics: [unexpected(annotation, "an exported function as registry", options.registry, 0, "registry")]
      }
    }
    const given = listOf(options.codes)
    if (given === undefined)
      return { diagnostics: [unexpected(annotation, "a list of codes", options.codes, 0, "codes")] }
    if (given.length === 0) return { diagnostics: [malformed(annotation, "lists no codes", 0, "codes")] }
    const map = options.map === undefined ? {} : recordOf(options.map)
    if (map === undefined) return { diagnostics: [unexpected(annotation, "an object as map", options.map, 0, "map")] }

    const codes = given.filter(isCode)
    const { inferred, members } = errorChannel(declaration, collected)
    const entries = Object.entries(map)
    const isMapped = (exported: string) => namesOf(exported).some((name) => Object.hasOwn(map, name))
    // Where nothing is declared and the errors cannot be known, no name can be called wrong.
    const isKnown = !inferred || declaration.signature?.errors._tag === "Known"
    const errorNames = new Set(members.flatMap(({ ref }) => namesOf(ref.export)))
    const diagnostics: ReadonlyArray<Diagnostic> = [
      ...given.flatMap((arg, index) => {
        if (!isCode(arg)) return unexpected(annotation, "codes that are text", arg, 0, "codes", index)
        return given.indexOf(arg) === index
          ? []
          : malformed(annotation, `lists the code ${arg} twice`, 0, "codes", index)
      }),
      ...entries.flatMap(([error, code]) => {
        if (typeof code !== "string") return unexpected(annotation, "codes in map", code, 0, "map", error)
        if (isKnown && !errorNames.has(error)) {
          return malformed(annotation, `maps ${error}, with which ${operation} cannot fail`, 0, "map", error)
        }
        return codes.includes(code) ? [] : EFFX2206.make({ operation, error, code }, { site: siteOf("map", error) })
      }),
      ...members.flatMap(({ ref }) =>
        isMapped(ref.export) ? [] : EFFX2205.make({ operation, error: ref.export }, { site: siteOf("map") })
      )
    ]
    const { edge, node } = extensionFact("http", "problems", subject, {
      registry: { ...registry.ref },
      codes,
      map: Object.fromEntries(entries.flatMap(([error, code]) => (typeof code === "string" ? [[error, code]] : [])))
    })
    return { nodes: [node], edges: [edge], diagnostics, sites: { [node.id]: annotation.site } }
  })
}
