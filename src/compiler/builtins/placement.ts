/**
 * Where annotations may stand, for the interpreters of the built-in extensions: only on operations (EFFX1103), and at most
 * once (EFFX1104).
 */
import { EFFX1103, EFFX1104 } from "@effx/diagnostics"
import type { Contribution, InterpretInput } from "../extension.ts"
import { OPERATION_KINDS, operationAnnotation, subjectName } from "../subject.ts"
import { relatedAt } from "./related.ts"

type Interpret = (input: InterpretInput) => Contribution

/** Interprets on operations. An operation whose `@Query` the frontend dropped has been reported and gives nothing. */
export const onOperation =
  (interpret: Interpret): Interpret =>
  (input) => {
    const { annotation, declaration } = input
    if (operationAnnotation(declaration) !== undefined) return interpret(input)
    if (OPERATION_KINDS.some((kind) => declaration.dropped?.includes(kind))) return {}
    const params = { annotation: annotation.name, subject: subjectName(declaration) }
    return { diagnostics: [EFFX1103.make(params, { site: annotation.site })] }
  }

/** Interprets the first annotation of these names; each later one is a finding. */
export const once =
  (names: ReadonlyArray<string>, interpret: Interpret): Interpret =>
  (input) => {
    const { annotation, declaration } = input
    const first = declaration.annotations.find(({ name }) => names.includes(name))
    if (first === undefined || first === annotation) return interpret(input)
    const problem =
      first.name === annotation.name
        ? `has more than one @${annotation.name}`
        : `has both @${first.name} and @${annotation.name}, but it can only be one of them`
    return {
      diagnostics: [
        EFFX1104.make(
          { _tag: "Other", name: subjectName(declaration), problem },
          { site: annotation.site, related: relatedAt(`The first is @${first.name}`, first.site) }
        )
      ]
    }
  }
