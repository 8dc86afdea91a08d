/** EFFX1102 of the built-in interpreters: an argument that is not what its annotation takes, at that argument. */
import { type Diagnostic, EFFX1102 } from "@effx/diagnostics"
import { argumentSite, describe } from "../argument.ts"
import type { Annotation, AnnotationArg } from "../collected.ts"

type Steps = ReadonlyArray<string | number>

/**
 * @param expected a noun phrase
 * @param actual the argument itself; messages say what it is
 * @param steps the way to the argument
 */
export const unexpected = (
  annotation: Annotation,
  expected: string,
  actual: AnnotationArg | undefined,
  ...steps: Steps
): Diagnostic =>
  EFFX1102.make(
    { annotation: annotation.name, _tag: "Unexpected", expected, actual: describe(actual) },
    { site: argumentSite(annotation, ...steps) }
  )

/** @param problem a clause that follows the annotation's name */
export const malformed = (annotation: Annotation, problem: string, ...steps: Steps): Diagnostic =>
  EFFX1102.make(
    { annotation: annotation.name, _tag: "Malformed", problem },
    { site: argumentSite(annotation, ...steps) }
  )
