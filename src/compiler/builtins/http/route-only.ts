/** EFFX2402 of annotations that say something about an HTTP exposure: at most once, and not without an exposure. */
import { EFFX2402 } from "@effx/diagnostics"
import type { Contribution, InterpretInput } from "../../extension.ts"
import { subjectName } from "../../subject.ts"
import { onOperation } from "../placement.ts"
import { relatedAt } from "../related.ts"
import { hasVerb } from "./verbs.ts"

export const onRoute = (
  interpret: (input: InterpretInput) => Contribution
): ((input: InterpretInput) => Contribution) =>
  onOperation((input) => {
    const { annotation, declaration } = input
    const params = { operation: subjectName(declaration), annotation: annotation.name }
    const first = declaration.annotations.find(({ name }) => name === annotation.name)
    if (first !== undefined && first !== annotation) {
      const related = relatedAt(`The first @${first.name}`, first.site)
      return { diagnostics: [EFFX2402.make({ _tag: "Repeated", ...params }, { site: annotation.site, related })] }
    }
    if (hasVerb(declaration)) return interpret(input)
    return { diagnostics: [EFFX2402.make({ _tag: "NoRoute", ...params }, { site: annotation.site })] }
  })
