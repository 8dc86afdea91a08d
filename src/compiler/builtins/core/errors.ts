/**
 * `@Errors`: compares what is declared with what the handler can fail with.
 *
 * The operation node with its errors is contributed by `operation.ts`. Nothing is compared where the channel cannot be
 * known; with an error of no identity in it, no declared error is called stale, because TypeScript's inference may have
 * merged it into the common supertype.
 */
import { type Diagnostic, EFFX2201, EFFX2202 } from "@effx/diagnostics"
import type { SchemaRef } from "@effx/ir"
import { schemaOf } from "../../argument.ts"
import type { Annotation } from "../../collected.ts"
import type { Interpreter, InterpretInput } from "../../extension.ts"
import { subjectName } from "../../subject.ts"
import { unexpected } from "../invalid-argument.ts"
import { once, onOperation } from "../placement.ts"
import { comparisonNotes, labels, type Member } from "./comparison.ts"
import { declaredErrors, inferredErrors } from "./error-channel.ts"

const toMember = (ref: SchemaRef): Member => ({ id: ref.symbolId, name: ref.export })

const invalidArguments = (annotation: Annotation): ReadonlyArray<Diagnostic> =>
  annotation.args.flatMap((arg, index) =>
    schemaOf(arg) !== undefined ? [] : unexpected(annotation, "error schemas", arg, index)
  )

const compare = ({ annotation, collected, declaration }: InterpretInput): ReadonlyArray<Diagnostic> => {
  const channel = declaration.signature?.errors
  if (channel?._tag !== "Known") return []
  const operation = subjectName(declaration)
  const named = declaredErrors(annotation, collected)
  const declared = named.map(({ ref }) => toMember(ref))
  const inferred = inferredErrors(declaration).map(toMember)
  const label = labels([...declared, ...inferred])
  const undeclared = inferred.filter(({ id }) => declared.every((member) => member.id !== id))
  const hasUnidentified = channel.members.some((member) => member._tag !== "Schema")
  const stale = hasUnidentified ? [] : named.filter(({ ref }) => inferred.every((member) => member.id !== ref.symbolId))
  return [
    ...undeclared.map((member) => {
      const error = label(member)
      const fix = `add ${error} to @Errors, or handle it in the handler`
      return EFFX2201.make(
        { operation, error },
        { site: annotation.site, notes: comparisonNotes(inferred, declared, fix) }
      )
    }),
    ...stale.map(({ ref, site }) => {
      const error = label(toMember(ref))
      const fix = `remove ${error} from @Errors`
      return EFFX2202.make({ operation, error }, { site, notes: comparisonNotes(inferred, declared, fix) })
    })
  ]
}

export const errors: Interpreter = {
  annotation: "Errors",
  interpret: onOperation(
    once(["Errors"], (input) => {
      const invalid = invalidArguments(input.annotation)
      return { diagnostics: invalid.length > 0 ? invalid : compare(input) }
    })
  )
}
